/* Steps between stored states. See retrace.h. */
#include "promela/search/retrace.h"

#include <stdlib.h>
#include <string.h>

#include "promela/store/store.h"

struct seeker {
    const uint8_t *target; /* NULL: a fault is looked for */
    uint32_t target_size, mover;
    const struct failure *failure;
    uint32_t before; /* who moved before that; NO_PARTNER: nobody, or it is not counted */
    bool found;
    struct trail *trail;
    uint32_t start; /* of the step in the trail */
    bool other;     /* the one that was found is not by the process that moved before */
};

struct failure failure_of_fault(uint32_t fault, uint32_t transition)
{
    return (struct failure){fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT, fault,
                            transition, NO_PARTNER};
}

struct failure failure_of_end(void)
{
    return (struct failure){VIOLATION_END, 0, 0, NO_PARTNER};
}

bool chain_add(struct chain *chain, uint32_t state, uint32_t mover)
{
    if (chain->count == chain->room) {
        uint32_t room = chain->room == 0 ? 1024 : 2 * chain->room;
        uint32_t *states = realloc(chain->states, room * sizeof *states);
        if (!states)
            return false;
        chain->states = states;
        uint32_t *movers = realloc(chain->movers, room * sizeof *movers);
        if (!movers)
            return false;
        chain->movers = movers;
        chain->room = room;
    }
    chain->states[chain->count] = state;
    chain->movers[chain->count++] = mover;
    return true;
}

void chain_reverse(struct chain *chain)
{
    for (uint32_t i = 0, k = chain->count; i + 1 < k--; i++) {
        uint32_t state = chain->states[i], mover = chain->movers[i];
        chain->states[i] = chain->states[k];
        chain->movers[i] = chain->movers[k];
        chain->states[k] = state;
        chain->movers[k] = mover;
    }
}

void chain_free(struct chain *chain)
{
    free(chain->states);
    free(chain->movers);
    free(chain->key);
    *chain = (struct chain){0};
}

static const struct shape *chain_state(void *context, uint32_t i, uint8_t *vector)
{
    struct chain *chain = context;
    return stored_state(chain->verifier, chain->store, chain->states[i], vector, chain->key);
}

static uint32_t chain_mover(void *context, uint32_t i)
{
    return ((const struct chain *)context)->movers[i];
}

struct path chain_path(struct chain *chain)
{
    if (!chain->key)
        chain->key = malloc(STORE_ROOM * sizeof *chain->key);
    return (struct path){chain->key ? chain->count : 0, chain_state, chain_mover, chain};
}

const struct shape *stored_state(const struct verifier *v, const struct store *store,
                                 uint32_t number, uint8_t *vector, uint64_t *key)
{
    uint32_t id;
    store_get(store, number, vector, key);
    memcpy(&id, vector, 4);
    return shapes_get(v->shapes, id);
}

static bool is_one_of(uint32_t pid, uint32_t first, uint32_t second)
{
    return pid == NO_PARTNER || pid == first || pid == second;
}

static bool is_wanted(const struct seeker *s, const struct macro *m)
{
    if (!s->target)
        return m->fault == s->failure->fault &&
               m->fault_transition == s->failure->fault_transition &&
               (m->length == 0 || is_one_of(s->mover, m->first_pid, m->first_partner));
    return m->fault == 0 && m->shape->size == s->target_size &&
           memcmp(m->vector, s->target, s->target_size) == 0 &&
           is_one_of(s->mover, m->last_pid, m->last_partner);
}

/* Of several ways from one state to the next, takes one without a switch, then the shortest:
 * that is what the search counted. */
static void look_for_step(void *context, const struct macro *m)
{
    struct seeker *s = context;
    if (!is_wanted(s, m))
        return;
    bool other = !is_one_of(s->before, m->first_pid, m->first_partner);
    uint32_t length = s->trail->count - s->start;
    if (s->found && (other > s->other || (other == s->other && m->length >= length)))
        return;
    s->found = true;
    s->other = other;
    s->trail->count = s->start;
    for (uint32_t i = 0; i < m->length; i++)
        trail_add(s->trail, m->path[i]);
}

/* The search was interrupted: it is incomplete and has no failure to show. */
static void lose_failure(struct verifier *v)
{
    trail_free(&v->trail);
    v->trail.preemptions = -1;
    verifier_truncate(v, "interrupted");
}

bool retrace(struct verifier *v, struct macro_expander *macro, const struct path *path,
             const struct failure *failure)
{
    size_t room = VECTOR_BYTES + (size_t)v->model->c_tail;
    uint8_t *from = malloc(room), *to = malloc(room);
    bool ready = from && to, was_over = macro->over;
    struct seeker seeker = {.failure = failure, .trail = &v->trail};
    macro_emit *emit = macro->emit;
    void *context = macro->context;
    const struct shape *shape =
        ready && path->count > 0 ? path->state(path->context, 0, to) : NULL;
    macro->emit = look_for_step;
    macro->context = &seeker;
    macro->unhurried = true; /* what the search has found it can find again */
    v->trail.violation = failure->violation;
    v->trail.fault = failure->fault;
    v->trail.fault_transition = failure->fault_transition;
    for (uint32_t i = 0; ready && i < path->count; i++) {
        const struct shape *here = shape;
        uint8_t *swap = from;
        from = to;
        to = swap;
        bool last = i + 1 == path->count;
        if (last && failure->fault == 0)
            break;
        if (!last) {
            shape = path->state(path->context, i + 1, to);
            seeker.target_size = shape->size;
        }
        seeker.found = false;
        seeker.start = v->trail.count;
        seeker.before = i == 0 ? NO_PARTNER : seeker.mover;
        seeker.target = last ? NULL : to;
        seeker.mover = last ? failure->pid : path->mover(path->context, i + 1);
        macro->over = false;
        macro_expand(macro, from, here);
        if (!seeker.found && macro->over) { /* interrupted */
            lose_failure(v);
            break;
        }
    }
    v->trail.cycle = v->trail.count;
    macro->emit = emit;
    macro->context = context;
    macro->over = was_over;
    macro->unhurried = false;
    free(from);
    free(to);
    return ready;
}
