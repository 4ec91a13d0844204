/* Loops that change something, taken for waits once the step limit has cut one (waits.c). */
#ifndef MAZUR_RUNTIME_WAITS_H
#define MAZUR_RUNTIME_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/world/world.h"

struct thread;

void waits_begin(void);
/* The current thread comes to `op`, which can be executed when ready() is true, NULL: always.
 * Returns what it waits as, or NULL where it does not. */
const struct op *waits_for_change(const struct op *op, bool (*ready)(struct thread *));
bool waits_ready(struct thread *thread);
void waits_over(void);
void waits_done(const struct op *op);
/* The objects that were waited for belong to the final form, too. */
void waits_add_awaited(struct op *done);
/* An execution is cut. True: the search should start over. */
bool waits_learn_from_cut(void);
void waits_yielded(void);
uint64_t waits_hash(const struct thread *thread, uint64_t hash);
/* Have loops been taken for waits? */
bool waits_learned(void);

#endif
