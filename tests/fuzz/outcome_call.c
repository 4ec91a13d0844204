/* The system calls that write outcomes (outcome.h), in a library of their own that is not built
 * with Mazur: it finds and controls such instructions in code that is, and they would be
 * operations. */
#include "outcome_call.h"

long outcome_call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c)
                     : "rcx", "r11", "memory");
    return result;
}
