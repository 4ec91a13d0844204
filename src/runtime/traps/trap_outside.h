/* Instructions whose results come from outside the program: the processor's counters and random
 * numbers, its description, system calls. */
#ifndef MAZUR_RUNTIME_TRAP_OUTSIDE_H
#define MAZUR_RUNTIME_TRAP_OUTSIDE_H

#include <ucontext.h>

#include "board/board.h"

/* Carry out the instruction in the processor's place, as the calls of libc for the same purpose
 * are: virtual time, the thread's own stream of random numbers. Returns false where it must be
 * executed as it is. */
bool trap_outside(const struct board_site *site, ucontext_t *context);

#endif
