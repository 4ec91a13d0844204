/* Parts of the control states of a claim. See claim_parts.h. */
#include "promela/automata/claim_parts.h"

#include <stdlib.h>

#include "promela/automata/strong_parts.h"

struct part_search {
    const struct automaton *automaton;
    struct claim_parts *parts;
    uint32_t count;
};

/* Where a transition leads: number 2 * i, and 2 * i + 1 into the d_step that it is, which may
 * be left by a jump. */
static uint32_t claim_target(const void *context, uint32_t state, uint32_t number)
{
    const struct part_search *f = context;
    const struct transition *t = &f->automaton->states[state].transitions[number / 2];
    int target = number % 2 == 0               ? t->target
                 : t->kind == TRANSITION_DSTEP ? t->dstep_start
                                               : -1;
    return target < 0 ? COMPONENTS_NOWHERE : (uint32_t)target;
}

static uint32_t claim_target_count(const void *context, uint32_t state)
{
    const struct part_search *f = context;
    return 2 * (uint32_t)f->automaton->states[state].count;
}

static void close_claim_part(void *context, const struct components *c, uint32_t bottom)
{
    struct part_search *f = context;
    bool cyclic = c->open - bottom > 1, accepting = true;
    for (uint32_t i = bottom; i < c->open; i++) {
        uint32_t state = c->stack[i];
        f->parts->part[state] = f->count;
        accepting &= f->automaton->states[state].accept;
        for (uint32_t k = 0; k < claim_target_count(f, state); k++)
            cyclic |= claim_target(f, state, k) == state;
    }
    f->parts->uniform[f->count++] = accepting || !cyclic;
}

bool claim_parts_find(struct claim_parts *parts, const struct proctype *claim)
{
    *parts = (struct claim_parts){0};
    if (!claim)
        return true;
    size_t count = (size_t)claim->automaton->count;
    struct part_search f = {.automaton = claim->automaton, .parts = parts};
    struct components c = {.context = &f,
                           .target_of = claim_target,
                           .target_count = claim_target_count,
                           .close_part = close_claim_part};
    parts->part = calloc(count, sizeof *parts->part);
    parts->uniform = calloc(count, sizeof *parts->uniform);
    bool ready = components_init(&c, count) && parts->part && parts->uniform;
    for (uint32_t i = 0; ready && i < count; i++)
        components_find(&c, i);
    components_free(&c);
    return ready;
}

void claim_parts_free(struct claim_parts *parts)
{
    free(parts->part);
    free(parts->uniform);
}
