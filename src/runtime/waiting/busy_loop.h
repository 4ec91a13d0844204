/* Loops that make no operation (busy_loop.c). */
#ifndef MAZUR_RUNTIME_BUSY_LOOP_H
#define MAZUR_RUNTIME_BUSY_LOOP_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* The parent suspects that the interrupted thread is in an endless loop: single-steps it. */
void busy_loop_suspect(ucontext_t *context);
/* Stops stepping: the thread has to report where it is. */
void busy_loop_give_up(ucontext_t *context);
/* Start of an execution. */
void busy_loop_begin(void);
/* Is the thread stopped in such a loop, and where? */
struct thread;
bool busy_loop_has(const struct thread *thread);
uint64_t busy_loop_pc(const struct thread *thread);
/* Nothing can run: lets a stopped thread continue if others have run since. False: there is
 * none. */
bool busy_loop_try_again(void);

#endif
