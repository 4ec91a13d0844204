/* Tarjan's algorithm on the control states of a claim. See claim_parts.h. */
#include "promela/automata/claim_parts.h"

#include <stdlib.h>

struct visit {
    uint32_t index, low; /* 0: not met */
    uint32_t parent;     /* + 1 */
    int next;            /* of target_of() */
    bool open;           /* its part is not known yet */
};

struct finder {
    const struct automaton *automaton;
    struct claim_parts *parts;
    struct visit *visit;
    uint32_t *stack;
    uint32_t open, met, count;
};

/* Where a transition leads: number 2 * i, and 2 * i + 1 into the d_step that it is, which may
 * be left by a jump. -1: nowhere. */
static int target_of(const struct control_state *s, int number)
{
    const struct transition *t = &s->transitions[number / 2];
    return number % 2 == 0 ? t->target : t->kind == TRANSITION_DSTEP ? t->dstep_start : -1;
}

static void lower(uint32_t *low, uint32_t to)
{
    if (to < *low)
        *low = to;
}

/* All that is open from `root` on is a part. */
static void close_part(struct finder *f, uint32_t root)
{
    bool cyclic = f->stack[f->open - 1] != root, accepting = true;
    uint32_t state;
    do {
        state = f->stack[--f->open];
        const struct control_state *s = &f->automaton->states[state];
        f->visit[state].open = false;
        f->parts->part[state] = f->count;
        accepting &= s->accept;
        for (int i = 0; i < 2 * s->count; i++)
            cyclic |= target_of(s, i) == (int)state;
    } while (state != root);
    f->parts->uniform[f->count++] = accepting || !cyclic;
}

static void enter(struct finder *f, uint32_t state, uint32_t parent)
{
    f->visit[state] =
        (struct visit){.index = ++f->met, .low = f->met, .parent = parent, .open = true};
    f->stack[f->open++] = state;
}

static void search(struct finder *f, uint32_t start)
{
    enter(f, start, 0);
    for (uint32_t at = start + 1; at != 0;) {
        struct visit *v = &f->visit[at - 1];
        const struct control_state *s = &f->automaton->states[at - 1];
        int target = v->next < 2 * s->count ? target_of(s, v->next++) : -1;
        if (target >= 0 && f->visit[target].index == 0) {
            enter(f, (uint32_t)target, at);
            at = (uint32_t)target + 1;
        } else if (target >= 0) {
            if (f->visit[target].open)
                lower(&v->low, f->visit[target].index);
        } else if (v->next == 2 * s->count) {
            if (v->low == v->index)
                close_part(f, at - 1);
            if (v->parent != 0)
                lower(&f->visit[v->parent - 1].low, v->low);
            at = v->parent;
        }
    }
}

bool claim_parts_find(struct claim_parts *parts, const struct proctype *claim)
{
    *parts = (struct claim_parts){0};
    if (!claim)
        return true;
    size_t count = (size_t)claim->automaton->count;
    struct finder f = {.automaton = claim->automaton,
                       .parts = parts,
                       .visit = calloc(count, sizeof *f.visit),
                       .stack = calloc(count, sizeof *f.stack)};
    parts->part = calloc(count, sizeof *parts->part);
    parts->uniform = calloc(count, sizeof *parts->uniform);
    bool ready = f.visit && f.stack && parts->part && parts->uniform;
    for (uint32_t i = 0; ready && i < count; i++)
        if (f.visit[i].index == 0)
            search(&f, i);
    free(f.visit);
    free(f.stack);
    return ready;
}

void claim_parts_free(struct claim_parts *parts)
{
    free(parts->part);
    free(parts->uniform);
}
