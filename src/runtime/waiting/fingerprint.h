/* A number for the state of the program (fingerprint.c). */
#ifndef MAZUR_RUNTIME_FINGERPRINT_H
#define MAZUR_RUNTIME_FINGERPRINT_H

#include <stdint.h>

#include "base/pool.h"
#include "explore/world/world.h"

struct thread;

void fingerprint_note_entry(struct thread *self, uint64_t pc);
uint64_t fingerprint_state(const struct position *pos);
/* The same to compare states of one execution, from the first call on: time counts only as far
 * as the program reads it, and printed output does not count. 0: unknown here. */
uint64_t fingerprint_cycle(void);
/* A search begins: states may be compared. */
void fingerprint_start(struct pool *pool);

#endif
