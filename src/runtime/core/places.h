/* Places in the program that options name. */
#ifndef MAZUR_RUNTIME_PLACES_H
#define MAZUR_RUNTIME_PLACES_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The modules are known: asks the command to look up what the options name. */
void places_look_up(void);
/* --preempt-only, --no-preempt: is it forbidden to preempt the thread before its pending
 * operation?
 */
bool places_forbid_preemption(const struct thread *thread);
/* Is the code address inside a place of the list? */
bool places_have_code(int list, uint64_t pc);

/* It is known which code follows which standard: the race detector may ask from now on. */
void places_set_rules(void);

#endif
