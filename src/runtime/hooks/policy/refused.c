/* Calls that Mazur knows but does not model (refused.def), and system calls of that kind. */
#include "runtime/hooks/policy/refused.h"

#include <sys/syscall.h>

#include "runtime/core/failure.h"

void refuse_call(const char *call, const char *why, uint64_t pc)
{
    failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                  "%s is not supported: %s", call, why);
}

/* futex_waitv, futex_wake, futex_wait, futex_requeue, by number: many headers are older than
 * these calls. */
static bool is_new_futex(long number)
{
    return number == 449 || (number >= 454 && number <= 456);
}

void refuse_syscall(long number, uint64_t pc)
{
    if (is_new_futex(number))
        refuse_call(number == 449 ? "syscall(SYS_futex_waitv)"
                                  : "syscall(SYS_futex_wait), _wake or _requeue",
                    "futex(2) is what is modelled", pc);
    if (number == SYS_clone || number == SYS_clone3 || number == SYS_vfork ||
        number == SYS_fork)
        refuse_call(number == SYS_clone    ? "syscall(SYS_clone)"
                    : number == SYS_clone3 ? "syscall(SYS_clone3)"
                    : number == SYS_fork   ? "syscall(SYS_fork)"
                                           : "syscall(SYS_vfork)",
                    "it would create threads or processes that Mazur does not control", pc);
}
