/* The system calls that write outcomes (outcome.h), in a separate library that is not built
 * with Mazur: in code that is, Mazur finds and controls such instructions, and they would be
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
