/* Search with a never claim: what the claim forbids, and acceptance cycles. See product.h for
 * the states.
 *
 * Cycles through an accepting state are found by nested depth-first search in the version of
 * Schwoon and Esparza (TACAS'05): a state on the stack is cyan; a red search from an accepting
 * state that is left looks for a cyan one. Where the claim's automaton says so (claim_parts.h)
 * there is no red search, or it stays within a part.
 *
 * The successors of a state are looked up when it is entered, all of them. Those on the stack
 * are so now: what is on it below a state does not change while the state is. So a cycle is
 * seen at once, and only those that are new then are kept to be tried (trials.h).
 *
 * What is looked for within a bound on preemptions is a run, finite or infinite, with at most
 * that many in all; on its cycle there are none.
 *
 * Reduction (safe_states.h) expands one process alone only if none of its successors is on the
 * stack, so that some state of every cycle is expanded in full; the inner search expands each
 * state as the outer one did (Holzmann, Peled, Yannakakis, SPIN'96).
 *
 * With fairness there are copies of a state: it is stored once, with its colours in each.
 *
 * Where the model has C of its own, what it did can't be done again, and there may be memory
 * behind a vector that is not stored: the successors of all frames stay in the arena then. So
 * they do where there are hashes and no store (--store compact, bitstate): those that are still
 * to be tried, and the number of a state is that of the step that leads there.
 *
 * Invariant: the successors of the frame number `expanded` lie in the arena, with their keys.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/must.h"
#include "promela/automata/claim_parts.h"
#include "promela/search/cycle_colours.h"
#include "promela/search/labels.h"
#include "promela/search/levels.h"
#include "promela/search/product.h"
#include "promela/search/retrace.h"
#include "promela/search/trials.h"
#include "promela/store/hashed_colours.h"
#include "promela/store/store.h"
#include "promela/verifier/pace.h"

#define SIMPLE        3  /* --bound auto: beyond so many preemptions, all at once */
#define FEW_COPIES    6u /* of a state: room for them at first */
#define KEYS_RESERVED ((size_t)1 << 34)
#define NO_STEP       0xffffffffu

/* What the workers share. */
struct cycles_team {
    struct verifier *verifier;
    struct crew crew;
    struct store *store; /* with the colours of each copy of a state */
    uint32_t copies;     /* for which there is room */
    int jobs;
    struct cycles *workers;
    atomic_bool stop;
    atomic_uint wanted;    /* copies of a state, more than there is room for */
    atomic_bool recording; /* a failure is being written down */
    pthread_mutex_t lock;  /* of the verifier's results. Never held where tables may grow */
};

/* A state that the inner search of one of several workers has met. */
struct met_state {
    uint32_t number, copy;
    bool accepting;
};

/* One worker. */
struct cycles {
    struct cycles_team *team;
    struct verifier *verifier;
    struct product product;
    struct claim_parts parts;
    struct store *store;
    struct colours colours;        /* of each copy of a stored state */
    struct hashed_colours *hashed; /* … or NULL, and these instead */
    struct fingerprint initial;    /* … */
    const struct shape *initial_shape;
    uint64_t met; /* … states */
    struct store_writer *writer;
    struct trials trials;
    struct product_arena arena;
    uint64_t *keys; /* of what was expanded last; reserved: pages come as they are touched */
    size_t keys_size;
    uint32_t keys_at;
    uint8_t *now; /* the state of the top frame, while it is being expanded, and its key */
    uint64_t *key;
    const struct shape *shape;
    uint32_t expanded;     /* its frame; 0: none */
    bool keeps;            /* what was expanded before is in the arena, too */
    bool inner;            /* the inner search goes on */
    struct growing passed; /* by it, with several workers: struct met_state */
    uint32_t blue_depth;   /* frames below belong to the outer search when the inner runs */
    uint64_t pushed, deepest, transitions, errors;
    atomic_size_t bytes; /* of the stack; read by the others */
    struct pace pace;
};

static bool is_stopped(const struct cycles *c)
{
    return atomic_load_explicit(&c->team->stop, memory_order_relaxed);
}

static void stop_all(struct cycles *c)
{
    atomic_store(&c->team->stop, true);
}

static void halt_cycles(struct cycles *c, const char *why)
{
    pthread_mutex_lock(&c->team->lock);
    verifier_truncate(c->verifier, why);
    pthread_mutex_unlock(&c->team->lock);
    stop_all(c);
}

static size_t used_bytes(struct cycles *c)
{
    size_t stacks = 0;
    atomic_store(&c->bytes, trials_bytes(&c->trials) + product_arena_bytes(&c->arena) +
                                (size_t)c->keys_at * sizeof *c->keys +
                                (size_t)c->passed.room * sizeof(struct met_state));
    for (int i = 0; i < c->team->jobs; i++)
        stacks += atomic_load(&c->team->workers[i].bytes);
    return c->hashed ? hashed_colours_bytes(c->hashed) + stacks
                     : store_bytes_with(c->store, stacks);
}

static bool is_full(const struct cycles *c)
{
    return c->hashed ? hashed_colours_full(c->hashed) : store_full(c->store);
}

static uint64_t count_states(const struct cycles *c)
{
    return c->hashed ? c->met : store_count(c->store);
}

/* Only the first worker shows how far the search is. */
static void check_limits(struct cycles *c)
{
    struct verifier *v = c->verifier;
    size_t used = used_bytes(c);
    if (used > v->options->memory || is_full(c) || c->product.failed)
        halt_cycles(c, "memory limit");
    if (macro_ends_search(&c->product.macro, c->pushed))
        halt_cycles(c, c->product.macro.cut_by);
    if (c != c->team->workers) {
        const char *by = verifier_is_over(v);
        if (by)
            halt_cycles(c, by);
        return;
    }
    v->bytes = used > v->bytes ? used : v->bytes;
    if (verifier_must_stop(v, count_states(c)))
        stop_all(c);
}

/* --- parts of the claim --- */

static bool stays_in_part(const struct cycles *c, const uint8_t *from, const uint8_t *to)
{
    int offset = c->verifier->model->claim_offset;
    return !c->parts.part || c->parts.part[product_field(from, offset)] ==
                                 c->parts.part[product_field(to, offset)];
}

/* An accepting state, when it is left. */
static bool needs_inner_search(const struct cycles *c, const uint8_t *vector)
{
    int offset = c->verifier->model->claim_offset;
    return c->product.fair || !c->parts.part ||
           !c->parts.uniform[c->parts.part[product_field(vector, offset)]];
}

/* --- colours --- */

/* Of the state that a step leads to, as look_up() left it there. */
static struct fingerprint print_of_step(const struct product_step *s)
{
    return (struct fingerprint){s->hash, (uint64_t)s->number << 32 | s->key};
}

static struct fingerprint print_of(const struct cycles *c, uint32_t number)
{
    return number == NO_STEP ? c->initial : print_of_step(product_step_at(&c->arena, number));
}

static uint32_t number_of(const struct cycles *c, uint32_t step)
{
    return c->hashed ? step : product_step_at(&c->arena, step)->number;
}

static bool is_target(const struct cycles *c, const struct trials_frame *f,
                      const struct product_step *target)
{
    if (f->copy != target->copy)
        return false;
    if (!c->hashed)
        return f->number == target->number;
    struct fingerprint a = print_of(c, f->number), b = print_of_step(target);
    return a.first == b.first && a.second == b.second;
}

static uint32_t hashed_colours_of(const struct cycles *c, uint32_t number, uint32_t copy)
{
    struct fingerprint print = print_of(c, number);
    uint32_t colours = hashed_on_stack(c->hashed, print, copy) ? CYAN : 0;
    if (colours == 0 && hashed_has(c->hashed, print, copy, HASHED_OUTER))
        colours = BLUE;
    if (c->inner && hashed_has(c->hashed, print, copy, HASHED_INNER))
        colours |= RED;
    if (c->verifier->por && hashed_has(c->hashed, print, copy, HASHED_FULL))
        colours |= EXPANDED_FULL;
    return colours;
}

static void repaint_hashed(struct cycles *c, uint32_t number, uint32_t copy, uint32_t old,
                           uint32_t colours)
{
    struct fingerprint print = print_of(c, number);
    if (colours & CYAN) {
        bool fresh = hashed_paint(c->hashed, print, copy, HASHED_OUTER);
        c->met += c->product.fair ? hashed_meet(c->hashed, print) : fresh;
        if (!hashed_push(c->hashed, print, copy))
            halt_cycles(c, "memory");
    }
    if (colours & RED)
        hashed_paint(c->hashed, print, copy, HASHED_INNER);
    if (old & CYAN)
        hashed_pop(c->hashed);
}

static uint32_t colours_of(const struct cycles *c, uint32_t number, uint32_t copy)
{
    return c->hashed ? hashed_colours_of(c, number, copy)
                     : colours_get(&c->colours, number, copy);
}

/* Some colours go, others come. */
static void repaint_state(struct cycles *c, uint32_t number, uint32_t copy, uint32_t old,
                          uint32_t colours)
{
    if (c->hashed)
        repaint_hashed(c, number, copy, old, colours);
    else
        colours_change(&c->colours, number, copy, old, colours);
}

static void paint_state(struct cycles *c, uint32_t number, uint32_t copy, uint32_t colours)
{
    repaint_state(c, number, copy, 0, colours);
}

/* See colours_expand_full() and colours_leave(). */
static bool mark_full(struct cycles *c, uint32_t number, uint32_t copy)
{
    if (!c->hashed)
        return colours_expand_full(&c->colours, number, copy);
    hashed_paint(c->hashed, print_of(c, number), copy, HASHED_FULL);
    return true;
}

static bool may_leave(const struct cycles *c, uint32_t number, uint32_t copy)
{
    return c->hashed ||
           colours_leave(&c->colours, number, copy, colours_of(c, number, copy) & WHOLE);
}

/* --- the state where the search is --- */

static size_t vector_bytes(const struct cycles *c, const struct shape *shape)
{
    return (((size_t)shape->size + 7) & ~(size_t)7) + (size_t)c->verifier->model->c_tail;
}

/* The successors of the top frame lie in the arena, with their keys. */
static bool is_near(const struct cycles *c)
{
    return c->expanded == trials_depth(&c->trials);
}

/* To a state that the top frame leads to, or that it is: from the arena if it is there, else
 * from the store. */
static void go_to(struct cycles *c, uint32_t number, uint32_t step, bool near)
{
    const struct product_step *s =
        step != NO_STEP && (near || c->keeps) ? product_step_at(&c->arena, step) : NULL;
    if (c->hashed) {
        c->shape = s ? s->shape : c->initial_shape;
    } else if (near) {
        c->shape = s->shape;
        memcpy(c->key, c->keys + s->key, store_key_words(s->shape->size) * sizeof *c->key);
    } else
        c->shape = stored_state(c->verifier, c->store, number, c->now, c->key);
    if (s || c->keeps)
        memcpy(c->now, product_vector(&c->arena, s ? s->at : 0), vector_bytes(c, c->shape));
}

/* --- successors --- */

static struct store_root make_key(struct cycles *c, struct product_step *s)
{
    s->key = c->keys_at;
    struct store_root root =
        store_key(c->writer, product_vector(&c->arena, s->at), s->shape->size, c->now,
                  c->shape->size, c->key, c->keys + s->key);
    s->hash = root.hash;
    c->keys_at += store_key_words(s->shape->size);
    if ((size_t)c->keys_at * sizeof *c->keys > c->keys_size / 2) {
        c->keys_at = s->key;
        c->product.failed = true;
    }
    return root;
}

static struct store_root key_of(const struct cycles *c, const struct product_step *s)
{
    return (struct store_root){s->hash, c->keys + s->key};
}

static void hash_successors(struct cycles *c, uint32_t first)
{
    for (uint32_t i = first; i < c->arena.steps.count; i++) {
        struct product_step *s = product_step_at(&c->arena, i);
        struct fingerprint print =
            fingerprint(product_vector(&c->arena, s->at), s->shape->size);
        s->hash = print.first;
        s->key = (uint32_t)print.second;
        s->number = (uint32_t)(print.second >> 32);
    }
    if (c->product.failed || is_full(c))
        halt_cycles(c, "memory limit");
}

/* The numbers of all successors from `first` on; slots, then records are fetched before they
 * are needed. */
static void look_up(struct cycles *c, uint32_t first)
{
    struct product_step *s = product_step_at(&c->arena, 0);
    uint32_t end = c->arena.steps.count;
    c->keys_at = 0;
    if (c->hashed) {
        hash_successors(c, first);
        return;
    }
    for (uint32_t i = first; i < end && !c->product.failed; i++)
        if (s[i].fault == 0)
            store_prefetch(c->store, make_key(c, &s[i]));
    for (uint32_t i = first; i < end && !c->product.failed; i++)
        if (s[i].fault == 0)
            store_prefetch_record(c->store, key_of(c, &s[i]));
    for (uint32_t i = first; i < end && !c->product.failed && !store_full(c->store); i++) {
        if (s[i].fault != 0)
            continue;
        store_add(c->writer, key_of(c, &s[i]), &s[i].number);
        uint32_t copies = product_copies(&c->product, s[i].shape);
        if (copies > c->team->copies) {
            atomic_store(&c->team->wanted, copies);
            stop_all(c);
        }
    }
    if (store_full(c->store) || c->product.failed)
        halt_cycles(c, "memory limit");
}

/* The successors of the top frame, where the search is: those that stand for all, or all. */
static void generate_successors(struct cycles *c, bool all)
{
    const struct trials_frame *f = trials_top(&c->trials);
    c->arena.steps.count = f->mark[0];
    c->arena.paths.count = f->mark[1];
    c->arena.pool_at = f->mark[2];
    product_generate(&c->product, c->now, c->shape, f->copy, all);
    look_up(c, f->mark[0]);
    c->expanded = trials_depth(&c->trials);
}

static bool was_expanded_in_full(const struct cycles *c, const struct trials_frame *f)
{
    return !c->verifier->por || (colours_of(c, f->number, f->copy) & EXPANDED_FULL);
}

/* Does one of the successors lead back to the stack? */
static bool closes_cycle(const struct cycles *c)
{
    for (uint32_t i = trials_top(&c->trials)->mark[0]; i < c->arena.steps.count; i++) {
        const struct product_step *s = product_step_at(&c->arena, i);
        if (s->fault == 0 && (colours_of(c, number_of(c, i), s->copy) & CYAN))
            return true;
    }
    return false;
}

/* --- the stack --- */

/* While the inner search goes on, what waits may be for either. */
static bool is_open(void *context, uint32_t number, uint32_t copy)
{
    const struct cycles *c = context;
    return !(colours_of(c, number, copy) & (c->inner ? CYAN | PINK | RED : CYAN | BLUE));
}

/* A frame for the state where the search is. */
static void push_frame(struct cycles *c, struct trial t, bool inner)
{
    struct trials_frame f = {
        .number = t.number, .copy = t.copy, .step = t.step, .inner = inner};
    if (c->keeps) {
        f.mark[0] = c->arena.steps.count;
        f.mark[1] = c->arena.paths.count;
        f.mark[2] = c->arena.pool_at;
    }
    if (!trials_push(&c->trials, f)) {
        halt_cycles(c, "memory");
        return;
    }
    if (trials_depth(&c->trials) - 1 > c->deepest)
        c->deepest = trials_depth(&c->trials) - 1;
    if (pace_is_due(&c->pace, ++c->pushed))
        check_limits(c);
}

static void pop_frame(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    c->arena.steps.count = f->mark[0];
    c->arena.paths.count = f->mark[1];
    c->arena.pool_at = f->mark[2];
    c->expanded = 0;
    trials_pop(&c->trials);
}

static void keep_to_try(struct cycles *c, uint32_t step)
{
    const struct product_step *s = product_step_at(&c->arena, step);
    if (!trials_add(&c->trials, (struct trial){number_of(c, step), s->copy, step}))
        halt_cycles(c, "memory");
}

/* Of the successors of the top frame only those stay in the arena that are to be tried. (Their
 * paths stay all: steps may share one.) */
static void drop_known(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    struct trial *trial = c->trials.top.waiting.data;
    uint32_t to = f->mark[0], pool_at = f->mark[2];
    for (uint32_t i = f->first; i < f->end; i++) {
        struct product_step *s = product_step_at(&c->arena, to);
        *s = *product_step_at(&c->arena, trial[i].step);
        uint32_t words = (uint32_t)(vector_bytes(c, s->shape) / 8);
        memmove(product_vector(&c->arena, pool_at), product_vector(&c->arena, s->at),
                (size_t)words * 8);
        s->at = pool_at;
        pool_at += words;
        trial[i].number = trial[i].step = to++;
    }
    c->arena.steps.count = to;
    c->arena.pool_at = pool_at;
}

/* --- failures --- */

/* A path as it is written down. */
struct writing {
    struct cycles *cycles;
    struct product_arena arena; /* for the successors of a state that is left behind */
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
    product_generate(&c->product, w->vector, shape, from->copy, was_expanded_in_full(c, from));
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

/* All steps of the stack; where it comes to `target`, a frame of the outer search, the cycle
 * begins. False: not all could be found again. */
static bool write_stack(struct writing *w, const struct product_step *target)
{
    struct cycles *c = w->cycles;
    struct trail *trail = &c->verifier->trail;
    struct trials_walk walk = trials_walk(&c->trials);
    const struct trials_frame *next = trials_walk_on(&walk);
    bool whole = next;
    for (uint32_t i = 1; whole; i++) {
        struct trials_frame f = *next;
        if (target && i <= c->blue_depth && is_target(c, &f, target))
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

/* What the stack leads to, by another step unless it is NULL. The time may be up: what was
 * found is shown. */
static void record_failure(struct cycles *c, enum violation violation,
                           const struct product_step *last)
{
    struct verifier *v = c->verifier;
    struct macro_expander *macro = &c->product.macro;
    c->errors++;
    if (!v->options->keep_going)
        stop_all(c);
    if (atomic_exchange(&c->team->recording, true)) /* another worker's: this one is counted */
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
        halt_cycles(c, ready && macro->over ? "interrupted" : "memory");
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

/* --- the two searches --- */

/* True: a cycle was found. */
static bool red_expand(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    uint32_t first = f->mark[0];
    bool several = c->team->jobs > 1;
    if (several && c->verifier->por && !(colours_of(c, f->number, f->copy) & BLUE))
        colours_expand_full(&c->colours, f->number, f->copy); /* it is on another stack */
    generate_successors(c, was_expanded_in_full(c, f));
    for (uint32_t i = first; i < c->arena.steps.count && !is_stopped(c); i++) {
        const struct product_step *s = product_step_at(&c->arena, i);
        if (s->fault != 0 || !stays_in_part(c, c->now, product_vector(&c->arena, s->at)))
            continue;
        uint32_t colour = colours_of(c, number_of(c, i), s->copy);
        c->transitions++;
        if (colour & CYAN) {
            record_failure(c, product_cycle_kind(&c->product), s);
            return true;
        }
        if ((several || (colour & BLUE)) && !(colour & (RED | PINK)))
            keep_to_try(c, i);
    }
    if (c->hashed)
        drop_known(c);
    return false;
}

/* One worker knows that no cycle goes through this state. Of several each knows so when it has
 * waited for the others. */
static void meet_state(struct cycles *c, uint32_t number, uint32_t copy)
{
    if (c->team->jobs == 1) {
        paint_state(c, number, copy, RED);
        return;
    }
    struct met_state *met = growing_add(&c->passed, sizeof *met, 1);
    if (!met) {
        halt_cycles(c, "memory");
        return;
    }
    *met = (struct met_state){number, copy, false};
    paint_state(c, number, copy, PINK);
}

/* The inner search has met all that the accepting state leads to, but what it passed may be on
 * the stack of another worker: other accepting states there are red when that worker has looked
 * for their cycles. */
static void wait_for_others(struct cycles *c, uint32_t number, uint32_t copy)
{
    const struct met_state *met = c->passed.data;
    for (uint32_t i = 0; i < c->passed.count; i++) {
        bool itself = met[i].number == number && met[i].copy == copy;
        while (met[i].accepting && !itself && !is_stopped(c) &&
               !(colours_of(c, met[i].number, met[i].copy) & RED)) {
            crew_poll(&c->team->crew);
            sched_yield();
            if (pace_is_due(&c->pace, ++c->pushed))
                check_limits(c);
        }
    }
    for (uint32_t i = 0; i < c->passed.count && !is_stopped(c); i++)
        repaint_state(c, met[i].number, met[i].copy, PINK, RED);
    c->passed.count = 0;
}

/* From the accepting state of the top frame, which has been left by the outer search. */
static void red_search(struct cycles *c)
{
    uint32_t bottom = trials_depth(&c->trials);
    const struct trials_frame *f = trials_top(&c->trials);
    go_to(c, f->number, f->step, false);
    bool found = red_expand(c);
    while (!is_stopped(c)) {
        crew_poll(&c->team->crew);
        const struct trial *next = found ? NULL : trials_next(&c->trials);
        if (!next) { /* one report per accepting state */
            if (trials_depth(&c->trials) == bottom)
                return;
            pop_frame(c);
        } else if (is_open(c, next->number, next->copy)) {
            struct trial t = *next;
            go_to(c, t.number, t.step, is_near(c));
            meet_state(c, t.number, t.copy);
            if (c->passed.count > 0)
                ((struct met_state *)c->passed.data)[c->passed.count - 1].accepting =
                    product_accepts(&c->product, c->now, c->shape, t.copy);
            push_frame(c, t, false);
            found = !is_stopped(c) && red_expand(c);
        }
    }
}

/* Successor number `at` of `count` in the order of this worker. The first takes them as they
 * come, the others otherwise, so that they meet other states. */
static uint32_t in_order(const struct cycles *c, uint32_t at, uint32_t count)
{
    uint32_t worker = (uint32_t)c->colours.worker;
    return worker & 1 ? count - 1 - (at + worker / 2) % count : (at + worker / 2) % count;
}

/* What is on the stack of another worker comes last: it may be left when its turn comes. */
static void keep_open(struct cycles *c)
{
    uint32_t first = trials_top(&c->trials)->mark[0], count = c->arena.steps.count - first;
    bool several = c->team->jobs > 1;
    for (uint32_t elsewhere = 0; elsewhere <= several; elsewhere++)
        for (uint32_t at = 0; at < count && !is_stopped(c); at++) {
            uint32_t i = first + in_order(c, at, count);
            const struct product_step *s = product_step_at(&c->arena, i);
            if (s->fault == 0 && !(colours_of(c, number_of(c, i), s->copy) & (CYAN | BLUE)) &&
                (!several || elsewhere == colours_elsewhere(&c->colours, s->number, s->copy)))
                keep_to_try(c, i);
        }
}

/* Faults and cycles among the successors of the top frame; those that are open wait. */
static void look_at_successors(struct cycles *c, bool accepting)
{
    const struct trials_frame *f = trials_top(&c->trials);
    for (uint32_t i = f->mark[0]; i < c->arena.steps.count && !is_stopped(c); i++) {
        const struct product_step *s = product_step_at(&c->arena, i);
        if (s->fault != 0) {
            record_failure(c, s->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT, s);
            continue;
        }
        c->transitions++;
        if ((colours_of(c, number_of(c, i), s->copy) & CYAN) &&
            (accepting || product_accepts(&c->product, product_vector(&c->arena, s->at),
                                          s->shape, s->copy))) {
            c->blue_depth = trials_depth(&c->trials);
            record_failure(c, product_cycle_kind(&c->product), s);
        }
    }
    keep_open(c);
    if (c->hashed)
        drop_known(c);
}

/* Whether a state is expanded in full is decided here, and kept. */
static void blue_expand(struct cycles *c, bool accepting)
{
    struct trials_frame *f = trials_top(&c->trials);
    bool all = was_expanded_in_full(c, f);
    generate_successors(c, all);
    if (c->product.reduced && !is_stopped(c) && closes_cycle(c) &&
        mark_full(c, f->number, f->copy)) {
        all = true;
        generate_successors(c, true);
    }
    if (all && c->team->jobs > 1)
        paint_state(c, f->number, f->copy, WHOLE);
    look_at_successors(c, accepting);
}

/* The outer search comes to the state where it is now. */
static void blue_enter(struct cycles *c, struct trial t)
{
    bool accepting = product_accepts(&c->product, c->now, c->shape, t.copy);
    paint_state(c, t.number, t.copy, CYAN);
    push_frame(c, t, accepting && needs_inner_search(c, c->now));
    if (!is_stopped(c) && product_claim_ended(&c->product, c->now))
        record_failure(c, VIOLATION_CLAIM, NULL);
    if (!is_stopped(c))
        blue_expand(c, accepting);
}

/* Another worker has meanwhile found that the top frame's state must be expanded in full. */
static void expand_rest(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    go_to(c, f->number, f->step, false);
    paint_state(c, f->number, f->copy, WHOLE);
    generate_successors(c, true);
    look_at_successors(c, product_accepts(&c->product, c->now, c->shape, f->copy));
}

static void blue_leave(struct cycles *c)
{
    const struct trials_frame *f = trials_top(&c->trials);
    uint32_t number = f->number, copy = f->copy;
    bool inner = f->inner;
    if (!may_leave(c, number, copy)) {
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
        paint_state(c, number, copy, RED);
    }
    repaint_state(c, number, copy, CYAN | WHOLE, 0);
    pop_frame(c);
}

static void blue_search(struct cycles *c)
{
    while (trials_depth(&c->trials) > 0 && !is_stopped(c)) {
        crew_poll(&c->team->crew);
        const struct trial *next = trials_next(&c->trials);
        if (!next)
            blue_leave(c);
        else if (is_open(c, next->number, next->copy)) {
            struct trial t = *next;
            go_to(c, t.number, t.step, is_near(c));
            blue_enter(c, t);
        }
    }
}

/* Where visited states are kept. False: no memory. */
static bool create_store(struct cycles *c, const struct model_options *options, int number)
{
    bool bits = options->store == STORE_BITSTATE;
    if (options->store != STORE_EXACT) {
        c->hashed = hashed_colours_create(bits, bits ? options->bit_memory : options->memory);
        return c->hashed;
    }
    c->store = c->team->store;
    c->colours = colours_open(c->store, c->team->jobs, number);
    c->writer = store_writer(c->store, number);
    return c->writer;
}

static bool worker_init(struct cycles_team *team, int number, int bound)
{
    struct cycles *c = &team->workers[number];
    struct verifier *v = team->verifier;
    c->team = team;
    c->verifier = v;
    c->keeps = v->model->uses_c || v->options->store != STORE_EXACT;
    bool stored = create_store(c, v->options, number);
    c->keys_size = KEYS_RESERVED;
    c->keys = reserve_space(&c->keys_size);
    c->now = malloc(VECTOR_BYTES + (size_t)v->model->c_tail);
    c->key = malloc(STORE_ROOM * sizeof *c->key);
    c->trials.folds = !c->keeps;
    c->trials.is_open = is_open;
    c->trials.context = c;
    c->trials.copies = team->copies > 1;
    bool ready = product_init(&c->product, v, bound, true) && stored && c->keys && c->now &&
                 c->key && product_arena_init(&c->arena) &&
                 claim_parts_find(&c->parts, v->model->claim);
    c->product.part = c->parts.part;
    return ready;
}

static bool team_begin(struct cycles_team *team, struct verifier *v, int bound, uint32_t copies)
{
    bool exact = v->options->store == STORE_EXACT, alone = v->model->uses_c || !exact;
    *team = (struct cycles_team){
        .verifier = v, .copies = copies, .jobs = alone ? 1 : verifier_jobs(v)};
    crew_init(&team->crew, team->jobs);
    pthread_mutex_init(&team->lock, NULL);
    if (exact)
        team->store = colours_store(v->options->memory, &team->crew, team->jobs, copies);
    team->workers = calloc((size_t)team->jobs, sizeof *team->workers);
    bool ready = (team->store || !exact) && team->workers;
    for (int i = 0; ready && i < team->jobs; i++)
        ready = worker_init(team, i, bound);
    return ready;
}

static void worker_free(struct cycles *c)
{
    hashed_colours_free(c->hashed);
    product_free(&c->product);
    claim_parts_free(&c->parts);
    trials_free(&c->trials);
    product_arena_free(&c->arena);
    free(c->passed.data);
    if (c->keys)
        munmap(c->keys, c->keys_size);
    free(c->now);
    free(c->key);
}

static void team_end(struct cycles_team *team)
{
    for (int i = 0; team->workers && i < team->jobs; i++)
        worker_free(&team->workers[i]);
    free(team->workers);
    store_free(team->store);
    crew_free(&team->crew);
    pthread_mutex_destroy(&team->lock);
}

static void start_search(struct cycles *c)
{
    struct trial t = {.step = NO_STEP};
    c->product.to = &c->arena;
    c->shape = product_start(&c->product);
    memcpy(c->now, c->arena.pool, vector_bytes(c, c->shape));
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
        halt_cycles(c, "memory limit");
    else
        blue_enter(c, t);
}

static void run_worker(void *context, int number)
{
    struct cycles_team *team = context;
    struct cycles *c = &team->workers[number];
    start_search(c);
    blue_search(c);
    check_limits(c);
}

static void sum_up(const struct cycles_team *team, bool *pruned)
{
    struct verifier *v = team->verifier;
    for (int i = 0; i < team->jobs; i++) {
        const struct cycles *c = &team->workers[i];
        if (c->product.macro.cut_by)
            verifier_truncate(v, c->product.macro.cut_by);
        v->transitions_seen += c->transitions;
        v->errors += c->errors;
        v->depth = c->deepest > v->depth ? c->deepest : v->depth;
        *pruned |= c->product.pruned;
    }
    const struct cycles *first = &team->workers[0];
    v->states = count_states(first);
    v->approximate = first->hashed;
    v->missed = first->hashed ? hashed_colours_missed(first->hashed) : 0;
}

/* With room for so many copies of a state; returns how many are wanted then, or 0. *pruned:
 * something lies beyond the bound (-1: none). */
static uint32_t search_with(struct verifier *v, int bound, uint32_t copies, bool *pruned)
{
    struct cycles_team team;
    uint32_t wanted = 0;
    v->transitions_seen = 0;
    *pruned = false;
    v->shared = v->options->store == STORE_EXACT;
    if (team_begin(&team, v, bound, copies)) {
        v->crew = &team.crew;
        if (!crew_run(&team.crew, run_worker, &team))
            verifier_truncate(v, "memory");
        v->crew = NULL;
        sum_up(&team, pruned);
        wanted = atomic_load(&team.wanted);
    } else
        verifier_truncate(v, "memory");
    team_end(&team);
    return wanted;
}

/* True: something lies beyond the bound. The number of processes is not known in advance: if
 * there are more than there is room for, the search starts again with room for as many as were
 * met; the next time with twice as much. */
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
    for (int bound = 0; last < 0 || bound <= last; bound++) {
        v->errors = 0; /* those with fewer preemptions are found again */
        v->bound_pruned = search_once(v, bound);
        if (!level_go_on(v, bound, done, context))
            return;
        if (last == MODEL_BOUND_AUTO && bound == SIMPLE) { /* runs that go on need ever more */
            v->bound_pruned = false;
            search_once(v, -1);
            return;
        }
    }
}
