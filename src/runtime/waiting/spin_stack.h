/* Parts of stacks that other threads write (spin_stack.c). */
#ifndef MAZUR_RUNTIME_SPIN_STACK_H
#define MAZUR_RUNTIME_SPIN_STACK_H

#include <stdbool.h>
#include <stdint.h>

/* A thread is about to write to the stack of another one. */
void stacks_note_write(uint64_t address, uint64_t size);
/* Start of an execution, and its end: true if the search has learned something and starts
 * over. */
void stacks_begin(void);
bool stacks_end(void);
/* Is the byte in a part of a stack that other threads write? */
bool stacks_shared(uint64_t address);
/* Is one in [from, to)? */
bool stacks_overlap(uint64_t from, uint64_t to);
/* The hash of [from, to) of a stack without those parts. */
uint64_t stacks_hash(uint64_t from, uint64_t to, uint64_t seed);

#endif
