/* Where the stacks of threads are. */
#ifndef MAZUR_RUNTIME_STACKS_H
#define MAZUR_RUNTIME_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/threadset.h"

#define STACKS_ADDRESS UINT64_C(0x480000000000) /* inside the private range: not restored */
#define STACK_SLOT     (UINT64_C(64) << 20)     /* the largest stack, with its guard */

/* Is the address on some thread's stack? */
static inline bool stacks_have(uint64_t address)
{
    return address - STACKS_ADDRESS < STACK_SLOT * THREADS_MAX;
}

/* Is the address on the stack of a thread other than `slot`? */
static inline bool stacks_have_other(uint64_t address, int slot)
{
    uint64_t at = address - STACKS_ADDRESS;
    return at < STACK_SLOT * THREADS_MAX && (int)(at / STACK_SLOT) != slot;
}

/* The thread whose stack contains the address, or -1. */
static inline int thread_of_stack(uint64_t address)
{
    uint64_t slot = (address - STACKS_ADDRESS) / STACK_SLOT;
    return slot < THREADS_MAX ? (int)slot : -1;
}

#endif
