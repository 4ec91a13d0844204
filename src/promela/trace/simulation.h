/* A run of a model whose steps are chosen one at a time: at random, by a trail, or by the user.
 *
 * It is a trace at any time, made by the tracer that makes those of failures. Going back runs
 * the steps that stay once more from the beginning: a model is deterministic when its choices
 * are given, and no state has to be kept. Invariant: `taken` is what leads to the tracer's
 * state. */
#ifndef MAZUR_PROMELA_SIMULATION_H
#define MAZUR_PROMELA_SIMULATION_H

#include "promela/trace/tracer.h"

struct simulation {
    struct verifier *verifier; /* of the plain semantics */
    struct tracer *tracer;
    struct trail taken;
    struct successor *choice; /* what can be done here, until the next call */
    uint32_t choices;
};

/* At the initial state; false: no memory. */
bool simulation_open(struct simulation *simulation, struct verifier *plain);
void simulation_close(struct simulation *simulation);
/* List what can be done here. None after a failure. */
void simulation_list(struct simulation *simulation);
/* A choice as a step of a trail. */
struct trail_step simulation_step_of(const struct successor *choice);
/* At random, as Spin does: first a process that can move, then one of its steps. */
uint32_t simulation_draw(const struct simulation *simulation, uint64_t *random);
/* Take a step. False if it can't be taken. */
bool simulation_take(struct simulation *simulation, const struct trail_step *step);
/* Undo the last `count` steps. False: no memory, or C that does something else this time. */
bool simulation_back(struct simulation *simulation, uint32_t count);
/* Nothing can be done any more, or a trail is over: put into the trace's failure what fails
 * here. */
void simulation_conclude(struct simulation *simulation, enum violation violation);

#endif
