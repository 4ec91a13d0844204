/* System calls without libc: no errno, no cancellation point, no state (DESIGN 2.5).
 * Each returns what the kernel returns: a value, or minus an error number. */
#ifndef MAZUR_RUNTIME_RAW_H
#define MAZUR_RUNTIME_RAW_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
static inline long raw_syscall6(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}
#else
#error "raw system calls: x86-64 only so far"
#endif

static inline long raw_syscall1(long number, long a)
{
    return raw_syscall6(number, a, 0, 0, 0, 0, 0);
}

static inline long raw_syscall2(long number, long a, long b)
{
    return raw_syscall6(number, a, b, 0, 0, 0, 0);
}

static inline long raw_syscall3(long number, long a, long b, long c)
{
    return raw_syscall6(number, a, b, c, 0, 0, 0);
}

static inline long raw_syscall4(long number, long a, long b, long c, long d)
{
    return raw_syscall6(number, a, b, c, d, 0, 0);
}

#endif
