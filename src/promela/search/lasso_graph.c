/* Dijkstra's algorithm over (state, process that moved last), with every edge kept: cycles are
 * looked for among them. See lasso.h.
 *
 * Unlike in a search for reachable states within a bound, processes that reach the same state
 * are not interchangeable here: the numbers of switches and steps that follow matter, too. */
#include <stdlib.h>

#include "promela/search/lasso.h"
#include "promela/search/retrace.h"
#include "promela/store/store.h"

#define ONE_PREEMPTION ((lasso_key)1 << 48)
#define ONE_SWITCH     ((lasso_key)1 << 24)

void lasso_halt(struct lasso *l, const char *why)
{
    verifier_truncate(l->verifier, why);
    l->stop = true;
}

void *lasso_grow(struct lasso *l, struct growing *list, size_t element, uint32_t more)
{
    void *added = growing_add(list, element, more);
    if (!added)
        lasso_halt(l, "memory");
    return added;
}

bool lasso_is_over(struct lasso *l)
{
    struct verifier *v = l->verifier;
    size_t used = store_bytes_with(l->store, l->beside + product_arena_bytes(&l->arena) +
                                                 l->states.room * sizeof(struct lasso_state) +
                                                 l->edges.room * sizeof(struct lasso_edge) +
                                                 l->nodes.room * sizeof(struct lasso_node) +
                                                 l->heap.room * sizeof(struct lasso_entry));
    v->bytes = used > v->bytes ? used : v->bytes;
    if (used > v->options->memory || store_full(l->store) || l->product.failed)
        lasso_halt(l, "memory limit");
    if (l->product.macro.cut_by)
        lasso_halt(l, l->product.macro.cut_by);
    l->stop |= verifier_must_stop(v, store_count(l->store));
    return l->stop;
}

/* --- the heap --- */

void lasso_push(struct lasso *l, struct growing *heap, lasso_key key, uint32_t item)
{
    struct lasso_entry entry = {key, item};
    if (!heap_push(heap, sizeof entry, &entry))
        lasso_halt(l, "memory");
}

bool lasso_explored(const struct lasso *l)
{
    return l->heap.count == 0 || ((const struct lasso_entry *)l->heap.data)[0].key >= l->best;
}

/* --- states --- */

static uint8_t pid_byte(uint32_t pid)
{
    return pid == NO_PARTNER ? LASSO_NOBODY : (uint8_t)pid;
}

static bool ensure_state(struct lasso *l, uint32_t number)
{
    while (l->states.count <= number) {
        struct lasso_state *s = lasso_grow(l, &l->states, sizeof *s, 1);
        if (!s)
            return false;
        *s = (struct lasso_state){.first = LASSO_NOWHERE, .nodes = LASSO_NOWHERE};
    }
    return true;
}

static void add_edge(struct lasso *l, const struct product_step *s, const struct shape *from)
{
    const uint8_t *vector = product_vector(&l->arena, s->at);
    struct lasso_edge *e = lasso_grow(l, &l->edges, sizeof *e, 1);
    if (!e)
        return;
    *e = (struct lasso_edge){.length = (uint16_t)(s->length < 0xffff ? s->length : 0xffff),
                             .pid = pid_byte(s->pid),
                             .partner = pid_byte(s->partner),
                             .last_pid = pid_byte(s->last_pid),
                             .last_partner = pid_byte(s->last_partner)};
    if (s->elsewhere)
        e->flags |= LASSO_ELSEWHERE;
    if (s->alone) {
        e->flags |= LASSO_ALONE;
        e->length = s->fault == 0;
    }
    if (s->fault != 0) {
        e->flags |= LASSO_FAULT;
        return;
    }
    if (s->alone && product_claim_ended(&l->product, vector))
        e->flags |= LASSO_ENDS;
    uint32_t number;
    store_add(
        l->writer,
        store_key(l->writer, vector, s->shape->size, l->vector, from->size, l->key, l->new_key),
        &number);
    if (store_full(l->store))
        lasso_halt(l, "memory limit");
    else if (ensure_state(l, number))
        lasso_edge_at(l, (uint32_t)(l->edges.count - 1))->target = number;
    l->verifier->transitions_seen++;
}

/* The edges of a state that is met for the first time. */
static void expand_state(struct lasso *l, uint32_t number)
{
    const struct shape *shape = stored_state(l->verifier, l->store, number, l->vector, l->key);
    uint32_t first = (uint32_t)l->edges.count;
    struct product_arena *a = &l->arena;
    a->steps.count = a->paths.count = a->pool_at = 0;
    product_generate(&l->product, l->vector, shape, 0, true);
    for (uint32_t i = 0; i < a->steps.count && !l->stop; i++)
        add_edge(l, product_step_at(a, i), shape);
    struct lasso_state *s = lasso_state_at(l, number);
    s->first = first;
    s->count = (uint32_t)l->edges.count - first;
    s->accepting = product_accepts(&l->product, l->vector, shape, 0);
    s->met = s->accepting ? LASSO_ACCEPT : 0;
    if (l->fair)
        s->met |= ~l->product.enabled[0] & ~LASSO_ACCEPT;
    if (l->fair && shape->processes > LASSO_PIDS)
        lasso_halt(l, "number of processes");
    if (l->product.failed)
        lasso_halt(l, "memory");
}

uint32_t lasso_find(const struct lasso *l, uint32_t state, uint8_t mover)
{
    uint32_t n = lasso_state_at(l, state)->nodes;
    while (n != LASSO_NOWHERE && lasso_node_at(l, n)->mover != mover)
        n = lasso_node_at(l, n)->next;
    return n != LASSO_NOWHERE && lasso_node_at(l, n)->done ? n : LASSO_NOWHERE;
}

/* --- steps --- */

static bool edge_involves(const struct lasso_edge *e, uint8_t mover)
{
    return e->pid == mover || e->partner == mover;
}

/* Does the process that moved last have a step that leads elsewhere? */
static bool is_busy(const struct lasso *l, const struct lasso_state *s, uint8_t mover)
{
    for (uint32_t i = s->first; i < s->first + s->count; i++)
        if (edge_involves(lasso_edge_at(l, i), mover) &&
            (lasso_edge_at(l, i)->flags & LASSO_ELSEWHERE))
            return true;
    return false;
}

lasso_key lasso_switch(const struct lasso *l, uint32_t state, uint8_t mover,
                       const struct lasso_edge *e, bool *preempts)
{
    *preempts = false;
    if ((e->flags & LASSO_ALONE) || mover == LASSO_NOBODY || edge_involves(e, mover))
        return 0;
    *preempts = is_busy(l, lasso_state_at(l, state), mover);
    return ONE_SWITCH + (*preempts ? ONE_PREEMPTION : 0);
}

static void offer_node(struct lasso *l, uint32_t state, uint8_t mover, lasso_key key,
                       uint32_t parent, uint32_t edge)
{
    uint32_t n = lasso_state_at(l, state)->nodes;
    while (n != LASSO_NOWHERE && lasso_node_at(l, n)->mover != mover)
        n = lasso_node_at(l, n)->next;
    if (n == LASSO_NOWHERE) {
        n = (uint32_t)l->nodes.count;
        struct lasso_node *node = lasso_grow(l, &l->nodes, sizeof *node, 1);
        if (!node)
            return;
        struct lasso_state *s = lasso_state_at(l, state);
        *node = (struct lasso_node){
            .key = LASSO_DEAREST, .state = state, .next = s->nodes, .mover = mover};
        s->nodes = n;
    }
    struct lasso_node *node = lasso_node_at(l, n);
    if (key >= node->key)
        return;
    node->key = key;
    node->parent = parent;
    node->edge = edge;
    lasso_push(l, &l->heap, key, n);
}

/* A run that fails when it has taken this step. */
static void note_failure(struct lasso *l, uint32_t node, uint32_t edge, lasso_key key,
                         enum violation violation)
{
    if (key >= l->best)
        return;
    l->best = key;
    l->violation = violation;
    l->best_node = node;
    l->best_edge = edge;
}

static void take_edge(struct lasso *l, uint32_t number, uint32_t edge)
{
    struct lasso_node node = *lasso_node_at(l, number);
    struct lasso_edge e = *lasso_edge_at(l, lasso_state_at(l, node.state)->first + edge);
    bool preempts;
    lasso_key key = lasso_add(
        node.key, lasso_add(lasso_switch(l, node.state, node.mover, &e, &preempts), e.length));
    if (l->bound >= 0 && lasso_preemptions(key) > (uint32_t)l->bound)
        return;
    if (e.flags & LASSO_FAULT) {
        note_failure(l, number, edge, key, VIOLATION_FAULT);
    } else if (e.flags & LASSO_ENDS) {
        note_failure(l, number, edge, key, VIOLATION_CLAIM);
    } else {
        uint8_t movers[2];
        uint32_t count = lasso_movers(&e, node.mover, movers);
        for (uint32_t i = 0; i < count; i++)
            offer_node(l, e.target, movers[i], key, number, edge);
    }
}

void lasso_explore(struct lasso *l, uint32_t nodes)
{
    while (!l->stop && l->done < nodes && !lasso_explored(l)) {
        struct lasso_entry entry;
        heap_pop(&l->heap, sizeof entry, &entry);
        struct lasso_node *node = lasso_node_at(l, entry.item);
        if (node->done || node->key != entry.key)
            continue;
        node->done = true;
        uint32_t state = node->state;
        if (lasso_state_at(l, state)->first == LASSO_NOWHERE)
            expand_state(l, state);
        for (uint32_t i = 0; i < lasso_state_at(l, state)->count && !l->stop; i++)
            take_edge(l, entry.item, i);
        l->done++;
        if (pace_is_due(&l->pace, ++l->looked))
            lasso_is_over(l);
    }
}

void lasso_start(struct lasso *l)
{
    const struct shape *shape = product_start(&l->product);
    uint32_t number;
    store_add(l->writer,
              store_key(l->writer, l->arena.pool, shape->size, NULL, 0, NULL, l->key), &number);
    l->verifier->transitions_seen++;
    if (store_full(l->store))
        lasso_halt(l, "memory limit");
    else if (ensure_state(l, number))
        offer_node(l, number, LASSO_NOBODY, 0, LASSO_NOWHERE, 0);
}

bool lasso_graph_init(struct lasso *l, struct verifier *v)
{
    l->verifier = v;
    l->best = LASSO_DEAREST;
    l->fair = v->model->fair;
    crew_init(&l->crew, 1);
    l->store = store_create(v->options->memory, &l->crew, 0);
    l->writer = l->store ? store_writer(l->store, 0) : NULL;
    l->vector = malloc(VECTOR_BYTES);
    l->key = malloc(STORE_ROOM * sizeof *l->key);
    l->new_key = malloc(STORE_ROOM * sizeof *l->new_key);
    bool ready = product_init(&l->product, v, -1, false) && product_arena_init(&l->arena);
    l->product.compares = true;
    l->product.to = &l->arena;
    return ready && l->writer && l->vector && l->key && l->new_key;
}

void lasso_graph_free(struct lasso *l)
{
    store_free(l->store);
    crew_free(&l->crew);
    product_free(&l->product);
    product_arena_free(&l->arena);
    free(l->vector);
    free(l->key);
    free(l->new_key);
    free(l->states.data);
    free(l->edges.data);
    free(l->nodes.data);
    free(l->heap.data);
    free(l->cycle.state);
    free(l->cycle.edge);
}
