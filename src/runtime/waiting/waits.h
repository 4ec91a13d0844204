/* Loops that change something, treated as waits once the step limit has cut one (waits.c). */
#ifndef MAZUR_RUNTIME_WAITS_H
#define MAZUR_RUNTIME_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/world/world.h"

struct thread;

void waits_begin(void);
/* The current thread arrives at `op`, which can be executed when ready() is true (NULL:
 * always). Returns the operation that it waits as, or NULL if it does not wait. */
const struct op *waits_for_change(const struct op *op, bool (*ready)(struct thread *));
bool waits_ready(struct thread *thread);
void waits_over(void);
void waits_done(const struct op *op);
/* Adds the awaited objects to the final form of the operation. */
void waits_add_awaited(struct op *done);
/* An execution is cut. True: the search should start over. */
bool waits_learn_from_cut(void);
void waits_yielded(void);
uint64_t waits_hash(const struct thread *thread, uint64_t hash);
/* Have loops been treated as waits? */
bool waits_learned(void);

#endif
