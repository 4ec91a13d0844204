/* Reads after which the thread is where it would be if it had begun later (retry.c). */
#ifndef MAZUR_RUNTIME_RETRY_H
#define MAZUR_RUNTIME_RETRY_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Can the pending read of the thread be redundant, for some value? This depends on nothing but
 * the thread's own past. */
bool retry_is_possible(const struct thread *thread);
/* Is it redundant with the present value? thread->spin.ahead says where it leads. */
bool retry_is_redundant(struct thread *thread);
/* Have the thread's reads, from one of them on, seen two values of one location? */
bool retry_saw_change(const struct thread *thread, uint32_t from);

#endif
