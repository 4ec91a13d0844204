/* Instructions whose results come from outside the program: the processor's counters and random
 * numbers, its description, system calls. */
#ifndef MAZUR_RUNTIME_TRAP_OUTSIDE_H
#define MAZUR_RUNTIME_TRAP_OUTSIDE_H

#include <ucontext.h>

#include "board/board.h"

/* Emulates the instruction as the hooks of the matching libc calls would: with virtual time and
 * the thread's own stream of random numbers. Returns false if the processor must execute it. */
bool trap_outside(const struct board_site *site, ucontext_t *context);

#endif
