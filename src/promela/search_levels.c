/* The level search. See levels.h for what is searched and why it is enough. */
#include "promela/levels.h"
#include "promela/labels.h"
#include "promela/macro.h"

#include <stdlib.h>
#include <string.h>

#define CHECK_INTERVAL 4096

/* A visited node; the log of all of them is also the tree of shortest paths. */
struct item {
    u32 height, index;
    u32 pid;
    u32 parent; /* item number, or NO_PARTNER */
    u32 length;
};

struct items {
    struct item *data;
    u32 count, room;
};

/* A failure whose step costs one more preemption than the level being searched. */
struct pending {
    bool present;
    enum violation violation;
    u32 fault, fault_transition;
    u32 item; /* where it starts */
    u32 length;
    u32 pid; /* who makes the step */
};

struct held {
    struct macro macro;
    u32 at; /* of its vector in the pool */
};

struct levels {
    struct verifier *verifier;
    struct macro_expander macro;
    struct store *store;
    struct labels labels;
    struct items items; /* visited, in order */
    u32 *queue;         /* item numbers of this level */
    u32 queue_count, queue_room, queue_at;
    struct item *seeds, *next_seeds;
    u32 seed_count, seed_room, seed_at, next_count, next_room;
    bool counted; /* false: plain breadth-first search */
    int bound;    /* highest level to search; -1: no limit */
    int level;
    u64 reached, transitions;
    struct pending pending; /* best failure of the next level */
    bool stop, pruned;
    /* the node being expanded */
    u32 current;
    const u8 *vector;
    const struct shape *shape;
    u32 *refs;
    u32 mover;
    bool free_for_all; /* its mover is blocked: every step is free */
    struct held *held; /* its steps */
    u32 held_count, held_room;
    u64 *pool; /* their vectors */
    u32 pool_count, pool_room;
    u32 *new_refs;
    u8 *buffer;
};

static bool grow(struct levels *l, void *array, u32 *room, size_t element)
{
    u32 larger = *room == 0 ? 1024 : *room * 2;
    void *memory = realloc(*(void **)array, larger * element);
    if (memory == NULL) {
        verifier_truncate(l->verifier, "memory");
        l->stop = true;
        return false;
    }
    *(void **)array = memory;
    *room = larger;
    return true;
}

/* ---- failures ---- */

struct retrace {
    struct levels *l;
    const u8 *target;
    u32 target_size, pid;
    bool found, any_fault;
    struct trail *trail;
};

static bool involves(u32 pid, u32 first, u32 second)
{
    return pid == first || pid == second;
}

static void retrace_step(void *context, const struct macro *m)
{
    struct retrace *r = context;
    if (r->found)
        return;
    if (r->any_fault) {
        if (m->fault == 0 || (r->l->counted && m->length > 0 &&
                              !involves(r->pid, m->first_pid, m->first_partner)))
            return;
    } else if (m->fault != 0 || m->shape->size != r->target_size ||
               memcmp(m->vector, r->target, r->target_size) != 0 ||
               (r->l->counted && !involves(r->pid, m->last_pid, m->last_partner))) {
        return;
    }
    r->found = true;
    for (u32 i = 0; i < m->length; i++)
        trail_add(r->trail, m->path[i]);
}

static const struct shape *fetch(struct levels *l, const struct item *item, u8 *vector,
                                 u32 *refs)
{
    store_get(l->store, item->height, item->index, vector, refs);
    u32 id;
    memcpy(&id, vector, 4);
    return shapes_get(l->verifier->shapes, id);
}

/* The steps from the initial state to item, and then to a fault by `pid` if asked for. */
static void rebuild(struct levels *l, u32 last, bool fault, u32 pid)
{
    u32 count = 0, *chain = NULL, room = 0;
    for (u32 i = last; i != NO_PARTNER; i = l->items.data[i].parent) {
        if (count == room && !grow(l, &chain, &room, sizeof *chain))
            break;
        chain[count++] = i;
    }
    u8 *from = malloc(VECTOR_BYTES), *to = malloc(VECTOR_BYTES);
    u32 *refs = malloc(VECTOR_BYTES);
    macro_emit *emit = l->macro.emit;
    void *context = l->macro.context;
    struct retrace r = {.l = l, .trail = &l->verifier->trail};
    l->macro.emit = retrace_step;
    l->macro.context = &r;
    for (u32 i = count; from != NULL && to != NULL && refs != NULL && i-- > 0;) {
        const struct shape *shape = fetch(l, &l->items.data[chain[i]], from, refs);
        if (i == 0 && !fault)
            break;
        r.found = false;
        r.any_fault = i == 0;
        r.pid = i == 0 ? pid : l->items.data[chain[i - 1]].pid;
        if (i > 0) {
            r.target_size = fetch(l, &l->items.data[chain[i - 1]], to, refs)->size;
            r.target = to;
        }
        macro_expand(&l->macro, from, shape, NO_PARTNER);
    }
    l->macro.emit = emit;
    l->macro.context = context;
    free(chain);
    free(from);
    free(to);
    free(refs);
}

static void report_failure(struct levels *l, const struct pending *p, int preemptions)
{
    struct trail *trail = &l->verifier->trail;
    l->stop |= !l->verifier->options->keep_going;
    if (trail->violation != VIOLATION_NONE)
        return;
    trail->violation = p->violation;
    trail->fault = p->fault;
    trail->fault_transition = p->fault_transition;
    trail->preemptions = l->counted ? preemptions : -1;
    rebuild(l, p->item, p->violation != VIOLATION_END, p->pid);
    trail->cycle = trail->count;
}

static void fail(struct levels *l, struct pending p, bool counted)
{
    l->verifier->errors++;
    p.present = true;
    p.item = l->current;
    p.length += l->items.data[l->current].length;
    if (!counted)
        report_failure(l, &p, l->level);
    else if (!l->pending.present || p.length < l->pending.length)
        l->pending = p;
}

/* ---- nodes ---- */

static void add_item(struct levels *l, struct item item)
{
    if (l->items.count == l->items.room &&
        !grow(l, &l->items.data, &l->items.room, sizeof *l->items.data))
        return;
    if (l->queue_count == l->queue_room &&
        !grow(l, &l->queue, &l->queue_room, sizeof *l->queue))
        return;
    l->items.data[l->items.count] = item;
    l->queue[l->queue_count++] = l->items.count++;
}

/* A node of this level, if it is new there. */
static void reach(struct levels *l, struct item item)
{
    switch (labels_visit(&l->labels, item.height, item.index, item.pid, (u32)l->level)) {
    case LABEL_DOMINATED:
        return;
    case LABEL_NEW_STATE:
        l->reached++;
        break;
    case LABEL_NEW_PROCESS:
        break;
    }
    add_item(l, item);
}

static void reach_next(struct levels *l, struct item item)
{
    if (!labels_seed(&l->labels, item.height, item.index, item.pid, (u32)l->level + 1))
        return;
    if (l->next_count == l->next_room &&
        !grow(l, &l->next_seeds, &l->next_room, sizeof *l->next_seeds))
        return;
    l->next_seeds[l->next_count++] = item;
}

static bool is_free(const struct levels *l, const struct macro *m)
{
    return !l->counted || l->free_for_all || involves(l->mover, m->first_pid, m->first_partner);
}

/* Keep a step until it is known whether the mover is blocked; paths are not needed here. */
static void hold(void *context, const struct macro *m)
{
    struct levels *l = context;
    u32 words = (m->shape->size + 7) / 8;
    while (l->pool_count + words > l->pool_room)
        if (!grow(l, &l->pool, &l->pool_room, sizeof *l->pool))
            return;
    if (l->held_count == l->held_room && !grow(l, &l->held, &l->held_room, sizeof *l->held))
        return;
    memcpy(l->pool + l->pool_count, m->vector, (size_t)words * 8);
    l->held[l->held_count++] = (struct held){*m, l->pool_count};
    l->pool_count += words;
}

/* A failing step is a step; one that leads back to the same state is not. */
static bool leads_elsewhere(const struct levels *l, const struct macro *m)
{
    return m->fault != 0 || m->shape != l->shape ||
           memcmp(m->vector, l->vector, l->shape->size) != 0;
}

static void take(struct levels *l, const struct macro *m)
{
    bool free_step = is_free(l, m);
    if (!free_step && l->bound >= 0 && l->level >= l->bound) {
        l->pruned = true;
        return;
    }
    if (m->fault != 0) {
        struct pending p = {.violation =
                                m->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT,
                            .fault = m->fault,
                            .fault_transition = m->fault_transition,
                            .length = m->length,
                            .pid = m->first_pid};
        fail(l, p, !free_step);
        return;
    }
    struct store_root root = store_refs(l->store, m->vector, m->shape->size, l->vector,
                                        l->shape->size, l->refs, l->new_refs);
    struct item item = {.height = root.class,
                        .parent = l->current,
                        .length = l->items.data[l->current].length + m->length};
    store_add(l->store, root, &item.index);
    if (store_full(l->store)) {
        verifier_truncate(l->verifier, "memory limit");
        l->stop = true;
        return;
    }
    l->transitions++;
    labels_room(&l->labels, item.height, item.index);
    u32 who[2] = {m->last_pid, m->last_partner};
    for (int i = 0; i < 2; i++) {
        if (who[i] == NO_PARTNER || (i == 1 && !l->counted))
            continue;
        item.pid = l->counted ? who[i] : 0;
        if (free_step)
            reach(l, item);
        else
            reach_next(l, item);
    }
}

static void check_limits(struct levels *l)
{
    struct verifier *v = l->verifier;
    size_t used = store_bytes(l->store) + labels_bytes(&l->labels) +
                  l->items.room * sizeof(struct item) + l->queue_room * sizeof(u32) +
                  (l->seed_room + l->next_room) * sizeof(struct item);
    v->bytes = used > v->bytes ? used : v->bytes;
    if (used > v->options->memory || store_full(l->store)) {
        verifier_truncate(v, "memory limit");
        l->stop = true;
    }
    if (l->labels.failed || l->macro.endless) {
        verifier_truncate(v, l->labels.failed ? "memory" : "an atomic sequence without end");
        l->stop = true;
    }
    if (verifier_must_stop(v))
        l->stop = true;
}

static void expand(struct levels *l, u32 number)
{
    struct item item = l->items.data[number];
    l->current = number;
    l->shape = fetch(l, &item, l->buffer, l->refs);
    l->vector = l->buffer;
    l->mover = item.pid;
    bool again = !labels_first(&l->labels, item.height, item.index);
    l->held_count = l->pool_count = 0;
    l->macro.emit = hold;
    u32 count = macro_expand(&l->macro, l->vector, l->shape, NO_PARTNER);
    bool blocked = true;
    for (u32 i = 0; i < l->held_count; i++) {
        struct macro *m = &l->held[i].macro;
        m->vector = (const u8 *)(l->pool + l->held[i].at);
        if (involves(l->mover, m->first_pid, m->first_partner) && leads_elsewhere(l, m))
            blocked = false;
    }
    /* the first step of all is nobody's preemption */
    l->free_for_all = l->counted && (blocked || item.parent == NO_PARTNER);
    if (l->free_for_all && !labels_free(&l->labels, item.height, item.index))
        return; /* expanded for free at this count before */
    bool only_mover = again && l->counted && !l->free_for_all;
    for (u32 i = 0; i < l->held_count && !l->stop; i++) {
        const struct macro *m = &l->held[i].macro;
        if (!only_mover || involves(l->mover, m->first_pid, m->first_partner))
            take(l, m);
    }
    if (count == 0 && !again && !valid_end(l->verifier, l->vector, l->shape))
        fail(l, (struct pending){.violation = VIOLATION_END}, false);
    if (item.length > l->verifier->depth)
        l->verifier->depth = item.length;
    if ((number & (CHECK_INTERVAL - 1)) == 0)
        check_limits(l);
}

/* Both queues are sorted by length: take the shorter of their heads. */
static bool next_item(struct levels *l, u32 *number)
{
    for (;;) {
        bool queued = l->queue_at < l->queue_count, seeded = l->seed_at < l->seed_count;
        if (!queued && !seeded)
            return false;
        if (queued && (!seeded || l->items.data[l->queue[l->queue_at]].length <=
                                      l->seeds[l->seed_at].length)) {
            *number = l->queue[l->queue_at++];
            return true;
        }
        struct item seed = l->seeds[l->seed_at++];
        enum label_result r =
            labels_visit(&l->labels, seed.height, seed.index, seed.pid, (u32)l->level);
        if (r == LABEL_DOMINATED)
            continue;
        l->reached += r == LABEL_NEW_STATE;
        if (l->items.count == l->items.room &&
            !grow(l, &l->items.data, &l->items.room, sizeof *l->items.data))
            return false;
        *number = l->items.count;
        l->items.data[l->items.count++] = seed;
        return true;
    }
}

static void search_level(struct levels *l)
{
    struct pending due = l->pending;
    l->pending.present = false;
    u32 number;
    while (!l->stop && next_item(l, &number)) {
        if (due.present && l->items.data[number].length >= due.length) {
            report_failure(l, &due, l->level);
            due.present = false;
            if (l->stop)
                break;
        }
        expand(l, number);
    }
    if (due.present && !l->stop)
        report_failure(l, &due, l->level);
}

static void advance(struct levels *l)
{
    struct item *seeds = l->seeds;
    u32 room = l->seed_room;
    l->seeds = l->next_seeds;
    l->seed_count = l->next_count;
    l->seed_room = l->next_room;
    l->next_seeds = seeds;
    l->next_room = room;
    l->next_count = l->seed_at = 0;
    l->queue_count = l->queue_at = 0;
    l->level++;
}

static bool levels_init(struct levels *l, struct verifier *v)
{
    memset(l, 0, sizeof *l);
    l->verifier = v;
    l->store = store_create(v->options->memory);
    l->refs = malloc(VECTOR_BYTES);
    l->new_refs = malloc(VECTOR_BYTES);
    l->buffer = malloc(VECTOR_BYTES);
    l->macro.context = l;
    l->counted = v->options->search != SEARCH_BFS || v->options->bound_given;
    l->bound = v->options->bound >= 0 ? v->options->bound : -1;
    return l->store != NULL && l->refs != NULL && l->new_refs != NULL && l->buffer != NULL &&
           macro_init(&l->macro, v);
}

static void start(struct levels *l)
{
    struct expander *x = &l->macro.expander;
    const struct shape *shape = expander_start(x);
    struct store_root root =
        store_refs(l->store, x->step.next, shape->size, NULL, 0, NULL, l->refs);
    struct item item = {.height = root.class, .parent = NO_PARTNER};
    store_add(l->store, root, &item.index);
    l->transitions++;
    labels_room(&l->labels, item.height, item.index);
    reach(l, item);
}

void search_levels_observed(struct verifier *v, level_done *done, void *context)
{
    struct levels *l = calloc(1, sizeof *l);
    if (l == NULL || !levels_init(l, v)) {
        verifier_truncate(v, "memory");
    } else {
        start(l);
        for (;;) {
            search_level(l);
            if (l->stop)
                break;
            v->bound_reached = l->level;
            if (done != NULL)
                done(context, l->level, (struct level_result){l->reached, l->transitions});
            if (l->next_count == 0 && !l->pending.present)
                break;
            advance(l);
        }
        check_limits(l);
        v->bound_pruned = l->pruned;
        if (!l->counted)
            v->bound_reached = -1;
        v->states = l->reached;
        v->transitions_seen = l->transitions;
        store_free(l->store);
        labels_free_all(&l->labels);
        macro_free(&l->macro);
        free(l->items.data);
        free(l->queue);
        free(l->seeds);
        free(l->next_seeds);
        free(l->held);
        free(l->pool);
        free(l->refs);
        free(l->new_refs);
        free(l->buffer);
    }
    free(l);
}

void search_levels(struct verifier *v)
{
    search_levels_observed(v, NULL, NULL);
}
