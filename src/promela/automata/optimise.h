/* What --optimize on changes: fewer states for the same verdicts.
 *
 * Merging: a step is followed at once by the local ones behind it (assignments, prints and
 * assertions over the process's own unshared variables, gotos). No other process can see or
 * influence them, so running them later reaches nothing else; with a bound it never costs more
 * preemptions. Dead variables: a local that will be written before it is read is set to zero.
 *
 * A variable that someone else may look at (remote reference, claim) is left alone, and a state
 * that a label marks is never merged away. */
#ifndef MAZUR_PROMELA_OPTIMISE_H
#define MAZUR_PROMELA_OPTIMISE_H

#include "promela/automata/automata.h"

/* After automaton_build() of all proctypes, unread_find(), and when the claim is chosen.
 * `drop`: also values that only go into what is dead or dropped, as unread_find() has it.
 * `merge`: steps may be merged, nothing counts them. */
void optimise_model(struct model *model, bool drop, bool merge);
/* Nothing is changed: only the `live` of control states is found, by which values that were set
 * to zero in a search can be told in the plain semantics. */
void find_dead_values(struct model *model);
/* True if the expression depends on nothing but the process's own unshared variables. */
bool expression_is_local(const struct expression *e);
/* True if the statement touches nothing else either; such a step is independent of all steps of
 * other processes. */
/* Could evaluating it be an error: an index, a division, a process or channel that is not
 * there? */
bool expression_may_fail(const struct expression *expression);
bool statement_is_local(const struct statement *s);
/* Mark the variables that other processes or the claim look at. */
void mark_shared_locals(struct model *model);

#endif
