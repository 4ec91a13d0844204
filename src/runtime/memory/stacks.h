/* Where the stacks of threads lie, and which parts of them other threads write (spin_stack.c). */
#ifndef MAZUR_RUNTIME_STACKS_H
#define MAZUR_RUNTIME_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/threadset.h"

#define STACKS_ADDRESS UINT64_C(0x480000000000) /* inside the private range: not restored */
#define STACK_SLOT     (UINT64_C(64) << 20)     /* the largest stack, with its guard */

/* On some thread's stack? */
static inline bool stacks_have(uint64_t address)
{
    return address - STACKS_ADDRESS < STACK_SLOT * THREADS_MAX;
}

/* On the stack of a thread other than `slot`? */
static inline bool stacks_have_other(uint64_t address, int slot)
{
    uint64_t at = address - STACKS_ADDRESS;
    return at < STACK_SLOT * THREADS_MAX && (int)(at / STACK_SLOT) != slot;
}

/* A thread is about to write to the stack of another one. */
void stacks_note_write(uint64_t address, uint64_t size);
/* Start of an execution; its end: true if the search has learned something and begins again. */
void stacks_begin(void);
bool stacks_end(void);
/* Is the byte in a part of a stack that other threads write? */
bool stacks_shared(uint64_t address);
/* The hash of [from, to) of a stack without those parts. */
uint64_t stacks_hash(uint64_t from, uint64_t to, uint64_t seed);

#endif
