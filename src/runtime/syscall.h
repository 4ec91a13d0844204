/* System calls without libc: for code that runs before libc is ready, or while libc's state
 * must not be touched (errno is the program's). One function per CPU, the rest is shared. */
#ifndef MAZUR_RUNTIME_SYSCALL_H
#define MAZUR_RUNTIME_SYSCALL_H

#include <sys/syscall.h>

/* The kernel's answer: a result, or -errno in [-4095, -1]. */
static inline long rt_syscall(long number, long a, long b, long c, long d, long e, long f)
{
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;
    __asm__ volatile("svc 0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
#else
#error "Mazur runs on x86-64 and AArch64"
#endif
}

#endif
