/* System calls by number. Those that have a hook go to it; those that neither wait nor reveal
 * anything about other threads pass through; the others are listed. */
#include <signal.h>
#include <stdarg.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/syscall.h>

#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/policy/refused.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/memory/snapshot.h"

static bool go_to_hook(long number, const long *a, uint64_t pc, long *result)
{
    switch (number) {
    case SYS_gettid:
        *result = gettid();
        return true;
    case SYS_tgkill:
        *result = tgkill((int)a[0], (int)a[1], (int)a[2]);
        return true;
    case SYS_tkill:
        *result = tgkill((int)raw_syscall1(SYS_getpid, 0), (int)a[0], (int)a[1]);
        return true;
    case SYS_kill:
        *result = kill((int)a[0], (int)a[1]);
        return true;
    case SYS_futex:
        *result = futex_call(a, pc);
        return true;
    case SYS_close:
        *result = close((int)a[0]);
        return true;
    case SYS_read:
        *result = read((int)a[0], (void *)a[1], (size_t)a[2]);
        return true;
    case SYS_write:
        *result = write((int)a[0], (const void *)a[1], (size_t)a[2]);
        return true;
    case SYS_eventfd2:
        *result = eventfd((unsigned)a[0], (int)a[1]);
        return true;
    case SYS_getrandom:
        *result = getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
        return true;
    case SYS_sched_yield:
        *result = sched_yield();
        return true;
    case SYS_exit_group:
        start_program_end((int)a[0], pc);
    case SYS_nanosleep:
        *result = nanosleep((const struct timespec *)a[0], (struct timespec *)a[1]);
        return true;
    case SYS_clock_gettime:
        *result = clock_gettime((clockid_t)a[0], (struct timespec *)a[1]);
        return true;
    default:
        return false;
    }
}

static bool is_harmless_syscall(long number)
{
    return number == SYS_getpid || number == SYS_getcpu || number == SYS_membarrier ||
           number == SYS_madvise || number == SYS_sched_getaffinity;
}

static void name_syscall(char text[32], long number)
{
    static const char prefix[] = "syscall ";
    size_t n = sizeof prefix - 1;
    __builtin_memcpy(text, prefix, n);
    long digits = 1;
    while (number / digits >= 10)
        digits *= 10;
    for (; digits > 0 && n < 31; digits /= 10)
        text[n++] = (char)('0' + number / digits % 10);
    text[n] = 0;
}

EXPORT long syscall(long number, ...)
{
    va_list list;
    va_start(list, number);
    long a[6];
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    UNLESS_ON(syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]));
    long result;
    if (go_to_hook(number, a, CALLER, &result))
        return result;
    if (!is_harmless_syscall(number)) {
        refuse_syscall(number, CALLER);
        char text[32];
        name_syscall(text, number);
        failure_uncontrolled(text);
    }
    /* any of them may point to where the kernel writes (kernel.c) */
    for (int i = 0; i < 6; i++)
        snapshot_touch((const void *)a[i], 1);
    return real.syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
