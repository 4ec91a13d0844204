/* Nodes in order of (preemptions, switches, length): the engine behind --search fewest,
 * --search bfs and --shorten. See levels.h for the nodes and what is counted.
 *
 * Dijkstra's algorithm with a heap: a node's cost is final when it is taken from the heap, so
 * the first failure found is the smallest in that order, and its predecessors are the proof. A
 * second process that reaches a state adds only its own steps: any other step would cost more
 * than from the first process (one more switch, and it came later in the order).
 *
 * Failing steps and bad ends are nodes, too, so that a failure at the end of a long step waits
 * for its turn. */
#include <stdlib.h>
#include <string.h>

#include "promela/search/labels.h"
#include "promela/search/levels.h"
#include "promela/search/retrace.h"
#include "promela/store/growing.h"
#include "promela/store/store.h"
#include "promela/verifier/pace.h"

#define NOWHERE 0xffffffffu
#define FIELD   0xffffffu /* largest value of a part of the key, kept when exceeded */

/* Flags of a state. */
#define EXPANDED 1u
#define FREE     2u /* expanded with all steps free */

/* preemptions, switches, length: 16, 24 and 24 bits */
typedef uint64_t key;

/* Where a node was taken from the heap: the tree of best paths. */
struct item {
    uint32_t number, parent, pid;
};

struct candidate {
    key key;
    uint32_t number; /* of the state; of a failure: the state that it starts from */
    uint32_t parent; /* item */
    uint32_t pid;
    uint32_t failure; /* index + 1 in failures, or 0 */
};

struct held_step {
    struct macro macro;
    uint32_t at; /* of its vector in the pool */
};

struct fewest {
    struct verifier *verifier;
    struct macro_expander macro;
    struct crew crew;
    struct store *store;
    struct store_writer *writer;
    uint32_t pids;
    struct growing items, heap, failures;
    bool counted; /* false: by length only */
    int bound;    /* highest level to search; -1: no limit */
    int level;
    int said; /* the last level that was reported, by a search with fewer pids */
    uint64_t reached, transitions, expanded;
    struct pace pace;
    bool stop, pruned, more_pids;
    /* the node being expanded */
    key now;
    uint32_t current, mover;
    const uint8_t *vector;
    const struct shape *shape;
    uint64_t *key, *new_key;
    bool free_for_all;         /* its mover is blocked: no step is a preemption */
    struct growing held, pool; /* its steps and their vectors */
    uint8_t *buffer;
};

static void halt_fewest(struct fewest *f, const char *why)
{
    verifier_truncate(f->verifier, why);
    f->stop = true;
}

static void *add_elements(struct fewest *f, struct growing *g, size_t element, uint32_t more)
{
    void *added = growing_add(g, element, more);
    if (!added)
        halt_fewest(f, "memory");
    return added;
}

static const struct item *item_at(const struct fewest *f, uint32_t i)
{
    return &((const struct item *)f->items.data)[i];
}

/* --- the order --- */

static uint32_t preemptions_of(key k)
{
    return (uint32_t)(k >> 48);
}

static uint32_t length_of(key k)
{
    return (uint32_t)(k & FIELD);
}

static key key_after(key k, bool preemption, bool switched, uint32_t length)
{
    uint64_t switches = (k >> 24 & FIELD) + switched, steps = (k & FIELD) + length;
    return ((k >> 48) + preemption) << 48 | (switches < FIELD ? switches : FIELD) << 24 |
           (steps < FIELD ? steps : FIELD);
}

static void remember_candidate(struct fewest *f, struct candidate c)
{
    if (!heap_push(&f->heap, sizeof c, &c))
        halt_fewest(f, "memory");
}

/* --- failures --- */

static void note_failure(struct fewest *f, struct failure failure, key k)
{
    struct failure *kept = add_elements(f, &f->failures, sizeof *kept, 1);
    if (!kept)
        return;
    *kept = failure;
    f->verifier->errors++;
    remember_candidate(f, (struct candidate){k, 0, f->current, 0, (uint32_t)f->failures.count});
}

static void show_failure(struct fewest *f, const struct candidate *c)
{
    struct verifier *v = f->verifier;
    f->stop |= !v->options->keep_going;
    if (v->trail.violation != VIOLATION_NONE)
        return;
    struct chain chain = {.verifier = v, .store = f->store};
    for (uint32_t i = c->parent; i != NOWHERE; i = item_at(f, i)->parent)
        if (!chain_add(&chain, item_at(f, i)->number,
                       f->counted ? item_at(f, i)->pid : NO_PARTNER))
            break;
    chain_reverse(&chain);
    struct path path = chain_path(&chain);
    retrace(v, &f->macro, &path, &((struct failure *)f->failures.data)[c->failure - 1]);
    v->trail.preemptions = f->counted ? (int)preemptions_of(c->key) : -1;
    v->trail.switches = f->counted ? (int)(c->key >> 24 & FIELD) : -1;
    chain_free(&chain);
}

/* --- steps --- */

static bool step_involves(uint32_t pid, const struct macro *m)
{
    return pid == m->first_pid || pid == m->first_partner;
}

/* Keep a step until it is known whether the mover is blocked; paths are not needed here. */
static void hold_step(void *context, const struct macro *m)
{
    struct fewest *f = context;
    uint32_t words = (m->shape->size + 7) / 8;
    uint64_t *vector = add_elements(f, &f->pool, sizeof *vector, words);
    struct held_step *held = vector ? add_elements(f, &f->held, sizeof *held, 1) : NULL;
    if (!held)
        return;
    memcpy(vector, m->vector, (size_t)words * 8);
    *held = (struct held_step){*m, (uint32_t)(f->pool.count - words)};
}

/* A failing step is a step; one that leads back to the same state is not. */
static bool leads_elsewhere(const struct fewest *f, const struct macro *m)
{
    return m->fault != 0 || m->shape != f->shape ||
           memcmp(m->vector, f->vector, f->shape->size) != 0;
}

static struct state_label *label_of(const struct fewest *f, uint32_t number)
{
    return store_extra(f->store, number);
}

/* Was the state reached by that process before, or does a switch to the process where the state
 * was first reached need fewer preemptions? With just one preemption more than there, it may
 * need fewer switches. */
static bool is_dominated(const struct fewest *f, const struct candidate *c)
{
    struct state_label *label = label_of(f, c->number);
    uint32_t count = atomic_load(&label->count); /* preemptions + 1 */
    return count != 0 && (count < preemptions_of(c->key) || label_noted(label, c->pid));
}

static void offer_candidate(struct fewest *f, uint32_t number, uint32_t pid, key k)
{
    struct candidate c = {k, number, f->current, pid, 0};
    if (pid >= f->pids)
        f->more_pids = f->stop = true;
    else if (!is_dominated(f, &c))
        remember_candidate(f, c);
}

static void take_step(struct fewest *f, const struct macro *m)
{
    bool own = !f->counted || step_involves(f->mover, m);
    bool preemption = !own && !f->free_for_all;
    key k =
        key_after(f->now, preemption,
                  f->counted && !own && item_at(f, f->current)->parent != NOWHERE, m->length);
    if (f->bound >= 0 && preemptions_of(k) > (uint32_t)f->bound) {
        f->pruned = true;
        return;
    }
    if (m->fault != 0) {
        note_failure(f,
                     (struct failure){
                         m->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT,
                         m->fault, m->fault_transition, f->counted ? m->first_pid : NO_PARTNER},
                     k);
        return;
    }
    uint32_t number;
    store_add(f->writer,
              store_key(f->writer, m->vector, m->shape->size, f->vector, f->shape->size, f->key,
                        f->new_key),
              &number);
    if (store_full(f->store)) {
        halt_fewest(f, "memory limit");
        return;
    }
    f->transitions++;
    offer_candidate(f, number, f->counted ? m->last_pid : 0, k);
    if (f->counted && m->last_partner != NO_PARTNER)
        offer_candidate(f, number, m->last_partner, k);
}

static void check_limits(struct fewest *f)
{
    struct verifier *v = f->verifier;
    size_t used = store_bytes_with(f->store, f->items.room * sizeof(struct item) +
                                                 f->heap.room * sizeof(struct candidate));
    v->bytes = used > v->bytes ? used : v->bytes;
    if (used > v->options->memory)
        halt_fewest(f, "memory limit");
    if (macro_ends_search(&f->macro, f->expanded))
        halt_fewest(f, f->macro.cut_by);
    if (verifier_must_stop(v, store_count(f->store)))
        f->stop = true;
}

static void expand_state(struct fewest *f, struct state_label *label)
{
    const struct item *item = item_at(f, f->current);
    f->shape = stored_state(f->verifier, f->store, item->number, f->buffer, f->key);
    f->vector = f->buffer;
    f->mover = item->pid;
    bool again = atomic_fetch_or(&label->flags, EXPANDED) & EXPANDED, blocked = true;
    f->held.count = f->pool.count = 0;
    uint32_t count = macro_expand(&f->macro, f->vector, f->shape);
    struct held_step *held = f->held.data;
    for (size_t i = 0; i < f->held.count; i++) {
        held[i].macro.vector = (const uint8_t *)((uint64_t *)f->pool.data + held[i].at);
        blocked &=
            !(step_involves(f->mover, &held[i].macro) && leads_elsewhere(f, &held[i].macro));
    }
    /* the very first step preempts nobody */
    f->free_for_all = blocked || item->parent == NOWHERE;
    if (f->free_for_all && (atomic_fetch_or(&label->flags, FREE) & FREE))
        return;
    bool only_mover = again && f->counted && !f->free_for_all;
    for (size_t i = 0; i < f->held.count && !f->stop; i++)
        if (!only_mover || step_involves(f->mover, &held[i].macro))
            take_step(f, &held[i].macro);
    if (count > 0 || again || valid_end(f->verifier, f->vector, f->shape))
        return;
    if (f->macro.expander.fault != 0) /* the failure is the reason why nothing moves */
        f->verifier->errors++;
    else
        note_failure(f, failure_of_end(), f->now);
}

/* A node has its turn. */
static void visit_node(struct fewest *f, const struct candidate *c)
{
    struct state_label *label = label_of(f, c->number);
    enum label_result met = label_meet(label, preemptions_of(c->key));
    label_note(label, c->pid);
    struct item *item = add_elements(f, &f->items, sizeof *item, 1);
    if (!item)
        return;
    *item = (struct item){c->number, c->parent, c->pid};
    f->current = (uint32_t)(f->items.count - 1);
    f->now = c->key;
    f->reached += met == LABEL_NEW_STATE;
    if (length_of(c->key) > f->verifier->depth)
        f->verifier->depth = length_of(c->key);
    expand_state(f, label);
    if (pace_is_due(&f->pace, ++f->expanded))
        check_limits(f);
}

static bool fewest_init(struct fewest *f, struct verifier *v, uint32_t pids)
{
    memset(f, 0, sizeof *f);
    f->verifier = v;
    f->pids = pids;
    crew_init(&f->crew, 1);
    f->store = store_create(v->options->memory, &f->crew, LABEL_SIZE(pids));
    f->writer = f->store ? store_writer(f->store, 0) : NULL;
    f->key = malloc(STORE_ROOM * sizeof *f->key);
    f->new_key = malloc(STORE_ROOM * sizeof *f->new_key);
    f->buffer = malloc(VECTOR_BYTES);
    f->macro.context = f;
    f->macro.emit = hold_step;
    f->counted = v->options->search != SEARCH_BFS;
    f->bound = v->options->bound >= 0 ? v->options->bound : -1;
    return f->writer && f->key && f->new_key && f->buffer && macro_init(&f->macro, v);
}

static void fewest_free(struct fewest *f)
{
    store_free(f->store);
    crew_free(&f->crew);
    macro_free(&f->macro);
    free(f->items.data);
    free(f->heap.data);
    free(f->failures.data);
    free(f->held.data);
    free(f->pool.data);
    free(f->key);
    free(f->new_key);
    free(f->buffer);
}

static void start_search(struct fewest *f)
{
    struct expander *x = &f->macro.expander;
    const struct shape *shape = expander_start(x);
    uint32_t number;
    store_add(f->writer, store_key(f->writer, x->step.next, shape->size, NULL, 0, NULL, f->key),
              &number);
    f->transitions++;
    f->current = NOWHERE;
    if (store_full(f->store))
        halt_fewest(f, "memory limit");
    else
        remember_candidate(f, (struct candidate){0, number, NOWHERE, 0, 0});
}

static void report_levels(const struct fewest *f, level_done *done, void *context)
{
    if (done && f->level > f->said)
        done(context, f->level, (struct level_result){f->reached, f->transitions});
}

static void search_queue(struct fewest *f, level_done *done, void *context)
{
    struct candidate c;
    start_search(f);
    while (!f->stop && heap_pop(&f->heap, sizeof c, &c)) {
        if (c.failure == 0 && is_dominated(f, &c))
            continue;
        while (f->counted && (uint32_t)f->level < preemptions_of(c.key)) {
            f->verifier->bound_reached = f->level;
            report_levels(f, done, context);
            f->level++;
        }
        if (c.failure != 0)
            show_failure(f, &c);
        else
            visit_node(f, &c);
    }
    if (f->stop || !f->counted)
        return;
    f->verifier->bound_reached = f->level;
    report_levels(f, done, context);
}

void search_fewest(struct verifier *v, level_done *done, void *context)
{
    bool again = true;
    int said = -1;
    for (uint32_t pids = LABEL_FEW; again; pids = LABEL_MANY) {
        struct fewest *f = malloc(sizeof *f);
        again = false;
        if (!f || !fewest_init(f, v, pids)) {
            verifier_truncate(v, "memory");
        } else {
            f->said = said;
            search_queue(f, done, context);
            said = v->bound_reached;
            check_limits(f);
            if (f->macro.cut_by)
                verifier_truncate(v, f->macro.cut_by);
            again = f->more_pids && pids == LABEL_FEW;
            v->errors = again ? 0 : v->errors;
            v->bound_pruned = f->pruned;
            v->states = f->reached;
            v->transitions_seen = f->transitions;
        }
        if (f)
            fewest_free(f);
        free(f);
    }
}
