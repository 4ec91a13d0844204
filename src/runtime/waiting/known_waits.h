/* Which reads wait, with which values (known_waits.c). */
#ifndef MAZUR_RUNTIME_KNOWN_WAITS_H
#define MAZUR_RUNTIME_KNOWN_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/world/world.h"

struct thread;

/* A name for the read that the thread is about to make (op.wait): equal names wait for the same
 * values. `by_past`: this also depends on the reads before it. `lessons`: how many there are.
 * 0: it has none. */
uint64_t known_waits_name(const struct thread *thread, bool by_past, uint32_t lessons);
/* It was found out whether the read waits with this value. */
void known_waits_note(uint64_t name, uint64_t value, bool waits);
/* See position.must_wait. */
enum wait_answer known_waits_ask(uint64_t name, uint64_t value);

#endif
