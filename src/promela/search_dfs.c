/* Depth-first search for safety: assertions, faults and invalid end states.
 *
 * The stack holds one frame per step; its successors lie in the expander's arenas above those
 * of the frame below, so popping is moving two pointers back. A state inside an atomic sequence
 * is not stored: only the process that holds control is expanded there, and if that blocks the
 * state is an ordinary one, as in Spin.
 *
 * Invariant: `base` of a frame is the nearest frame at or below it that is stored; its
 * references speed up the interning of what lies above. */
#include "promela/fingerprint.h"
#include "promela/marks.h"
#include "promela/por.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define NOBODY         0xffffffffu
#define LONG_ATOMIC    100000 /* steps in one atomic sequence before it is called endless */
#define CHECK_INTERVAL 4096
#define BATCH          64 /* successors that are looked up together */

struct frame {
    const u8 *vector;
    const struct shape *shape;
    struct successor *list;
    struct successor *list_mark;
    u32 *refs;      /* NULL: not stored */
    u8 *arena_mark; /* where the arenas go back to */
    u32 count, at;
    u32 base;     /* index of the stored frame at or below */
    u32 holder;   /* process in an atomic sequence, or NOBODY */
    u32 alone;    /* process whose steps are the ample set, or NOBODY */
    bool outside; /* one of its successors is not on the stack */
    u32 atomic_length;
    u32 height, index; /* in the store */
};

struct dfs {
    struct verifier *verifier;
    struct expander expander;
    struct store *store;
    struct fingerprints *prints; /* in place of the store, or NULL */
    struct frame *frames;
    u32 depth, room;
    u32 *refs, *refs_at;
    struct marks marks; /* with reduction: which states are on the stack */
    bool stop;
};

#define REFS_BYTES ((size_t)1 << 35)

static void record(struct dfs *d, enum violation violation, u32 fault, u32 fault_transition)
{
    struct verifier *v = d->verifier;
    v->errors++;
    d->stop = !v->options->keep_going;
    if (v->trail.violation != VIOLATION_NONE)
        return;
    v->trail.violation = violation;
    v->trail.fault = fault;
    v->trail.fault_transition = fault_transition;
    for (u32 i = 0; i < d->depth; i++) {
        const struct frame *f = &d->frames[i];
        if (f->at == 0)
            break;
        const struct successor *s = &f->list[f->at - 1];
        trail_add(&v->trail, (struct trail_step){s->pid, s->transition, s->receive, s->partner,
                                                 NO_PARTNER});
    }
    v->trail.cycle = v->trail.count;
}

static struct frame *push(struct dfs *d, const u8 *vector, const struct shape *shape)
{
    if (d->depth == d->room) {
        u32 room = d->room == 0 ? 1024 : 2 * d->room;
        struct frame *frames = realloc(d->frames, room * sizeof *frames);
        if (frames == NULL) {
            verifier_truncate(d->verifier, "memory");
            d->stop = true;
            return NULL;
        }
        d->frames = frames;
        d->room = room;
    }
    struct frame *f = &d->frames[d->depth++];
    *f = (struct frame){.vector = vector,
                        .shape = shape,
                        .holder = NOBODY,
                        .alone = NOBODY,
                        .arena_mark = d->expander.step.next,
                        .list_mark = d->expander.step.list};
    f->base = d->depth >= 2 ? d->frames[d->depth - 2].base : 0;
    if (d->depth - 1 > d->verifier->depth)
        d->verifier->depth = d->depth - 1;
    return f;
}

static void pop(struct dfs *d)
{
    struct frame *f = &d->frames[--d->depth];
    d->expander.step.next = f->arena_mark;
    d->expander.step.list = f->list_mark;
    if (f->refs == NULL)
        return;
    d->refs_at = f->refs;
    if (d->verifier->por != NULL)
        *marks_at(&d->marks, f->height, f->index) = 0;
}

static void keep_successors(struct dfs *d, struct frame *f, u32 count)
{
    f->list = d->expander.step.list;
    f->count = count;
    d->expander.step.list += count;
}

/* The same with hashes only; the stack can't be told apart, so a known state counts as on it.
 */
static bool store_print(struct dfs *d, const struct frame *f)
{
    bool fresh = fingerprints_add(d->prints, f->vector, f->shape->size);
    d->verifier->transitions_seen++;
    if (fresh && d->depth >= 2)
        d->frames[d->depth - 2].outside = true;
    if (fingerprints_full(d->prints)) {
        verifier_truncate(d->verifier, "memory limit");
        d->stop = true;
    }
    return fresh;
}

/* Store the frame on top; false if it was there already. */
static bool store_frame(struct dfs *d, struct frame *f)
{
    if (d->prints != NULL)
        return store_print(d, f);
    const struct frame *base = &d->frames[f->base];
    bool first = base == f || base->refs == NULL;
    u32 *refs = d->refs_at, index;
    struct store_root root =
        store_refs(d->store, f->vector, f->shape->size, first ? NULL : base->vector,
                   first ? 0 : base->shape->size, first ? NULL : base->refs, refs);
    d->verifier->transitions_seen++;
    bool fresh = store_add(d->store, root, &index);
    if (d->verifier->por != NULL) {
        u8 *mark = marks_at(&d->marks, root.class, index);
        if (d->depth >= 2 && *mark == 0)
            d->frames[d->depth - 2].outside = true;
        *mark |= fresh;
    }
    if (store_full(d->store)) { /* then "not new" means nothing */
        verifier_truncate(d->verifier, "memory limit");
        d->stop = true;
    }
    if (!fresh)
        return false;
    f->height = root.class;
    f->index = index;
    f->refs = refs;
    f->base = d->depth - 1;
    d->refs_at = refs + store_ref_count(f->shape->size);
    return true;
}

static void check_limits(struct dfs *d)
{
    struct verifier *v = d->verifier;
    size_t used = store_bytes(d->store) +
                  (d->prints != NULL ? fingerprints_bytes(d->prints) : 0) +
                  expander_used(&d->expander) + (size_t)(d->refs_at - d->refs) * sizeof(u32) +
                  d->room * sizeof(struct frame);
    v->bytes = used > v->bytes ? used : v->bytes;
    if (used > v->options->memory || store_full(d->store)) {
        verifier_truncate(v, "memory limit");
        d->stop = true;
    }
    if (verifier_must_stop(v))
        d->stop = true;
}

/* Drop the successors that are stored already, all at once: their cache misses overlap, and the
 * stack holds only what is still to be done. They count as looked up. */
static u32 drop_known(struct dfs *d, struct frame *f, u32 count)
{
    struct successor *list = d->expander.step.list;
    struct store_root roots[BATCH];
    if (d->prints != NULL || count < 2 || count > BATCH || f->refs == NULL)
        return count;
    u32 *refs = d->refs_at, kept = 0;
    for (u32 i = 0; i < count; i++) {
        roots[i] = store_refs(d->store, list[i].vector, list[i].shape->size, f->vector,
                              f->shape->size, f->refs, refs);
        store_prefetch(d->store, roots[i]);
        refs += store_ref_count(list[i].shape->size);
    }
    for (u32 i = 0; i < count; i++) {
        u32 index;
        if (list[i].fault == 0 && !list[i].atomic && store_find(d->store, roots[i], &index)) {
            d->verifier->transitions_seen++;
            if (d->verifier->por != NULL && *marks_at(&d->marks, roots[i].class, index) == 0)
                f->outside = true;
            continue;
        }
        list[kept++] = list[i];
    }
    return kept;
}

/* The steps of one process, if they may stand for all (por.h). */
static u32 expand_alone(struct dfs *d, struct frame *f)
{
    struct verifier *v = d->verifier;
    for (u32 pid = f->shape->processes; pid-- > 0;) {
        if (!por_safe(v, f->vector, f->shape, pid))
            continue;
        u32 count = expander_one(&d->expander, f->vector, f->shape, pid);
        if (count > 0) {
            f->alone = pid;
            return count;
        }
    }
    return 0;
}

/* All its successors led back to the stack: the others must not be put off for ever. */
static void expand_others(struct dfs *d, struct frame *f)
{
    u32 alone = f->alone, kept = 0;
    f->alone = NOBODY;
    u32 count = expander_all(&d->expander, f->vector, f->shape);
    struct successor *list = d->expander.step.list;
    for (u32 i = 0; i < count; i++)
        if (list[i].pid != alone)
            list[kept++] = list[i];
    kept = drop_known(d, f, kept);
    f->list = list;
    f->count = kept;
    f->at = 0;
    d->expander.step.list += kept;
}

static void expand_frame(struct dfs *d, struct frame *f)
{
    struct verifier *v = d->verifier;
    u32 count = v->por != NULL ? expand_alone(d, f) : 0;
    if (count == 0)
        count = expander_all(&d->expander, f->vector, f->shape);
    if (d->expander.fault != 0)
        record(d, VIOLATION_FAULT, d->expander.fault, d->expander.fault_transition);
    keep_successors(d, f, drop_known(d, f, count));
    if (count == 0 && !valid_end(v, f->vector, f->shape))
        record(d, VIOLATION_END, 0, 0);
    if ((v->transitions_seen & (CHECK_INTERVAL - 1)) == 0)
        check_limits(d);
}

/* A frame in the middle of an atomic sequence; if its holder blocks, an ordinary state. */
static void enter_atomic(struct dfs *d, struct frame *f, u32 holder, u32 length)
{
    f->holder = holder;
    f->atomic_length = length;
    d->verifier->atomic_steps++;
    u32 count = expander_one(&d->expander, f->vector, f->shape, holder);
    if (d->expander.fault != 0)
        record(d, VIOLATION_FAULT, d->expander.fault, d->expander.fault_transition);
    if (length > LONG_ATOMIC) {
        verifier_truncate(d->verifier, "an atomic sequence without end");
        d->stop = true;
    }
    if (count != 0) {
        keep_successors(d, f, count);
        return;
    }
    f->holder = NOBODY;
    if (store_frame(d, f))
        expand_frame(d, f);
    else
        pop(d);
}

static void visit(struct dfs *d, const struct successor *s)
{
    struct frame *parent = &d->frames[d->depth - 1];
    u32 length = parent->holder != NOBODY ? parent->atomic_length + 1 : 1;
    if (s->fault != 0)
        record(d, s->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT, s->fault,
               s->fault_transition);
    const u8 *vector = s->vector;
    const struct shape *shape = s->shape;
    u32 holder = s->atomic ? (s->partner != NO_PARTNER ? s->partner : s->pid) : NOBODY;
    struct frame *f = push(d, vector, shape);
    if (f == NULL)
        return;
    if (holder != NOBODY)
        enter_atomic(d, f, holder, length);
    else if (store_frame(d, f))
        expand_frame(d, f);
    else
        pop(d);
}

static bool dfs_init(struct dfs *d, struct verifier *v)
{
    memset(d, 0, sizeof *d);
    d->verifier = v;
    d->store = store_create(v->options->memory);
    if (v->options->store != STORE_EXACT) {
        bool bits = v->options->store == STORE_BITSTATE;
        d->prints =
            fingerprints_create(bits, bits ? v->options->bit_memory : v->options->memory);
        if (d->prints == NULL)
            return false;
    }
    d->refs = mmap(NULL, REFS_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (d->refs == MAP_FAILED)
        d->refs = NULL;
    d->refs_at = d->refs;
    return d->store != NULL && d->refs != NULL && expander_init(&d->expander, v);
}

void search_dfs(struct verifier *v)
{
    struct dfs dfs, *d = &dfs;
    if (!dfs_init(d, v)) {
        verifier_truncate(v, "memory");
    } else {
        const struct shape *shape = expander_start(&d->expander);
        const u8 *vector = d->expander.step.next;
        d->expander.step.next += ((shape->size + 7) & ~7u) + (u32)v->model->c_tail;
        struct frame *f = push(d, vector, shape);
        if (f != NULL && store_frame(d, f))
            expand_frame(d, f);
        while (d->depth > 0 && !d->stop) {
            f = &d->frames[d->depth - 1];
            if (f->at == f->count && f->alone != NOBODY && !f->outside)
                expand_others(d, f);
            else if (f->at == f->count)
                pop(d);
            else
                visit(d, &f->list[f->at++]);
        }
        check_limits(d);
        v->states = store_count(d->store);
        if (d->prints != NULL) {
            v->states = fingerprints_count(d->prints);
            v->approximate = true;
            v->missed = fingerprints_missed(d->prints);
        }
    }
    store_free(d->store);
    marks_free(&d->marks);
    fingerprints_free(d->prints);
    free(d->frames);
    if (d->refs != NULL)
        munmap(d->refs, REFS_BYTES);
    expander_free(&d->expander);
}
