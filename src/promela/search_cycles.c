/* Search with a never claim: what the claim forbids, and acceptance cycles. See product.h for
 * the states.
 *
 * Cycles through an accepting state are found by nested depth-first search in the version of
 * Schwoon and Esparza (TACAS'05): a state on the stack is cyan; a red search from an accepting
 * state that is left looks for a cyan one. Where the claim's automaton says so (claim_parts.h)
 * there is no red search, or it stays within a part.
 *
 * What is looked for within a bound on preemptions is a run, finite or infinite, with at most
 * that many in all; on its cycle there are none.
 *
 * Reduction (por.h) expands one process alone only if none of its successors is on the stack,
 * so that some state of every cycle is expanded in full; the inner search expands each state as
 * the outer one did (Holzmann, Peled, Yannakakis, SPIN'96).
 *
 * The stack is most of what a deep search takes, so only its top is there: one or two banks of
 * FOLDED_FRAMES frames, each with its state's successors. When both are full the lower one is
 * folded (folded.h) to one number per frame, and taken for what comes next; when the search has
 * come back to what is folded, that is made again.
 *
 *      | folded | folded | … |     bank     |     bank     |
 *                              first frame    frame at the top
 *
 * With fairness there are copies of a state: it is stored once, with its colours in each.
 *
 * Invariant: every frame but the top one is trying step `at - 1`. */
#include "promela/claim_parts.h"
#include "promela/folded.h"
#include "promela/labels.h"
#include "promela/levels.h"
#include "promela/product.h"
#include "promela/retrace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CYAN           1u
#define BLUE           2u
#define RED            4u
#define EXPANDED_FULL  8u
#define CHECK_INTERVAL 1024u
#define SIMPLE         3  /* --bound auto: beyond so many preemptions, all at once */
#define COLOURS        4u /* bits */
#define FEW_COPIES     6u /* of a state: room for them at first */
#define KEYS_RESERVED  ((size_t)1 << 34)
#define NO_KEY         0xffffffffu

struct product_frame {
    u8 *vector;
    const struct shape *shape;
    u32 number, copy;     /* in the store */
    u32 key;              /* where it starts in the keys of its bank */
    u32 first, count, at; /* its successors */
    u32 pool_mark, path_mark, key_mark;
    bool accepting;
};

struct bank {
    struct product_arena arena;
    u64 *keys; /* reserved: pages come as they are touched */
    u32 keys_at;
    struct product_frame *frames;
    u32 count, room;
};

struct cycles {
    struct verifier *verifier;
    struct product product;
    struct claim_parts parts;
    struct crew crew;
    struct store *store; /* with extra bytes: the colours of each copy of a state */
    u32 copies;          /* for which there is room */
    struct store_writer *writer;
    struct bank banks[2];
    u32 top; /* the bank that has the top frame; the other one is below it, or empty */
    struct folded folded;
    u32 below;  /* frames that are folded */
    u32 depth;  /* all frames */
    bool folds; /* else the model's C must not be run once more */
    bool stop;
    u32 wanted;     /* copies of a state, more than there is room for */
    bool fresh;     /* the outer search enters a state */
    bool unfolding; /* … or one that was folded is made again */
    u32 blue_depth; /* frames below belong to the outer search when the inner runs */
    u64 pushed;
};

static void halt(struct cycles *c, const char *why)
{
    verifier_truncate(c->verifier, why);
    c->stop = true;
}

static struct bank *top_bank(struct cycles *c)
{
    return &c->banks[c->top];
}

static struct product_frame *top_frame(struct cycles *c)
{
    struct bank *b = top_bank(c);
    return &b->frames[b->count - 1];
}

static void check_limits(struct cycles *c)
{
    struct verifier *v = c->verifier;
    size_t stack = c->folded.room;
    for (int i = 0; i < 2; i++) {
        const struct bank *b = &c->banks[i];
        stack += product_arena_bytes(&b->arena) + (size_t)b->keys_at * 8 +
                 b->room * sizeof *b->frames;
    }
    size_t used = store_bytes_with(c->store, stack);
    v->bytes = used > v->bytes ? used : v->bytes;
    if (used > v->options->memory || store_full(c->store) || c->product.failed)
        halt(c, "memory limit");
    if (c->product.macro.cut_by)
        halt(c, c->product.macro.cut_by);
    if (verifier_must_stop(v, store_count(c->store)))
        c->stop = true;
}

/* ---- successors ---- */

static bool stays_in_part(const struct cycles *c, const u8 *from, const u8 *to)
{
    int offset = c->verifier->model->claim_offset;
    return c->parts.part == NULL || c->parts.part[product_field(from, offset)] ==
                                        c->parts.part[product_field(to, offset)];
}

static bool needs_inner_search(const struct cycles *c, const struct product_frame *f)
{
    if (!f->accepting)
        return false;
    int offset = c->verifier->model->claim_offset;
    return c->product.fair || c->parts.part == NULL ||
           !c->parts.uniform[c->parts.part[product_field(f->vector, offset)]];
}

/* ---- colours ---- */

static u32 colours(const struct cycles *c, u32 number, u32 copy)
{
    const u8 *all = store_extra(c->store, number);
    return all[copy / 2] >> copy % 2 * COLOURS & ((1u << COLOURS) - 1);
}

static void paint(struct cycles *c, u32 number, u32 copy, u32 colour)
{
    u8 *all = store_extra(c->store, number);
    all[copy / 2] |= (u8)(colour << copy % 2 * COLOURS);
}

static void wipe(struct cycles *c, u32 number, u32 copy, u32 colour)
{
    u8 *all = store_extra(c->store, number);
    all[copy / 2] &= (u8) ~(colour << copy % 2 * COLOURS);
}

/* The key of a successor of the frame on top. */
static struct store_root make_key(struct cycles *c, struct product_step *s)
{
    struct bank *b = top_bank(c);
    const struct product_frame *f = top_frame(c);
    s->key = b->keys_at;
    struct store_root root =
        store_key(c->writer, product_vector(&b->arena, s->at), s->shape->size, f->vector,
                  f->shape->size, b->keys + f->key, b->keys + s->key);
    s->hash = root.hash;
    b->keys_at += store_key_words(s->shape->size);
    c->product.failed |= (size_t)b->keys_at * 8 > KEYS_RESERVED / 2;
    return root;
}

/* All of them, from `first` on; their slots are on their way then. Of a state that was folded
 * most have been tried: there a key is made when it is needed. */
static void make_keys(struct cycles *c, u32 first)
{
    const struct product_arena *a = &top_bank(c)->arena;
    for (u32 i = first; i < a->steps.count && !c->product.failed; i++) {
        struct product_step *s = product_step_at(a, i);
        if (c->unfolding)
            s->key = NO_KEY;
        else if (s->fault == 0)
            store_prefetch(c->store, make_key(c, s));
    }
}

struct target {
    u32 number;
    u32 colours;
};

/* Look up a successor of the top frame. */
static struct target resolve(struct cycles *c, struct product_step *s)
{
    struct target t = {0};
    if (s->key == NO_KEY)
        make_key(c, s);
    store_add(c->writer, (struct store_root){s->hash, top_bank(c)->keys + s->key}, &t.number);
    if (store_full(c->store))
        halt(c, "memory limit");
    else if (product_copies(&c->product, s->shape) > c->copies)
        c->stop = (c->wanted = product_copies(&c->product, s->shape)) > 0;
    else
        t.colours = colours(c, t.number, s->copy);
    return t;
}

/* Does one of the successors lead back to the stack? */
static bool closes_cycle(struct cycles *c, const struct product_frame *f)
{
    const struct product_arena *a = &top_bank(c)->arena;
    for (u32 i = f->first; i < a->steps.count; i++) {
        struct product_step *s = product_step_at(a, i);
        if (s->fault == 0 && (resolve(c, s).colours & CYAN))
            return true;
    }
    return false;
}

/* The successors of the frame on top. Whether it is expanded in full is decided when the outer
 * search enters it, and kept. */
static void expand(struct cycles *c)
{
    struct bank *b = top_bank(c);
    struct product_frame *f = top_frame(c);
    bool all = c->verifier->por == NULL || (colours(c, f->number, f->copy) & EXPANDED_FULL);
    u32 paths = b->arena.paths.count, pool = b->arena.pool_at, keys = b->keys_at;
    c->product.to = &b->arena;
    product_generate(&c->product, f->vector, f->shape, f->copy, all);
    make_keys(c, f->first);
    if (!all && c->fresh && closes_cycle(c, f)) {
        paint(c, f->number, f->copy, EXPANDED_FULL);
        b->arena.steps.count = f->first;
        b->arena.paths.count = paths;
        b->arena.pool_at = pool;
        b->keys_at = keys;
        product_generate(&c->product, f->vector, f->shape, f->copy, true);
        make_keys(c, f->first);
    }
    f->count = b->arena.steps.count - f->first;
    if (c->product.failed) {
        f->count = 0;
        halt(c, "memory limit");
    }
}

/* ---- the stack ---- */

static size_t vector_bytes(const struct cycles *c, const struct shape *shape)
{
    return (((size_t)shape->size + 7) & ~(size_t)7) + (size_t)c->verifier->model->c_tail;
}

static bool fold(struct cycles *c, struct bank *b)
{
    const struct product_frame *f = b->frames;
    u32 size = (f->shape->size + 7) & ~7u;
    if (!folded_reserve(&c->folded, size))
        return false;
    folded_begin(&c->folded, (struct folded_head){0, f->copy, 0, size}, f->vector);
    for (u32 i = 0; i < b->count; i++)
        folded_choice(&c->folded, b->frames[i].at - 1);
    c->below += b->count;
    b->count = b->keys_at = 0;
    b->arena.steps.count = b->arena.paths.count = b->arena.pool_at = 0;
    return true;
}

static bool add_room(struct bank *b, u32 room)
{
    struct product_frame *frames = realloc(b->frames, room * sizeof *frames);
    if (frames == NULL)
        return false;
    b->frames = frames;
    b->room = room;
    return true;
}

/* Room for a frame, in the top bank or in the other one. */
static bool make_room(struct cycles *c)
{
    struct bank *b = top_bank(c), *other = &c->banks[!c->top];
    if (b->count < b->room)
        return true;
    if (!c->folds)
        return add_room(b, 2 * b->room);
    if (other->count > 0 && !fold(c, other))
        return false;
    c->top = !c->top;
    return true;
}

/* A frame for a state, whose vector and key are copied: their bank may be folded before this
 * one is. */
static bool push(struct cycles *c, const u8 *vector, const struct shape *shape, u32 number,
                 u32 copy, const u64 *key)
{
    if (!make_room(c)) {
        halt(c, "memory");
        return false;
    }
    struct bank *b = top_bank(c);
    struct product_frame *f = &b->frames[b->count++];
    size_t bytes = vector_bytes(c, shape);
    u32 words = store_key_words(shape->size);
    *f = (struct product_frame){.vector = product_vector(&b->arena, b->arena.pool_at),
                                .shape = shape,
                                .number = number,
                                .copy = copy,
                                .key = b->keys_at,
                                .first = b->arena.steps.count,
                                .pool_mark = b->arena.pool_at,
                                .path_mark = b->arena.paths.count,
                                .key_mark = b->keys_at};
    memmove(f->vector, vector, bytes);
    memmove(b->keys + f->key, key, words * sizeof *key);
    b->arena.pool_at += (u32)(bytes / 8);
    b->keys_at += words;
    f->accepting = product_accepts(&c->product, f->vector, shape, copy);
    c->depth++;
    expand(c);
    return true;
}

/* The search comes to a state. */
static void enter(struct cycles *c, const struct product_step *s, u32 number)
{
    const struct bank *b = top_bank(c);
    push(c, product_vector(&b->arena, s->at), s->shape, number, s->copy, b->keys + s->key);
    if (c->depth - 1 > c->verifier->depth)
        c->verifier->depth = c->depth - 1;
    if ((++c->pushed & (CHECK_INTERVAL - 1)) == 0)
        check_limits(c);
}

/* The last segment that was folded once more, into the banks, which are empty. */
static void unfold(struct cycles *c)
{
    size_t at = c->folded.last;
    struct bank *b = top_bank(c);
    u8 *vector = product_vector(&b->arena, b->arena.pool_at);
    u32 copy = folded_read_head(&c->folded, &at, vector).mover, id, number;
    memcpy(&id, vector, 4);
    const struct shape *shape = shapes_get(c->verifier->shapes, id);
    struct store_root root =
        store_key(c->writer, vector, shape->size, NULL, 0, NULL, b->keys + b->keys_at);
    store_add(c->writer, root, &number);
    c->below -= FOLDED_FRAMES;
    c->depth = c->below;
    c->unfolding = true;
    bool good = push(c, vector, shape, number, copy, root.key);
    for (u32 i = 0; good && i < FOLDED_FRAMES; i++) {
        struct product_frame *f = top_frame(c);
        u32 choice = folded_read_choice(&c->folded, &at);
        f->at = choice + 1;
        if (MAZUR_MUTANT == MUTANT_FORGETS)
            f->count = f->at;
        if (i + 1 == FOLDED_FRAMES)
            break;
        struct product_step *s = product_step_at(&b->arena, f->first + choice);
        number = resolve(c, s).number;
        good = push(c, product_vector(&b->arena, s->at), s->shape, number, s->copy,
                    b->keys + s->key);
    }
    c->unfolding = false;
    folded_drop(&c->folded);
}

static void pop(struct cycles *c)
{
    struct bank *b = top_bank(c);
    struct product_frame *f = &b->frames[--b->count];
    b->arena.steps.count = f->first;
    b->arena.pool_at = f->pool_mark;
    b->arena.paths.count = f->path_mark;
    b->keys_at = f->key_mark;
    c->depth--;
    if (b->count > 0)
        return;
    if (c->banks[!c->top].count > 0)
        c->top = !c->top;
    else if (c->below > 0)
        unfold(c);
}

/* ---- failures ---- */

/* A path as it is written down. */
struct writing {
    struct trail *trail;
    u32 frames;   /* so far */
    u32 cycle_at; /* the state where the cycle begins, a number; NO_PARTNER: none */
    u32 copy;     /* … and which copy of it */
};

static void write_frame(struct cycles *c, struct writing *w, const struct product_arena *a,
                        u32 number, u32 copy, const struct product_step *s)
{
    if (number == w->cycle_at && copy == w->copy && w->frames < c->blue_depth)
        w->trail->cycle = w->trail->count;
    w->frames++;
    if (s != NULL)
        product_trail_add(a, s, w->trail);
}

/* A folded segment is made again, state by state. False: no memory. */
static bool write_segment(struct cycles *c, struct writing *w, size_t *at)
{
    struct product_arena a;
    size_t room = VECTOR_BYTES;
    u8 *vector = malloc(room);
    u64 *key = malloc(STORE_ROOM * sizeof *key);
    bool ready = product_arena_init(&a) && vector != NULL && key != NULL;
    u32 id, number, copy = 0;
    if (ready)
        copy = folded_read_head(&c->folded, at, vector).mover;
    for (u32 i = 0; ready && i < FOLDED_FRAMES; i++) {
        memcpy(&id, vector, 4);
        const struct shape *shape = shapes_get(c->verifier->shapes, id);
        store_add(c->writer, store_key(c->writer, vector, shape->size, NULL, 0, NULL, key),
                  &number);
        bool all = c->verifier->por == NULL || (colours(c, number, copy) & EXPANDED_FULL);
        c->product.to = &a;
        product_generate(&c->product, vector, shape, copy, all);
        const struct product_step *s = product_step_at(&a, folded_read_choice(&c->folded, at));
        write_frame(c, w, &a, number, copy, s);
        copy = s->copy;
        memcpy(vector, product_vector(&a, s->at), vector_bytes(c, s->shape));
        a.steps.count = a.paths.count = a.pool_at = 0;
    }
    product_arena_free(&a);
    free(vector);
    free(key);
    return ready;
}

static void record(struct cycles *c, enum violation violation, u32 fault, u32 transition,
                   struct writing w)
{
    struct verifier *v = c->verifier;
    v->errors++;
    c->stop |= !v->options->keep_going;
    if (v->trail.violation != VIOLATION_NONE)
        return;
    bool cyclic = violation == VIOLATION_ACCEPTANCE || violation == VIOLATION_PROGRESS;
    size_t at = 0;
    w.trail = &v->trail;
    for (u32 left = c->below; left > 0; left -= FOLDED_FRAMES)
        if (!write_segment(c, &w, &at)) {
            trail_free(&v->trail);
            halt(c, "memory");
            return;
        }
    for (u32 k = 2; k-- > 0;) {
        const struct bank *b = &c->banks[c->top ^ k];
        for (u32 i = 0; i < b->count; i++) {
            const struct product_frame *f = &b->frames[i];
            write_frame(c, &w, &b->arena, f->number, f->copy,
                        f->at > 0 ? product_step_at(&b->arena, f->first + f->at - 1) : NULL);
        }
    }
    v->trail.violation = violation;
    v->trail.fault = fault;
    v->trail.fault_transition = transition;
    v->trail.preemptions = -1;
    if (!cyclic)
        v->trail.cycle = v->trail.count;
}

/* A claim that ended, or a step that went wrong. */
static void record_end(struct cycles *c, enum violation violation, u32 fault, u32 transition)
{
    record(c, violation, fault, transition, (struct writing){.cycle_at = NO_PARTNER});
}

/* The stack leads to a step that leads back to it. */
static void record_cycle(struct cycles *c, u32 number, const struct product_step *s)
{
    record(c, product_cycle_kind(&c->product), 0, 0,
           (struct writing){.cycle_at = number, .copy = s->copy});
}

/* ---- the two searches ---- */

/* From the accepting state of the top frame, which has been left by the outer search. */
static void red_search(struct cycles *c)
{
    u32 bottom = c->depth;
    top_frame(c)->at = 0;
    while (!c->stop) {
        struct product_frame *f = top_frame(c);
        if (f->at == f->count) {
            if (c->depth == bottom)
                return;
            pop(c);
            continue;
        }
        const struct product_arena *a = &top_bank(c)->arena;
        struct product_step *s = product_step_at(a, f->first + f->at++);
        if (s->fault != 0 || !stays_in_part(c, f->vector, product_vector(a, s->at)))
            continue;
        struct target t = resolve(c, s);
        c->verifier->transitions_seen++;
        if (t.colours & CYAN) {
            record_cycle(c, t.number, s);
            while (!c->stop && c->depth > bottom) /* one report per accepting state */
                pop(c);
            return;
        }
        if ((t.colours & BLUE) && !(t.colours & RED)) {
            paint(c, t.number, s->copy, RED);
            enter(c, s, t.number);
        }
    }
}

static void blue_step(struct cycles *c)
{
    struct product_frame *f = top_frame(c);
    const struct product_arena *a = &top_bank(c)->arena;
    struct product_step *s = product_step_at(a, f->first + f->at++);
    const u8 *vector = product_vector(a, s->at);
    if (s->fault != 0) {
        record_end(c, s->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT, s->fault,
                   s->fault_transition);
        return;
    }
    struct target t = resolve(c, s);
    c->verifier->transitions_seen++;
    if (t.colours & (CYAN | BLUE)) {
        if ((t.colours & CYAN) &&
            (f->accepting || product_accepts(&c->product, vector, s->shape, s->copy))) {
            c->blue_depth = c->depth;
            record_cycle(c, t.number, s);
        }
        return;
    }
    if (c->stop)
        return;
    if (product_claim_ended(&c->product, vector))
        record_end(c, VIOLATION_CLAIM, 0, 0);
    paint(c, t.number, s->copy, CYAN);
    c->fresh = true;
    enter(c, s, t.number);
    c->fresh = false;
}

static void blue_leave(struct cycles *c)
{
    u32 number = top_frame(c)->number, copy = top_frame(c)->copy;
    if (needs_inner_search(c, top_frame(c))) {
        c->blue_depth = c->depth;
        red_search(c);
        if (c->stop)
            return;
        paint(c, number, copy, RED);
    }
    wipe(c, number, copy, CYAN);
    paint(c, number, copy, BLUE);
    pop(c);
}

static bool bank_init(struct bank *b)
{
    b->keys = mmap(NULL, KEYS_RESERVED, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    b->keys = b->keys == MAP_FAILED ? NULL : b->keys;
    return product_arena_init(&b->arena) && b->keys != NULL && add_room(b, FOLDED_FRAMES);
}

static void bank_free(struct bank *b)
{
    product_arena_free(&b->arena);
    free(b->frames);
    if (b->keys != NULL)
        munmap(b->keys, KEYS_RESERVED);
}

static bool cycles_init(struct cycles *c, struct verifier *v, int bound, u32 copies)
{
    c->verifier = v;
    c->folds = !v->model->uses_c;
    crew_init(&c->crew, 1);
    c->copies = copies;
    c->store = store_create(v->options->memory, &c->crew, (copies + 1) / 2);
    c->writer = c->store != NULL ? store_writer(c->store, 0) : NULL;
    return product_init(&c->product, v, bound, true) && c->writer != NULL &&
           bank_init(&c->banks[0]) && bank_init(&c->banks[1]) &&
           claim_parts_find(&c->parts, v->model->claim);
}

static void cycles_free(struct cycles *c)
{
    store_free(c->store);
    product_free(&c->product);
    claim_parts_free(&c->parts);
    crew_free(&c->crew);
    folded_free(&c->folded);
    bank_free(&c->banks[0]);
    bank_free(&c->banks[1]);
    free(c);
}

static void start(struct cycles *c)
{
    struct bank *b = top_bank(c);
    c->product.to = &b->arena;
    const struct shape *shape = product_start(&c->product);
    b->arena.pool_at = 0; /* push() makes a frame of it where it lies */
    struct store_root root =
        store_key(c->writer, b->arena.pool, shape->size, NULL, 0, NULL, b->keys);
    u32 number;
    store_add(c->writer, root, &number);
    c->verifier->transitions_seen++;
    if (store_full(c->store)) {
        halt(c, "memory limit");
        return;
    }
    if (product_claim_ended(&c->product, b->arena.pool))
        record_end(c, VIOLATION_CLAIM, 0, 0);
    paint(c, number, 0, CYAN);
    c->fresh = true;
    push(c, b->arena.pool, shape, number, 0, root.key);
    c->fresh = false;
}

/* With room for so many copies of a state; returns how many are wanted then, or 0. *pruned:
 * something lies beyond the bound (-1: none). */
static u32 search_with(struct verifier *v, int bound, u32 copies, bool *pruned)
{
    struct cycles *c = calloc(1, sizeof *c);
    v->transitions_seen = 0;
    *pruned = false;
    if (c == NULL || !cycles_init(c, v, bound, copies)) {
        verifier_truncate(v, "memory");
        if (c != NULL)
            cycles_free(c);
        return 0;
    }
    start(c);
    while (c->depth > 0 && !c->stop) {
        const struct product_frame *f = top_frame(c);
        if (f->at < f->count)
            blue_step(c);
        else
            blue_leave(c);
    }
    check_limits(c);
    v->states = store_count(c->store);
    *pruned = c->product.pruned;
    u32 wanted = c->wanted;
    cycles_free(c);
    return wanted;
}

/* True: something lies beyond the bound. How many processes there will be is not known: where
 * there are more than there is room for, what was found is found again, with room for as many
 * as were met; the next time for twice as many. */
static bool search_once(struct verifier *v, int bound)
{
    bool pruned;
    u64 errors = v->errors;
    u32 copies = v->model->fair ? FEW_COPIES : 1, wanted;
    for (bool again = false; (wanted = search_with(v, bound, copies, &pruned)) > 0;
         again = true) {
        if (v->truncated)
            break;
        copies = again && wanted < 2 * copies ? 2 * copies : wanted;
        trail_free(&v->trail);
        v->trail.preemptions = -1;
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
        v->bound_pruned = search_once(v, bound);
        if (v->trail.violation != VIOLATION_NONE)
            v->trail.preemptions = bound; /* none was found with fewer */
        if (v->truncated || v->trail.violation != VIOLATION_NONE)
            return;
        v->bound_reached = bound;
        if (done != NULL)
            done(context, bound, (struct level_result){v->states, v->transitions_seen});
        if (!v->bound_pruned)
            return;
        if (last == MODEL_BOUND_AUTO && bound == SIMPLE) { /* runs that go on need ever more */
            v->bound_pruned = false;
            search_once(v, -1);
            return;
        }
    }
}
