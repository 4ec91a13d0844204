/* Search with a never claim: what the claim forbids, and acceptance cycles. See product.h for
 * the states.
 *
 * Cycles through an accepting state are found by nested depth-first search, in the version of
 * Schwoon and Esparza (TACAS'05): a state on the stack is cyan; when the outer search leaves an
 * accepting state, a red (inner) search from there looks for a cyan one. Where the structure of
 * the claim's automaton allows it (claim_parts.h), there is no red search, or it stays within a
 * part.
 *
 * All successors of a state are looked up when the state is entered. The part of the stack
 * below a state does not change while the state is on it, so a cycle is noticed at once, and
 * only successors that are new at that moment have to be tried later (trials.h).
 *
 * With a bound on preemptions, the search looks for runs, finite or infinite, with at most that
 * many preemptions in all; so their cycles have none.
 *
 * Reduction (safe_states.h) expands one process alone only if none of its successors is on the
 * stack, so that some state of every cycle is expanded in full. The inner search expands each
 * state as the outer one did (Holzmann, Peled, Yannakakis, SPIN'96).
 *
 * With fairness there are several copies of a state: it is stored once, with the colours of
 * each copy. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "promela/search/cycles_inside.h"
#include "promela/search/levels.h"

#define SIMPLE     3  /* --bound auto: after this many preemptions, everything at once */
#define FEW_COPIES 6u /* room for copies of a state at first */

/* --- parts of the claim --- */

static bool stays_in_part(const struct cycles *c, const uint8_t *from, const uint8_t *to)
{
    int offset = c->verifier->model->claim_offset;
    return !c->parts.part || c->parts.part[product_field(from, offset)] ==
                                 c->parts.part[product_field(to, offset)];
}

/* Called when an accepting state is left. */
static bool needs_inner_search(const struct cycles *c, const uint8_t *vector)
{
    int offset = c->verifier->model->claim_offset;
    return c->product.fair || !c->parts.part ||
           !c->parts.uniform[c->parts.part[product_field(vector, offset)]];
}

/* --- the two searches --- */

/* True: a cycle was found. */
static bool red_expand(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    uint32_t first = f->mark[0];
    bool several = c->team->jobs > 1;
    if (several && c->verifier->por && !(cycles_colours(c, f->number, f->copy) & BLUE))
        colours_expand_full(&c->colours, f->number,
                            f->copy); /* another worker has it on its stack */
    cycles_generate(c, cycles_was_full(c, f));
    for (uint32_t i = first; i < c->arena.steps.count && !is_stopped(c); i++) {
        const struct product_step *s = product_step_at(&c->arena, i);
        if (s->fault != 0 || !stays_in_part(c, c->now, product_vector(&c->arena, s->at)))
            continue;
        uint32_t colour = cycles_colours(c, cycles_number(c, i), s->copy);
        c->transitions++;
        if (colour & CYAN) {
            cycles_record_failure(c, product_cycle_kind(&c->product), s);
            return true;
        }
        if ((several || (colour & BLUE)) && !(colour & (RED | PINK)))
            cycles_keep(c, i);
    }
    if (c->hashed)
        cycles_drop_known(c);
    return false;
}

/* With one worker, no cycle goes through this state. With several, that is known only after
 * waiting for the others. */
static void meet_state(struct cycles *c, uint32_t number, uint32_t copy)
{
    if (c->team->jobs == 1) {
        cycles_paint(c, number, copy, RED);
        return;
    }
    struct met_state *met = growing_add(&c->passed, sizeof *met, 1);
    if (!met) {
        cycles_halt(c, "memory");
        return;
    }
    *met = (struct met_state){number, copy, false};
    cycles_paint(c, number, copy, PINK);
}

/* The inner search has visited everything that the accepting state leads to. But other
 * accepting states on the way may be on the stack of another worker; they become red when that
 * worker has looked for their cycles. */
static void wait_for_others(struct cycles *c, uint32_t number, uint32_t copy)
{
    const struct met_state *met = c->passed.data;
    for (uint32_t i = 0; i < c->passed.count; i++) {
        bool itself = met[i].number == number && met[i].copy == copy;
        while (met[i].accepting && !itself && !is_stopped(c) &&
               !(cycles_colours(c, met[i].number, met[i].copy) & RED)) {
            crew_poll(&c->team->crew);
            sched_yield();
            if (pace_is_due(&c->pace, ++c->pushed))
                cycles_check_limits(c);
        }
    }
    for (uint32_t i = 0; i < c->passed.count && !is_stopped(c); i++)
        cycles_repaint(c, met[i].number, met[i].copy, PINK, RED);
    c->passed.count = 0;
}

/* From the accepting state of the top frame, which the outer search is leaving. */
static void red_search(struct cycles *c)
{
    uint32_t bottom = trials_depth(&c->trials);
    const struct trials_frame *f = trials_top(&c->trials);
    cycles_go_to(c, f->number, f->step, false);
    bool found = red_expand(c);
    while (!is_stopped(c)) {
        crew_poll(&c->team->crew);
        const struct trial *next = found ? NULL : trials_next(&c->trials);
        if (!next) { /* one report per accepting state */
            if (trials_depth(&c->trials) == bottom)
                return;
            cycles_pop(c);
        } else if (cycles_is_open(c, next->number, next->copy)) {
            struct trial t = *next;
            cycles_go_to(c, t.number, t.step, cycles_is_near(c));
            meet_state(c, t.number, t.copy);
            if (c->passed.count > 0)
                ((struct met_state *)c->passed.data)[c->passed.count - 1].accepting =
                    product_accepts(&c->product, c->now, c->shape, t.copy);
            cycles_push(c, t, false);
            found = !is_stopped(c) && red_expand(c);
        }
    }
}

/* The successor that this worker takes as number `at` of `count`. Workers use different orders,
 * so that they visit different states. */
static uint32_t in_order(const struct cycles *c, uint32_t at, uint32_t count)
{
    uint32_t worker = (uint32_t)c->colours.worker;
    return worker & 1 ? count - 1 - (at + worker / 2) % count : (at + worker / 2) % count;
}

/* Keeps the successors that must be tried. Those on the stack of another worker come last: by
 * then that worker may have left them. */
static void keep_open(struct cycles *c)
{
    uint32_t first = trials_top(&c->trials)->mark[0], count = c->arena.steps.count - first;
    bool several = c->team->jobs > 1;
    for (uint32_t elsewhere = 0; elsewhere <= several; elsewhere++)
        for (uint32_t at = 0; at < count && !is_stopped(c); at++) {
            uint32_t i = first + in_order(c, at, count);
            const struct product_step *s = product_step_at(&c->arena, i);
            if (s->fault == 0 &&
                !(cycles_colours(c, cycles_number(c, i), s->copy) & (CYAN | BLUE)) &&
                (!several || elsewhere == colours_elsewhere(&c->colours, s->number, s->copy)))
                cycles_keep(c, i);
        }
}

/* Reports faults and cycles among the successors of the top frame, and keeps those to be tried.
 */
static void look_at_successors(struct cycles *c, bool accepting)
{
    const struct trials_frame *f = trials_top(&c->trials);
    for (uint32_t i = f->mark[0]; i < c->arena.steps.count && !is_stopped(c); i++) {
        const struct product_step *s = product_step_at(&c->arena, i);
        if (s->fault != 0) {
            cycles_record_failure(
                c, s->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT, s);
            continue;
        }
        c->transitions++;
        if ((cycles_colours(c, cycles_number(c, i), s->copy) & CYAN) &&
            (accepting || product_accepts(&c->product, product_vector(&c->arena, s->at),
                                          s->shape, s->copy))) {
            c->blue_depth = trials_depth(&c->trials);
            cycles_record_failure(c, product_cycle_kind(&c->product), s);
        }
    }
    keep_open(c);
    if (c->hashed)
        cycles_drop_known(c);
}

/* Decides whether the state is expanded in full; the decision is kept. */
static void blue_expand(struct cycles *c, bool accepting)
{
    struct trials_frame *f = trials_top(&c->trials);
    bool all = cycles_was_full(c, f);
    cycles_generate(c, all);
    if (c->product.reduced && !is_stopped(c) && cycles_closes_one(c) &&
        cycles_expand_full(c, f->number, f->copy)) {
        all = true;
        cycles_generate(c, true);
    }
    if (all && c->team->jobs > 1)
        cycles_paint(c, f->number, f->copy, WHOLE);
    look_at_successors(c, accepting);
}

/* The outer search enters the current state. */
static void blue_enter(struct cycles *c, struct trial t)
{
    bool accepting = product_accepts(&c->product, c->now, c->shape, t.copy);
    cycles_paint(c, t.number, t.copy, CYAN);
    cycles_push(c, t, accepting && needs_inner_search(c, c->now));
    if (!is_stopped(c) && product_claim_ended(&c->product, c->now))
        cycles_record_failure(c, VIOLATION_CLAIM, NULL);
    if (!is_stopped(c))
        blue_expand(c, accepting);
}

/* Another worker has meanwhile found that the top frame's state must be expanded in full. */
static void expand_rest(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    cycles_go_to(c, f->number, f->step, false);
    cycles_paint(c, f->number, f->copy, WHOLE);
    cycles_generate(c, true);
    look_at_successors(c, product_accepts(&c->product, c->now, c->shape, f->copy));
}

static void blue_leave(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    uint32_t number = f->number, copy = f->copy;
    bool inner = f->inner;
    if (!cycles_may_leave(c, number, copy)) {
        expand_rest(c);
        return;
    }
    if (inner) {
        c->blue_depth = trials_depth(&c->trials);
        c->inner = true;
        red_search(c);
        c->inner = false;
        wait_for_others(c, number, copy);
        if (is_stopped(c))
            return;
        cycles_paint(c, number, copy, RED);
    }
    cycles_repaint(c, number, copy, CYAN | WHOLE, 0);
    cycles_pop(c);
}

static void blue_search(struct cycles *c)
{
    while (trials_depth(&c->trials) > 0 && !is_stopped(c)) {
        crew_poll(&c->team->crew);
        const struct trial *next = trials_next(&c->trials);
        if (!next)
            blue_leave(c);
        else if (cycles_is_open(c, next->number, next->copy)) {
            struct trial t = *next;
            cycles_go_to(c, t.number, t.step, cycles_is_near(c));
            blue_enter(c, t);
        }
    }
}

static void start_search(struct cycles *c)
{
    struct trial t = {.step = NO_STEP};
    c->product.to = &c->arena;
    c->shape = product_start(&c->product);
    memcpy(c->now, c->arena.pool, cycles_vector_bytes(c, c->shape));
    c->transitions += c == c->team->workers;
    if (c->hashed) {
        t.number = NO_STEP;
        c->initial = fingerprint(c->now, c->shape->size);
        c->initial_shape = c->shape;
        blue_enter(c, t);
        return;
    }
    struct store_root root =
        store_key(c->writer, c->now, c->shape->size, NULL, 0, NULL, c->key);
    store_add(c->writer, root, &t.number);
    if (store_full(c->store))
        cycles_halt(c, "memory limit");
    else
        blue_enter(c, t);
}

static void run_worker(void *context, int number)
{
    struct cycles_team *team = context;
    struct cycles *c = &team->workers[number];
    start_search(c);
    blue_search(c);
    cycles_check_limits(c);
}

/* Searches with room for `copies` copies of each state. Returns 0, or how many copies some
 * state needs. *pruned: something lies beyond the bound (-1: none). */
static uint32_t search_with(struct verifier *v, int bound, uint32_t copies, bool *pruned)
{
    struct cycles_team team;
    uint32_t wanted = 0;
    v->transitions_seen = 0;
    *pruned = false;
    v->shared = v->options->store == STORE_EXACT;
    if (cycles_team_begin(&team, v, bound, copies)) {
        v->crew = &team.crew;
        if (!crew_run(&team.crew, run_worker, &team))
            verifier_truncate(v, "memory");
        v->crew = NULL;
        cycles_sum_up(&team, pruned);
        wanted = atomic_load(&team.wanted);
    } else
        verifier_truncate(v, "memory");
    cycles_team_end(&team);
    return wanted;
}

/* True: something lies beyond the bound. The number of processes is not known in advance:
 * if there are more than there is room for, the search starts again with room for as many
 * as were met; the next time with twice as much. */
static bool search_once(struct verifier *v, int bound)
{
    bool pruned, had = v->trail.violation != VIOLATION_NONE;
    uint64_t errors = v->errors;
    int others = v->others;
    uint32_t copies = v->model->fair ? FEW_COPIES : 1, wanted;
    for (bool again = false; (wanted = search_with(v, bound, copies, &pruned)) > 0;
         again = true) {
        if (v->truncated)
            break;
        copies = again && wanted < 2 * copies ? 2 * copies : wanted;
        while (v->others > others)
            trail_free(&v->other[--v->others]);
        if (!had) {
            trail_free(&v->trail);
            v->trail.preemptions = -1;
        }
        v->errors = errors;
    }
    return pruned;
}

void search_cycles(struct verifier *v, level_done *done, void *context)
{
    int last = v->options->bound;
    if (last == MODEL_BOUND_NONE) {
        search_once(v, -1);
        return;
    }
    bool more =
        levels_search(v, last == MODEL_BOUND_AUTO ? SIMPLE : last, search_once, done, context);
    if (more && last == MODEL_BOUND_AUTO) { /* an endless run may need more and more */
        v->bound_pruned = false;
        search_once(v, -1);
    }
}
