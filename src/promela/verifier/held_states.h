/* Sends and receives at which an atomic sequence may be interrupted, or a d_step fail.
 *
 * If a process that holds control reaches a statement that can't be executed, other processes
 * may run. So an operation that enables this statement is not independent of the sequence:
 * taken earlier, it would remove the interruption.
 *
 *     T: atomic { g = 1; c?x; g = 0 }      P: c!1      U: assert(g == 0)
 *
 * A send or receive can't block where a condition of the same sequence has just found that the
 * channel is not full, or not empty, and only statements that can't block stand between. */
#ifndef MAZUR_PROMELA_HELD_STATES_H
#define MAZUR_PROMELA_HELD_STATES_H

#include "promela/automata/automata.h"

struct held_states;

/* Needs the automaton. */
struct held_states *held_states_find(struct model *model, const struct automaton *automaton);
/* Can a process reach this state while it holds control? */
bool state_is_held(const struct held_states *held, int state);
/* … and may it then have to wait for this send or receive? */
bool statement_may_wait(const struct held_states *held, int state,
                        const struct statement *statement);

#endif
