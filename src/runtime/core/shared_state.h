/* Operations on state that libc or the kernel keeps for all threads (shared_state.c). */
#ifndef MAZUR_RUNTIME_SHARED_STATE_H
#define MAZUR_RUNTIME_SHARED_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"

/* An operation on such state; the effect follows the call. */
void shared_use(enum shared_state state, uint64_t pc);
/* The same for a call that only reads it. */
void shared_look(enum shared_state state, uint64_t pc);
/* The same for state that can be read in many ways: the operation depends on all others. */
void shared_change(uint64_t pc);
/* A read and a change of state that is rarely changed; a use of state that every call changes.
 * These become operations once they are known to matter. */
void shared_look_state(enum shared_state state, uint64_t pc);
void shared_change_state(enum shared_state state, uint64_t pc);
/* The same for state that each thread has for itself, where threads rarely read that of
 * others. */
void shared_look_other(enum shared_state state, uint64_t pc);
void shared_change_own(enum shared_state state, uint64_t pc);
void shared_use_among_threads(enum shared_state state, uint64_t pc);
/* Has another thread used the object in this execution? Also records that the running thread
 * uses it. */
bool shared_has_another_user(uint64_t object);
/* Is every use of this state an operation? The search learns that it matters, and starts over.
 */
bool shared_is_learned(enum shared_state state);
void shared_learn_state(enum shared_state state);
/* The search learns that threads share something, and starts over. */
void shared_learn(enum lesson_kind kind, uint64_t value);
void shared_begin(void); /* of an execution */

#endif
