/* Variables, elements of arrays and fields of messages that nothing reads.
 *
 * Something is read if a condition, an assertion, an index, a divisor, a claim, another process
 * (P:x), C, or a value that is read itself depends on it. What is printed is not read: a search
 * prints nothing. The rest can change no step and no verdict, now or later (states that differ
 * in nothing else have the same steps to states of that kind, a strong bisimulation), so
 * --optimize on does not keep it in the state:
 *
 *     int count; do :: c?x -> count++ od       one state, not 2^32
 *
 * This is not done where preemptions are counted: a process that only changes such a variable
 * still moves, and switching away from it is a preemption. */
#ifndef MAZUR_PROMELA_UNREAD_H
#define MAZUR_PROMELA_UNREAD_H

#include "promela/language/model.h"

/* After the automata were built and the claim was chosen. `drop`: the state is to go without
 * them (reference_is_dropped() and the fields' `field_dropped`). */
void unread_find(struct model *model, bool drop);
/* Does nothing read it? */
bool reference_is_unread(const struct expression *name);
bool element_is_unread(const struct symbol *symbol, int element);
/* … and is what is assigned to it kept nowhere? */
bool reference_is_dropped(const struct expression *name);
bool element_is_dropped(const struct symbol *symbol, int element);
/* Is the value of an assignment to what is dropped computed all the same: may it fail, or does
 * it start a process? */
bool value_has_effect(const struct expression *value);
/* The scalar of a structure (or of the variable itself) that a flattened list has at `index`.
 */
struct symbol *leaf_symbol(struct symbol *symbol, int index);

#endif
