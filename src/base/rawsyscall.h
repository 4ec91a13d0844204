/* System calls without libc: no errno, no hook, no cancellation point. One port per CPU.
 *
 * The result is the kernel's: a negative number from -4095 to -1 is an error. */
#ifndef MAZUR_BASE_RAWSYSCALL_H
#define MAZUR_BASE_RAWSYSCALL_H

#include <sys/syscall.h>

#if defined(__x86_64__)

static inline long raw_syscall4(long number, long a, long b, long c, long d)
{
    long result;
    register long r10 __asm__("r10") = d;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
                     : "rcx", "r11", "memory");
    return result;
}

#elif defined(__aarch64__)

static inline long raw_syscall4(long number, long a, long b, long c, long d)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3) : "memory");
    return x0;
}

#else
#error "port raw_syscall4 to this CPU"
#endif

#endif
