/* Where an address belongs, and which code called a library: for RECORD runs. */
#ifndef MAZUR_RUNTIME_HOME_H
#define MAZUR_RUNTIME_HOME_H

#include "board/board.h"

struct thread;

void home_init(void);
/* A function reports its entry; `hook_frame` is the hook's frame address. */
void home_enter(const struct thread *self, uint32_t frame, const void *hook_frame);
void home_find(uint64_t address, struct board_home *home);
/* Appends the callers of the code at `pc`. For an uninstrumented library: up to the first
 * function of the user's code. For a program without any instrumentation: all of them. */
void home_walk(uint64_t pc, struct board_stack *out);

#endif
