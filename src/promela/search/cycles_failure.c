/* A failure that the search for cycles has found, as a trail: the steps of all frames on the
 * stack, and for a cycle the frame where it begins. Where frames are only numbers of stored
 * states, the steps between them are generated again. */
#include <stdlib.h>

#include "promela/search/cycles_inside.h"
#include "promela/search/retrace.h"

/* One failure while it is written down. */
struct writing {
    struct cycles *cycles;
    struct product_arena arena; /* for successors that are generated again */
    uint8_t *vector;
    uint64_t *key;
};

/* The step from one frame to the next; NULL: interrupted, or no memory. */
static const struct product_step *find_step(struct writing *w, const struct trials_frame *from,
                                            const struct trials_frame *to)
{
    struct cycles *c = w->cycles;
    const struct shape *shape =
        stored_state(c->verifier, c->store, from->number, w->vector, w->key);
    w->arena.steps.count = w->arena.paths.count = w->arena.pool_at = 0;
    c->product.to = &w->arena;
    c->product.macro.over = false;
    product_generate(&c->product, w->vector, shape, from->copy, cycles_was_full(c, from));
    c->product.to = &c->arena;
    for (uint32_t i = 0; i < w->arena.steps.count && !c->product.failed; i++) {
        const struct product_step *s = product_step_at(&w->arena, i);
        uint32_t number;
        if (s->fault != 0 || s->copy != to->copy)
            continue;
        store_add(c->writer,
                  store_key(c->writer, product_vector(&w->arena, s->at), s->shape->size, NULL,
                            0, NULL, w->key),
                  &number);
        if (number == to->number && !store_full(c->store))
            return s;
    }
    return NULL;
}

/* Adds the steps of all frames to the trail. A cycle begins at the frame of the outer search
 * that `target` leads back to. False: not all steps could be found again. */
static bool write_stack(struct writing *w, const struct product_step *target)
{
    struct cycles *c = w->cycles;
    struct trail *trail = &c->verifier->trail;
    struct trials_walk walk = trials_walk(&c->trials);
    const struct trials_frame *next = trials_walk_on(&walk);
    bool whole = next;
    for (uint32_t i = 1; whole; i++) {
        struct trials_frame f = *next;
        if (target && i <= c->blue_depth && cycles_is_target(c, &f, target))
            trail->cycle = trail->count;
        if (i == trials_depth(&c->trials))
            break;
        next = trials_walk_on(&walk);
        const struct product_step *s = !next      ? NULL
                                       : c->keeps ? product_step_at(&c->arena, next->step)
                                                  : find_step(w, &f, next);
        whole = s;
        if (whole)
            product_trail_add(c->keeps ? &c->arena : &w->arena, s, trail);
    }
    trials_walk_end(&walk);
    return whole;
}

void cycles_record_failure(struct cycles *c, enum violation violation,
                           const struct product_step *last)
{
    struct verifier *v = c->verifier;
    struct macro_expander *macro = &c->product.macro;
    c->errors++;
    if (!v->options->keep_going)
        stop_all(c);
    if (atomic_exchange(&c->team->recording, true)) /* by another worker: count this one */
        return;
    if (!verifier_wants(v, violation, last ? last->fault_transition : 0)) {
        atomic_store(&c->team->recording, false);
        return;
    }
    struct trail first = verifier_set_first_aside(v);
    bool cyclic = violation == VIOLATION_ACCEPTANCE || violation == VIOLATION_PROGRESS;
    bool was_over = macro->over;
    struct writing w = {
        .cycles = c, .vector = malloc(VECTOR_BYTES), .key = malloc(STORE_ROOM * sizeof *w.key)};
    macro->unhurried = true;
    bool ready = product_arena_init(&w.arena) && w.vector && w.key;
    bool whole = ready && write_stack(&w, cyclic ? last : NULL);
    if (whole) {
        if (last)
            product_trail_add(&c->arena, last, &v->trail);
        v->trail.violation = violation;
        v->trail.fault = last ? last->fault : 0;
        v->trail.fault_transition = last ? last->fault_transition : 0;
        if (!cyclic)
            v->trail.cycle = v->trail.count;
    } else {
        trail_free(&v->trail);
        v->trail.preemptions = -1;
        cycles_halt(c, ready && macro->over ? "interrupted" : "memory");
    }
    if (v->trail.violation != VIOLATION_NONE && c->product.bound >= 0)
        v->trail.preemptions = c->product.bound; /* none was found with fewer */
    verifier_keep_trail(v, first);
    atomic_store(&c->team->recording, false);
    macro->over = was_over;
    macro->unhurried = false;
    product_arena_free(&w.arena);
    free(w.vector);
    free(w.key);
}
