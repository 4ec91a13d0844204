/* Where a thread began its attempt to change something (attempt.c). */
#ifndef MAZUR_RUNTIME_ATTEMPT_H
#define MAZUR_RUNTIME_ATTEMPT_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The thread is before the first read of an attempt, in self->spin.ahead: is this beginning
 * already kept? */
bool attempt_is_kept(const struct thread *self);
/* Keeps it, if it is small enough. The thread is stopped. */
void attempt_keep(const struct thread *thread);
/* Is this the beginning of the thread's reads since its last progress? */
bool attempt_is_current(const struct thread *thread);
/* The lowest stack address that attempt_rewind() writes. */
uint64_t attempt_low(const struct thread *thread);
/* Puts the thread back to that beginning. The caller has copied its stack and record. */
void attempt_rewind(struct thread *thread);

#endif
