/* Depth-first search with the states on the stack: --store compact and --store bitstate, with
 * or without a bound on preemptions; and models whose C has memory that is restored but not
 * compared (c_track "UnMatched"), which a store can't return either.
 *
 * A hash can't be turned back into a state, so the stack must hold the states. It holds
 * differences: one vector is the current state, and every successor that is still to be tried
 * is the list of words in which it differs. Entering it swaps these words with the vector's,
 * leaving it swaps them back. So a state on the stack takes some tens of bytes, however long
 * the vector is.
 *
 *   frames   | where its differences lie, which one is being tried |  …
 *   stack    | difference | difference | … of one frame, then of the next
 *
 * Only the top of a deep stack is kept in this form. When there are two segments of frames, the
 * lower half is folded (folded.h); when everything above has been searched, the last folded
 * segment is expanded again. That is at most twice the work, for a hundredth of the memory.
 *
 * With a bound this is Fig. 3 of paper 001, or Fig. 5 with reduction, with the storing of
 * section 3.2: a state met by p with n preemptions is entered in one version for each count
 * from n to the bound, so that a later visit with fewer preemptions finds its version missing
 * and is carried out. Versions are per process, and there is one that stands for all of them
 * ("anybody"): set for the counts above n by any visit, and from n on by one after a safe step.
 * Bounds are searched one after the other, so the first failure has the fewest preemptions. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/must.h"
#include "promela/search/folded.h"
#include "promela/search/levels.h"
#include "promela/search/retrace.h"
#include "promela/store/hashed_states.h"
#include "promela/store/store.h"
#include "promela/verifier/safe_states.h"
#include "promela/verifier/pace.h"

#define ANYBODY       0x100u
#define FAILED_STEPS  8u /* of one state, that are looked at */
#define SEGMENT_LEAST 8u
#define SEGMENT_SHARE ((size_t)16 << 10) /* bytes of memory per frame of a segment */
#define STACK_SLACK   ((size_t)64 << 20) /* the stack grows between two looks at the limit */

/* A word in which a successor differs; in halves, so that four bytes of alignment are enough.
 */
struct exchange {
    uint32_t word, low, high;
};

/* A successor that is to be tried, or is being tried. */
struct pending {
    uint32_t size;  /* of the whole entry, in bytes */
    uint32_t mover; /* the process that arrives there, or ANYBODY */
    uint32_t count; /* preemptions there, or CUT */
    uint32_t shape; /* id */
    bool own;       /* a step of the process that moved before */
    bool repeat;    /* the same step again, for the other process of a rendezvous */
    uint32_t changes;
    struct exchange change[];
};

#define CUT 0xffffffffu

struct stack_frame {
    size_t at, end; /* of the one being tried, of all of them */
    size_t start;
    uint32_t mover, count;
    bool entered; /* the one at `at` has been exchanged */
    bool reduced; /* safe steps stand for all */
};

/* Where a walk along the folded part of the stack is. */
struct stack_walk {
    size_t at;             /* in the choices */
    uint32_t left;         /* of the segment */
    uint32_t mover, count; /* the process with which the state was entered */
};

struct stacked {
    struct verifier *verifier;
    struct macro_expander macro;
    struct fingerprints *prints; /* NULL: the exact store */
    struct crew crew;
    struct store *store;
    struct store_writer *writer;
    uint64_t *key;
    uint32_t tail;  /* words behind a vector that are not compared */
    uint8_t *stack; /* reserved: pages come as they are touched */
    size_t top, stack_size;
    struct stack_frame *frames;
    uint32_t room;
    uint32_t depth;   /* of the stack */
    uint32_t below;   /* frames that are folded, not among these */
    bool folds;       /* otherwise the model's C must not run again */
    bool again;       /* a state is expanded again: its failures were counted before */
    uint32_t segment; /* frames that are folded together: fewer where there is little memory */
    struct folded folded;
    struct stack_walk walk;
    uint64_t *base;  /* as large as a vector, for folding */
    uint64_t *now;   /* the state where the search is; zero beyond its size */
    uint32_t widest; /* words of the largest vector so far */
    int bound;       /* -1: none */
    bool reduce, stop, pruned;
    uint64_t states, expanded;
    struct pace pace;
    /* while expanding */
    const struct shape *shape;
    uint32_t mover, count; /* the process with which successors are entered */
    bool safely, blocked;
    struct failure failure[FAILED_STEPS]; /* in this state, by steps of the same process */
    struct failure other[FAILED_STEPS];   /* … of others: they may cost a preemption */
    uint32_t failures, others;
};

static void halt_stack(struct stacked *h, const char *why)
{
    verifier_truncate(h->verifier, why);
    h->stop = true;
}

/* --- versions of a state --- */

static uint32_t version_of(const struct stacked *h, uint32_t who, uint32_t count)
{
    return h->bound < 0 ? 0 : 1 + count * (ANYBODY + 1) + who;
}

static bool is_known(const struct stacked *h, struct fingerprint print, uint32_t mover,
                     uint32_t count)
{
    if (h->bound < 0)
        return fingerprints_has(h->prints, print, h->verifier->options->member);
    return fingerprints_has(h->prints, print, version_of(h, ANYBODY, count)) ||
           fingerprints_has(h->prints, print, version_of(h, mover, count));
}

/* Enters all versions that this visit stands for. True if the state is entirely new. If one
 * version is there already, so are those above it. */
static bool remember_print(struct stacked *h, struct fingerprint print, uint32_t mover,
                           uint32_t count)
{
    if (h->bound < 0)
        return fingerprints_add(h->prints, print, h->verifier->options->member);
    uint32_t last = (uint32_t)h->bound;
    for (uint32_t n = count; mover != ANYBODY && n <= last; n++)
        if (!fingerprints_add(h->prints, print, version_of(h, mover, n)))
            break;
    for (uint32_t n = count + (mover != ANYBODY); n <= last + 1; n++)
        if (!fingerprints_add(h->prints, print, version_of(h, ANYBODY, n)))
            return false;
    return true;
}

/* --- the stack --- */

static struct pending *pending_at(const struct stacked *h, size_t at)
{
    return (struct pending *)(h->stack + at);
}

/* Into the successor, or back out of it. */
static void exchange_changes(uint64_t *vector, struct pending *p)
{
    for (uint32_t i = 0; i < p->changes; i++) {
        struct exchange *e = &p->change[i];
        uint64_t value = (uint64_t)e->high << 32 | e->low, old = vector[e->word];
        vector[e->word] = value;
        e->low = (uint32_t)old;
        e->high = (uint32_t)(old >> 32);
    }
}

static const struct shape *shape_now(const struct stacked *h, const uint64_t *vector)
{
    return shapes_get(h->verifier->shapes, (uint32_t)vector[0]);
}

static struct stack_frame *top_frame(const struct stacked *h)
{
    return &h->frames[h->depth - h->below - 1];
}

static bool fold_frames(struct stacked *h);

static bool add_frames(struct stacked *h)
{
    uint32_t room = h->room == 0 ? 2 * h->segment : 2 * h->room;
    struct stack_frame *frames = realloc(h->frames, room * sizeof *frames);
    if (!frames)
        return false;
    h->frames = frames;
    h->room = room;
    return true;
}

static struct stack_frame *push_frame(struct stacked *h, uint32_t mover, uint32_t count)
{
    if (h->depth - h->below == h->room &&
        !(h->folds && h->room > 0 ? fold_frames(h) : add_frames(h))) {
        halt_stack(h, "memory");
        return NULL;
    }
    h->depth++;
    struct stack_frame *f = top_frame(h);
    *f = (struct stack_frame){h->top, h->top, h->top, mover, count, false, false};
    if (h->depth - 1 > h->verifier->depth)
        h->verifier->depth = h->depth - 1;
    return f;
}

/* --- failures --- */

static void walk_on(struct stacked *h);

static const struct shape *path_state(void *context, uint32_t i, uint8_t *vector)
{
    struct stacked *h = context;
    if (i > h->below)
        exchange_changes(h->now, pending_at(h, h->frames[i - 1 - h->below].at));
    else if (i > 0)
        walk_on(h);
    const struct shape *shape = shape_now(h, h->now);
    memcpy(vector, h->now,
           (((size_t)shape->size + 7) & ~(size_t)7) + h->tail * sizeof(uint64_t));
    return shape;
}

static uint32_t path_mover(void *context, uint32_t i)
{
    const struct stacked *h = context;
    uint32_t mover = i >= h->below ? h->frames[i - h->below].mover : h->walk.mover;
    return h->bound < 0 || mover == ANYBODY ? NO_PARTNER : mover;
}

/* Back to the initial state, and along the path again. */
static void show_failure(struct stacked *h, const struct failure *failure)
{
    struct path path = {h->depth, path_state, path_mover, h};
    struct trail aside = verifier_set_first_aside(h->verifier);
    for (uint32_t i = h->depth - h->below - 1; i-- > 0;)
        exchange_changes(h->now, pending_at(h, h->frames[i].at));
    h->walk = (struct stack_walk){0};
    if (h->below > 0) {
        size_t first = 0;
        memset(h->now, 0, h->widest * sizeof(uint64_t));
        folded_read_head(&h->folded, &first, (uint8_t *)h->now);
    }
    if (!retrace(h->verifier, &h->macro, &path, failure))
        halt_stack(h, "memory");
    h->verifier->trail.preemptions = h->bound >= 0 ? h->bound : -1;
    verifier_keep_trail(h->verifier, aside);
}

static void note_failure(struct failure *noted, uint32_t *count, struct failure failure)
{
    if (*count < FAILED_STEPS)
        noted[(*count)++] = failure;
}

/* --- steps --- */

/* A step that only blocked processes may have, with reduction and a bound: see por_enables().
 */
static bool is_for_free(const struct stacked *h, const struct macro *m)
{
    return h->reduce && h->bound >= 0 && por_enables(h->verifier, m->path[0].transition);
}

static void add_pending(struct stacked *h, const struct macro *m, uint32_t mover, bool own,
                        bool repeat)
{
    const uint64_t *to = (const uint64_t *)m->vector;
    uint32_t words = (m->shape->size + 7) / 8 + h->tail;
    uint32_t before = (h->shape->size + 7) / 8 + h->tail;
    struct pending *p = pending_at(h, h->top);
    h->widest = words > h->widest ? words : h->widest;
    *p = (struct pending){
        .mover = mover, .count = h->count, .shape = m->shape->id, .own = own, .repeat = repeat};
    for (uint32_t i = 0; i < words || i < before; i++) {
        uint64_t value = i < words ? to[i] : 0;
        if (value != h->now[i])
            p->change[p->changes++] =
                (struct exchange){i, (uint32_t)value, (uint32_t)(value >> 32)};
    }
    p->size = (uint32_t)(sizeof *p + p->changes * sizeof p->change[0]);
    h->top += p->size;
    if (own && p->changes > 0 && !is_for_free(h, m))
        h->blocked = false;
}

static void add_successor(void *context, const struct macro *m)
{
    struct stacked *h = context;
    bool own = m->first_pid == h->mover || m->first_partner == h->mover;
    if (m->fault != 0) {
        h->blocked &= !own || is_for_free(h, m);
        if (h->again)
            return;
        h->verifier->errors++;
        bool for_free = own || h->bound < 0;
        note_failure(
            for_free ? h->failure : h->other, for_free ? &h->failures : &h->others,
            (struct failure){m->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT,
                             m->fault, m->fault_transition,
                             h->bound >= 0 ? m->first_pid : NO_PARTNER});
        return;
    }
    if (h->bound < 0) {
        add_pending(h, m, 0, true, false);
        return;
    }
    add_pending(h, m, h->safely ? ANYBODY : m->last_pid, own, false);
    if (!h->safely && m->last_partner != NO_PARTNER)
        add_pending(h, m, m->last_partner, own, true);
}

/* Sets the cost of the other processes' steps, now that it is known whether the mover is
 * blocked. */
static void settle_costs(struct stacked *h, size_t start, bool free)
{
    bool beyond = !free && h->count + 1 > (uint32_t)h->bound;
    for (size_t at = start; at < h->top && h->bound >= 0; at += pending_at(h, at)->size) {
        struct pending *p = pending_at(h, at);
        if (p->own || free)
            continue;
        p->count = beyond ? CUT : h->count + 1;
        h->pruned |= beyond && p->changes > 0;
    }
    h->pruned |= h->others > 0 && beyond;
    for (uint32_t i = 0; i < h->others && !beyond; i++)
        note_failure(h->failure, &h->failures, h->other[i]);
    h->others = 0;
}

/* Would trying it lead to something new? */
static bool leads_on(struct stacked *h, struct pending *p)
{
    exchange_changes(h->now, p);
    struct fingerprint print = fingerprint((uint8_t *)h->now, shape_now(h, h->now)->size);
    bool known = is_known(h, print, p->mover, p->count);
    exchange_changes(h->now, p);
    return !known;
}

/* The steps of one process, if they may stand for all. Not all of their successors may be
 * known, or the other steps could be postponed for ever (search_reach.c explains why). */
static bool expand_safely(struct stacked *h, const struct stack_frame *f, uint32_t *alone)
{
    size_t start = h->top;
    for (uint32_t pid = h->shape->processes; pid-- > 0;) {
        if (!por_safe(h->verifier, (uint8_t *)h->now, h->shape, pid))
            continue;
        h->safely = true;
        uint32_t count = macro_expand_alone(&h->macro, (uint8_t *)h->now, h->shape, pid);
        h->safely = false;
        if (count == 0)
            continue;
        *alone = pid;
        if (h->again)
            return f->reduced;
        for (size_t at = start; at < h->top; at += pending_at(h, at)->size)
            if (leads_on(h, pending_at(h, at)))
                return true;
        return false;
    }
    return false;
}

/* Pushes the steps of the state in `now`, for a frame at that depth. Returns how many there
 * are; not meaningful for a reduced state. */
static uint32_t collect_successors(struct stacked *h, struct stack_frame *f, uint32_t depth)
{
    uint32_t alone = NO_PARTNER, count = 1;
    h->shape = shape_now(h, h->now);
    h->mover = f->mover;
    h->count = f->count;
    h->blocked = true;
    bool below = h->bound < 0 || f->count < (uint32_t)h->bound, first = depth == 1;
    f->reduced = h->reduce && below && !first && expand_safely(h, f, &alone);
    size_t start = h->top;
    if (!f->reduced)
        count = macro_expand_others(&h->macro, (uint8_t *)h->now, h->shape, alone);
    settle_costs(h, start,
                 f->reduced || h->blocked || f->mover == ANYBODY || alone != NO_PARTNER);
    f->end = h->top;
    return count;
}

static void expand_state(struct stacked *h, bool fresh)
{
    struct verifier *v = h->verifier;
    uint32_t count = collect_successors(h, top_frame(h), h->depth);
    if (count == 0 && fresh && !valid_end(v, (uint8_t *)h->now, h->shape)) {
        v->errors++;
        note_failure(h->failure, &h->failures, failure_of_end());
    }
    for (uint32_t i = 0; i < h->failures; i++)
        if (verifier_wants(v, h->failure[i].violation, h->failure[i].fault_transition))
            show_failure(h, &h->failure[i]);
    h->stop |= h->failures > 0 && !v->options->keep_going;
    h->failures = 0;
}

/* --- folding --- */

/* The number of the pending step that a frame is trying, and whether it was reduced. */
static uint32_t choice_of(const struct stacked *h, const struct stack_frame *f)
{
    uint32_t choice = 0;
    for (size_t at = f->start; at < f->at; at += pending_at(h, at)->size)
        choice++;
    return choice << 1 | f->reduced;
}

/* Expands the state of a frame again and takes the same successor. */
static void choose_successor(struct stacked *h, struct stack_frame *f, uint32_t depth,
                             uint32_t choice)
{
    f->reduced = choice & 1;
    h->again = true;
    collect_successors(h, f, depth);
    h->again = false;
    for (choice >>= 1; choice > 0; choice--)
        f->at += pending_at(h, f->at)->size;
    exchange_changes(h->now, pending_at(h, f->at));
    f->entered = true;
}

/* The state of the lowest frame that is not folded. */
static const struct shape *find_base(struct stacked *h)
{
    memcpy(h->base, h->now, h->widest * sizeof(uint64_t));
    for (uint32_t i = h->depth - h->below; i-- > 0;) {
        const struct pending *p = pending_at(h, h->frames[i].at);
        for (uint32_t k = 0; h->frames[i].entered && k < p->changes; k++)
            h->base[p->change[k].word] = (uint64_t)p->change[k].high << 32 | p->change[k].low;
    }
    return shape_now(h, h->base);
}

/* Folds the lower half of the frames. False: no memory. */
static bool fold_frames(struct stacked *h)
{
    struct stack_frame *f = h->frames;
    uint32_t size = (find_base(h)->size + 7) & ~7u;
    size_t gone = f[h->segment].start;
    if (!folded_reserve(&h->folded, size, h->segment))
        return false;
    folded_begin(&h->folded, (struct folded_head){0, f->mover, f->count, size},
                 (const uint8_t *)h->base);
    for (uint32_t i = 0; i < h->segment; i++)
        folded_choice(&h->folded, choice_of(h, &f[i]));
    h->top -= gone;
    memmove(h->stack, h->stack + gone, h->top);
    for (uint32_t i = 0; i < h->segment; i++) {
        f[i] = f[i + h->segment];
        f[i].at -= gone;
        f[i].end -= gone;
        f[i].start -= gone;
    }
    h->below += h->segment;
    return true;
}

/* Only folded frames are left: unfold the last segment. */
static void unfold_frames(struct stacked *h)
{
    size_t at = h->folded.last;
    memset(h->now, 0, h->widest * sizeof(uint64_t));
    struct folded_head head = folded_read_head(&h->folded, &at, (uint8_t *)h->now);
    must(h->below >= h->segment);
    h->depth = h->below -= h->segment;
    for (uint32_t i = 0; i < h->segment; i++) {
        struct stack_frame *f = push_frame(h, head.mover, head.count);
        choose_successor(h, f, h->depth, folded_read_choice(&h->folded, &at));
        head.mover = pending_at(h, f->at)->mover;
        head.count = pending_at(h, f->at)->count;
    }
    folded_drop(&h->folded);
}

/* The next state along the folded part, to show a failure. */
static void walk_on(struct stacked *h)
{
    struct stack_walk *w = &h->walk;
    macro_emit *emit = h->macro.emit;
    void *context = h->macro.context;
    bool first = w->at == 0;
    if (w->left == 0) {
        struct folded_head head = folded_read_head(&h->folded, &w->at, NULL);
        *w = (struct stack_walk){w->at, h->segment, head.mover, head.count};
    }
    struct stack_frame f = {h->top, h->top, h->top, w->mover, w->count, false, false};
    h->macro.emit = add_successor;
    h->macro.context = h;
    choose_successor(h, &f, first ? 1 : 2, folded_read_choice(&h->folded, &w->at));
    h->macro.emit = emit;
    h->macro.context = context;
    w->left--;
    w->mover = pending_at(h, f.at)->mover;
    w->count = pending_at(h, f.at)->count;
    h->top = f.start;
}

static void check_limits(struct stacked *h)
{
    struct verifier *v = h->verifier;
    size_t stack = h->top + h->room * sizeof(struct stack_frame) + h->folded.room;
    size_t used =
        h->prints ? fingerprints_bytes(h->prints) + stack : store_bytes_with(h->store, stack);
    v->bytes = used > v->bytes ? used : v->bytes;
    if (used > v->options->memory || h->top > h->stack_size / 2 ||
        (h->prints && fingerprints_full(h->prints)))
        halt_stack(h, "memory limit");
    if (macro_ends_search(&h->macro, h->expanded))
        halt_stack(h, h->macro.cut_by);
    if (verifier_must_stop(v, h->states))
        h->stop = true;
}

/* Must the state in `now` be searched? If so, note it. */
static bool admit_state(struct stacked *h, uint32_t mover, uint32_t count, bool *fresh)
{
    uint32_t size = shape_now(h, h->now)->size, number;
    if (!h->prints) {
        *fresh = store_add(h->writer,
                           store_key(h->writer, (uint8_t *)h->now, size, NULL, 0, NULL, h->key),
                           &number);
        if (store_full(h->store))
            halt_stack(h, "memory limit");
        return *fresh;
    }
    struct fingerprint print = fingerprint((uint8_t *)h->now, size);
    if (is_known(h, print, mover, count))
        return false;
    *fresh = remember_print(h, print, mover, count);
    return true;
}

static bool visit_state(struct stacked *h, uint32_t mover, uint32_t count)
{
    bool fresh;
    if (!admit_state(h, mover, count, &fresh))
        return false;
    h->states += fresh;
    if (!push_frame(h, mover, count))
        return false;
    expand_state(h, fresh);
    if (pace_is_due(&h->pace, ++h->expanded))
        check_limits(h);
    return true;
}

static void try_next(struct stacked *h)
{
    struct stack_frame *f = top_frame(h);
    uint32_t own = h->depth - 1;
    if (f->entered) {
        exchange_changes(h->now, pending_at(h, f->at));
        f->at += pending_at(h, f->at)->size;
        f->entered = false;
    }
    if (f->at == f->end) {
        h->top = f->start;
        h->depth--;
        if (h->depth == h->below && h->below > 0)
            unfold_frames(h);
        return;
    }
    struct pending *p = pending_at(h, f->at);
    if (p->count == CUT) {
        f->at += p->size;
        return;
    }
    h->verifier->transitions_seen += !p->repeat;
    exchange_changes(h->now, p);
    f->entered = true;
    if (!visit_state(h, p->mover, p->count) && h->depth - 1 == own) {
        exchange_changes(h->now, p);
        f->entered = false;
        f->at += p->size;
    }
}

static void search_frames(struct stacked *h)
{
    struct expander *x = &h->macro.expander;
    const struct shape *shape = expander_start(x);
    memset(h->now, 0, VECTOR_BYTES + h->tail * sizeof(uint64_t));
    memcpy(h->now, x->step.next,
           (((size_t)shape->size + 7) & ~(size_t)7) + h->tail * sizeof(uint64_t));
    h->widest = (shape->size + 7) / 8 + h->tail;
    h->verifier->transitions_seen++;
    visit_state(h, h->bound < 0 ? 0 : ANYBODY, 0);
    while (h->depth > 0 && !h->stop)
        try_next(h);
    check_limits(h);
    if (h->macro.cut_by)
        verifier_truncate(h->verifier, h->macro.cut_by);
    h->verifier->states = h->states;
    h->verifier->approximate = h->prints;
    h->verifier->missed = h->prints ? fingerprints_missed(h->prints) : 0;
}

static bool stacked_init(struct stacked *h, struct verifier *v, int bound)
{
    memset(h, 0, sizeof *h);
    h->verifier = v;
    h->bound = bound;
    h->tail = (uint32_t)v->model->c_tail / 8;
    h->folds = !v->model->uses_c;
    size_t segment = v->options->memory / SEGMENT_SHARE;
    h->segment = (uint32_t)(segment < SEGMENT_LEAST   ? SEGMENT_LEAST
                            : segment < FOLDED_FRAMES ? segment
                                                      : FOLDED_FRAMES);
    bool bits = v->options->store == STORE_BITSTATE;
    crew_init(&h->crew, 1);
    if (v->options->store == STORE_EXACT) {
        h->store = store_create(v->options->memory, &h->crew, 0);
        h->writer = h->store ? store_writer(h->store, 0) : NULL;
        h->key = malloc(STORE_ROOM * sizeof *h->key);
    } else {
        h->prints =
            fingerprints_create(bits, bits ? v->options->bit_memory : v->options->memory);
        h->reduce = v->por && (bound < 0 || (bound > 0 && v->options->por_given));
    }
    h->stack_size = 2 * v->options->memory + STACK_SLACK;
    h->stack = mmap(NULL, h->stack_size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    h->stack = h->stack == MAP_FAILED ? NULL : h->stack;
    h->now = malloc(VECTOR_BYTES + (size_t)v->model->c_tail);
    h->base = malloc(VECTOR_BYTES);
    h->macro.emit = add_successor;
    h->macro.context = h;
    return (h->prints || (h->writer && h->key)) && h->stack && h->now && h->base &&
           macro_init(&h->macro, v);
}

static void stacked_free(struct stacked *h)
{
    fingerprints_free(h->prints);
    store_free(h->store);
    crew_free(&h->crew);
    free(h->key);
    if (h->stack)
        munmap(h->stack, h->stack_size);
    free(h->frames);
    folded_free(&h->folded);
    free(h->base);
    free(h->now);
    macro_free(&h->macro);
}

/* One search with this bound (-1: none). True: something lies beyond it. */
static bool search_once(struct verifier *v, int bound)
{
    struct stacked s;
    v->transitions_seen = 0;
    if (stacked_init(&s, v, bound))
        search_frames(&s);
    else
        verifier_truncate(v, "memory");
    bool pruned = s.pruned;
    stacked_free(&s);
    return pruned;
}

void search_stack(struct verifier *v, level_done *done, void *context)
{
    if (v->options->bound == MODEL_BOUND_NONE)
        search_once(v, -1);
    else
        levels_search(v, v->options->bound, search_once, done, context);
}
