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
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/must.h"
#include "promela/automata/claim_parts.h"
#include "promela/search/labels.h"
#include "promela/search/levels.h"
#include "promela/search/product.h"
#include "promela/search/retrace.h"
#include "promela/search/trials.h"
#include "promela/store/hashed_colours.h"
#include "promela/store/store.h"
#include "promela/verifier/pace.h"

#define CYAN          1u
#define BLUE          2u
#define RED           4u
#define EXPANDED_FULL 8u
#define SIMPLE        3  /* --bound auto: beyond so many preemptions, all at once */
#define COLOURS       4u /* bits */
#define FEW_COPIES    6u /* of a state: room for them at first */
#define KEYS_RESERVED ((size_t)1 << 34)
#define NO_STEP       0xffffffffu

struct cycles {
    struct verifier *verifier;
    struct product product;
    struct claim_parts parts;
    struct crew crew;
    struct store *store; /* with bits of our own: the colours of each copy of a state */
    struct hashed_colours *hashed; /* … or NULL, and these instead */
    struct fingerprint initial;    /* … */
    const struct shape *initial_shape;
    uint64_t met;    /* … states */
    uint32_t copies; /* for which there is room */
    struct store_writer *writer;
    struct trials trials;
    struct product_arena arena;
    uint64_t *keys; /* of what was expanded last; reserved: pages come as they are touched */
    size_t keys_size;
    uint32_t keys_at;
    uint8_t *now; /* the state of the top frame, while it is being expanded, and its key */
    uint64_t *key;
    const struct shape *shape;
    uint32_t expanded; /* its frame; 0: none */
    bool keeps;        /* what was expanded before is in the arena, too */
    bool stop;
    uint32_t wanted;     /* copies of a state, more than there is room for */
    bool inner;          /* the inner search goes on */
    uint32_t blue_depth; /* frames below belong to the outer search when the inner runs */
    uint64_t pushed;
    struct pace pace;
};

static void halt_cycles(struct cycles *c, const char *why)
{
    verifier_truncate(c->verifier, why);
    c->stop = true;
}

static bool is_full(const struct cycles *c)
{
    return c->hashed ? hashed_colours_full(c->hashed) : store_full(c->store);
}

static uint64_t count_states(const struct cycles *c)
{
    return c->hashed ? c->met : store_count(c->store);
}

static void check_limits(struct cycles *c)
{
    struct verifier *v = c->verifier;
    size_t stack = trials_bytes(&c->trials) + product_arena_bytes(&c->arena) +
                   (size_t)c->keys_at * sizeof *c->keys;
    size_t used =
        c->hashed ? hashed_colours_bytes(c->hashed) + stack : store_bytes_with(c->store, stack);
    v->bytes = used > v->bytes ? used : v->bytes;
    if (used > v->options->memory || is_full(c) || c->product.failed)
        halt_cycles(c, "memory limit");
    if (macro_ends_search(&c->product.macro, c->pushed))
        halt_cycles(c, c->product.macro.cut_by);
    if (verifier_must_stop(v, count_states(c)))
        c->stop = true;
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
                           uint32_t colour)
{
    struct fingerprint print = print_of(c, number);
    bool fresh;
    switch (colour) {
    case CYAN:
        fresh = hashed_paint(c->hashed, print, copy, HASHED_OUTER);
        c->met += c->product.fair ? hashed_meet(c->hashed, print) : fresh;
        if (!hashed_push(c->hashed, print, copy))
            halt_cycles(c, "memory");
        return;
    case RED:
        hashed_paint(c->hashed, print, copy, HASHED_INNER);
        return;
    case EXPANDED_FULL:
        hashed_paint(c->hashed, print, copy, HASHED_FULL);
        return;
    default: /* from cyan to blue */
        must(old == CYAN && colour == BLUE);
        hashed_pop(c->hashed);
    }
}

static uint32_t colours_of(const struct cycles *c, uint32_t number, uint32_t copy)
{
    if (c->hashed)
        return hashed_colours_of(c, number, copy);
    return store_bits(c->store, number, copy * COLOURS) & ((1u << COLOURS) - 1);
}

/* Some colours go, another comes. */
static void repaint_state(struct cycles *c, uint32_t number, uint32_t copy, uint32_t old,
                          uint32_t colour)
{
    if (c->hashed)
        repaint_hashed(c, number, copy, old, colour);
    else
        store_change_bits(c->store, number, copy * COLOURS, old, colour);
}

static void paint_state(struct cycles *c, uint32_t number, uint32_t copy, uint32_t colour)
{
    repaint_state(c, number, copy, 0, colour);
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
        if (product_copies(&c->product, s[i].shape) > c->copies)
            c->stop = (c->wanted = product_copies(&c->product, s[i].shape)) > 0;
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
    return !(colours_of(c, number, copy) & (c->inner ? CYAN | RED : CYAN | BLUE));
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
    if (trials_depth(&c->trials) - 1 > c->verifier->depth)
        c->verifier->depth = trials_depth(&c->trials) - 1;
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
    v->errors++;
    c->stop |= !v->options->keep_going;
    if (!verifier_wants(v, violation, last ? last->fault_transition : 0))
        return;
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
    uint32_t first = trials_top(&c->trials)->mark[0];
    generate_successors(c, was_expanded_in_full(c, trials_top(&c->trials)));
    for (uint32_t i = first; i < c->arena.steps.count && !c->stop; i++) {
        const struct product_step *s = product_step_at(&c->arena, i);
        if (s->fault != 0 || !stays_in_part(c, c->now, product_vector(&c->arena, s->at)))
            continue;
        uint32_t colour = colours_of(c, number_of(c, i), s->copy);
        c->verifier->transitions_seen++;
        if (colour & CYAN) {
            record_failure(c, product_cycle_kind(&c->product), s);
            return true;
        }
        if ((colour & BLUE) && !(colour & RED))
            keep_to_try(c, i);
    }
    if (c->hashed)
        drop_known(c);
    return false;
}

/* From the accepting state of the top frame, which has been left by the outer search. */
static void red_search(struct cycles *c)
{
    uint32_t bottom = trials_depth(&c->trials);
    const struct trials_frame *f = trials_top(&c->trials);
    go_to(c, f->number, f->step, false);
    bool found = red_expand(c);
    while (!c->stop) {
        const struct trial *next = found ? NULL : trials_next(&c->trials);
        if (!next) { /* one report per accepting state */
            if (trials_depth(&c->trials) == bottom)
                return;
            pop_frame(c);
        } else if (is_open(c, next->number, next->copy)) {
            struct trial t = *next;
            paint_state(c, t.number, t.copy, RED);
            go_to(c, t.number, t.step, is_near(c));
            push_frame(c, t, false);
            found = !c->stop && red_expand(c);
        }
    }
}

/* Whether a state is expanded in full is decided here, and kept. */
static void blue_expand(struct cycles *c, bool accepting)
{
    struct trials_frame *f = trials_top(&c->trials);
    bool all = !c->verifier->por;
    generate_successors(c, all);
    if (c->product.reduced && !c->stop && closes_cycle(c)) {
        paint_state(c, f->number, f->copy, EXPANDED_FULL);
        generate_successors(c, true);
    }
    for (uint32_t i = f->mark[0]; i < c->arena.steps.count && !c->stop; i++) {
        const struct product_step *s = product_step_at(&c->arena, i);
        if (s->fault != 0) {
            record_failure(c, s->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT, s);
            continue;
        }
        uint32_t colour = colours_of(c, number_of(c, i), s->copy);
        c->verifier->transitions_seen++;
        if (!(colour & (CYAN | BLUE)))
            keep_to_try(c, i);
        else if ((colour & CYAN) &&
                 (accepting || product_accepts(&c->product, product_vector(&c->arena, s->at),
                                               s->shape, s->copy))) {
            c->blue_depth = trials_depth(&c->trials);
            record_failure(c, product_cycle_kind(&c->product), s);
        }
    }
    if (c->hashed)
        drop_known(c);
}

/* The outer search comes to the state where it is now. */
static void blue_enter(struct cycles *c, struct trial t)
{
    bool accepting = product_accepts(&c->product, c->now, c->shape, t.copy);
    paint_state(c, t.number, t.copy, CYAN);
    push_frame(c, t, accepting && needs_inner_search(c, c->now));
    if (!c->stop && product_claim_ended(&c->product, c->now))
        record_failure(c, VIOLATION_CLAIM, NULL);
    if (!c->stop)
        blue_expand(c, accepting);
}

static void blue_leave(struct cycles *c)
{
    uint32_t number = trials_top(&c->trials)->number, copy = trials_top(&c->trials)->copy;
    if (trials_top(&c->trials)->inner) {
        c->blue_depth = trials_depth(&c->trials);
        c->inner = true;
        red_search(c);
        c->inner = false;
        if (c->stop)
            return;
        paint_state(c, number, copy, RED);
    }
    repaint_state(c, number, copy, CYAN, BLUE);
    pop_frame(c);
}

static void blue_search(struct cycles *c)
{
    while (trials_depth(&c->trials) > 0 && !c->stop) {
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
static bool create_store(struct cycles *c, const struct model_options *options)
{
    bool bits = options->store == STORE_BITSTATE;
    if (options->store != STORE_EXACT) {
        c->hashed = hashed_colours_create(bits, bits ? options->bit_memory : options->memory);
        return c->hashed;
    }
    c->store = store_create(options->memory, &c->crew, 0);
    if (c->store)
        store_keep_bits(c->store, c->copies * COLOURS);
    c->writer = c->store ? store_writer(c->store, 0) : NULL;
    return c->writer;
}

static bool cycles_init(struct cycles *c, struct verifier *v, int bound, uint32_t copies)
{
    c->verifier = v;
    c->keeps = v->model->uses_c || v->options->store != STORE_EXACT;
    crew_init(&c->crew, 1);
    c->copies = copies;
    bool stored = create_store(c, v->options);
    c->keys_size = KEYS_RESERVED;
    c->keys = reserve_space(&c->keys_size);
    c->now = malloc(VECTOR_BYTES + (size_t)v->model->c_tail);
    c->key = malloc(STORE_ROOM * sizeof *c->key);
    c->trials.folds = !c->keeps;
    c->trials.is_open = is_open;
    c->trials.context = c;
    c->trials.copies = copies > 1;
    bool ready = product_init(&c->product, v, bound, true) && stored && c->keys && c->now &&
                 c->key && product_arena_init(&c->arena) &&
                 claim_parts_find(&c->parts, v->model->claim);
    c->product.part = c->parts.part;
    return ready;
}

static void cycles_free(struct cycles *c)
{
    store_free(c->store);
    hashed_colours_free(c->hashed);
    product_free(&c->product);
    claim_parts_free(&c->parts);
    crew_free(&c->crew);
    trials_free(&c->trials);
    product_arena_free(&c->arena);
    if (c->keys)
        munmap(c->keys, c->keys_size);
    free(c->now);
    free(c->key);
    free(c);
}

static void start_search(struct cycles *c)
{
    struct trial t = {.step = NO_STEP};
    c->product.to = &c->arena;
    c->shape = product_start(&c->product);
    memcpy(c->now, c->arena.pool, vector_bytes(c, c->shape));
    c->verifier->transitions_seen++;
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

/* With room for so many copies of a state; returns how many are wanted then, or 0. *pruned:
 * something lies beyond the bound (-1: none). */
static uint32_t search_with(struct verifier *v, int bound, uint32_t copies, bool *pruned)
{
    struct cycles *c = calloc(1, sizeof *c);
    v->transitions_seen = 0;
    *pruned = false;
    if (!c || !cycles_init(c, v, bound, copies)) {
        verifier_truncate(v, "memory");
        if (c)
            cycles_free(c);
        return 0;
    }
    start_search(c);
    blue_search(c);
    check_limits(c);
    if (c->product.macro.cut_by)
        verifier_truncate(v, c->product.macro.cut_by);
    v->states = count_states(c);
    v->approximate = c->hashed;
    v->missed = c->hashed ? hashed_colours_missed(c->hashed) : 0;
    *pruned = c->product.pruned;
    uint32_t wanted = c->wanted;
    cycles_free(c);
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
