/* Finds the cheapest forbidden cycle with a path to it, or a finite run that fails. See
 * lasso.h.
 *
 * The graph is explored up to some size, then searched for cycles, then doubled in size, until
 * nothing that is left can be cheaper than the best. A cycle may begin in any state s with a
 * step of any process p. The cost of reaching s and giving p control is known, so these
 * beginnings are tried in order of this cost, as long as it does not exceed the best. From
 * each, Dijkstra's algorithm runs again, back to s, over nodes with the set of what has been
 * seen on the way (an accepting state; with fairness, processes that moved or were blocked).
 *
 *      initial state ── path ──▶ s ── step of p ──▶ … ──▶ s, and p's switch for the next round
 *
 * Invariant: the lasso that is reported as the smallest is the smallest: every beginning was
 * tried or costs more. */
#include <stdlib.h>

#include "promela/search/lasso.h"
#include "promela/search/levels.h"
#include "promela/search/retrace.h"
#include "promela/store/store.h"

#define FIRST_NODES 512u

/* Where a cycle may begin. */
struct beginning {
    lasso_key key; /* up to the first step, without that */
    uint32_t node; /* the end of the path */
    uint32_t edge; /* one of the first steps, by whom it may be */
};

/* A node on the way round. */
struct passage {
    lasso_key key;
    uint64_t met;
    uint32_t node;
    uint32_t next; /* of the same node */
    uint32_t parent, edge;
};

struct around {
    struct lasso *lasso;
    struct growing passages, heap, beginnings;
    uint32_t *first, *round; /* by node: its passages, and in which search they were made */
    uint32_t rounds;
    struct beginning from;
    uint8_t first_pid; /* whose step the cycle begins with */
    /* over all states that a cycle may go through */
    uint64_t must_move; /* processes that are never blocked, so that fairness makes them move */
    uint64_t busy;      /* processes that always have a step: switching away is a preemption */
    bool joint;         /* some step moves two processes; then nothing is known in advance */
};

static struct passage *passage_at(const struct around *a, uint32_t i)
{
    return &((struct passage *)a->passages.data)[i];
}

static bool is_whole(const struct around *a, uint64_t met)
{
    return a->lasso->fair ? met == ~(uint64_t)0 : (met & LASSO_ACCEPT) != 0;
}

/* --- what a round will still cost at least --- */

static uint64_t process_bit(uint8_t pid)
{
    return pid < LASSO_PIDS ? (uint64_t)1 << pid : 0;
}

static void note_state(struct around *a, const struct lasso_state *s)
{
    uint64_t busy = 0;
    for (uint32_t i = s->first; i < s->first + s->count; i++) {
        const struct lasso_edge *e = lasso_edge_at(a->lasso, i);
        a->joint |= e->partner != LASSO_NOBODY || e->last_partner != LASSO_NOBODY ||
                    e->last_pid != e->pid;
        if (e->flags & LASSO_ELSEWHERE)
            busy |= process_bit(e->pid);
    }
    a->busy &= busy;
    a->must_move &= ~s->met;
}

/* Each process that still has to move will be switched away from, since another one begins the
 * next round; and so will the one that moved last, unless nothing is left to do and it begins
 * the next round itself. If that process can always continue, the switch is a preemption. */
static lasso_key least_cost(const struct around *a, uint8_t mover, uint64_t met)
{
    if (a->joint || a->first_pid == LASSO_NOBODY)
        return 0;
    uint64_t unmet = a->must_move & ~met, left = unmet;
    if (unmet != 0 || mover != a->first_pid)
        left |= process_bit(mover);
    return (uint64_t)__builtin_popcountll(left & a->busy) << 48 |
           (uint64_t)__builtin_popcountll(left) << 24 | (uint64_t)__builtin_popcountll(unmet);
}

/* --- the best so far --- */

static bool path_add(struct lasso *l, struct lasso_path *path, uint32_t state, uint32_t edge)
{
    if (path->count == path->room) {
        uint32_t room = path->room == 0 ? 64 : 2 * path->room;
        uint32_t *states = realloc(path->state, room * sizeof *states);
        path->state = states ? states : path->state;
        uint32_t *edges = realloc(path->edge, room * sizeof *edges);
        path->edge = edges ? edges : path->edge;
        if (!states || !edges) {
            lasso_halt(l, "memory");
            return false;
        }
        path->room = room;
    }
    path->state[path->count] = state;
    path->edge[path->count++] = edge;
    return true;
}

static void path_reverse(struct lasso_path *path)
{
    for (uint32_t i = 0, k = path->count; i + 1 < k--; i++) {
        uint32_t state = path->state[i], edge = path->edge[i];
        path->state[i] = path->state[k];
        path->edge[i] = path->edge[k];
        path->state[k] = state;
        path->edge[k] = edge;
    }
}

static uint32_t start_state(const struct around *a)
{
    return lasso_node_at(a->lasso, a->from.node)->state;
}

/* The cycle is closed by an edge from the passage `last` (LASSO_NOWHERE: it is the first one).
 */
static void keep_cycle(struct around *a, lasso_key key, uint32_t last, uint32_t edge)
{
    struct lasso *l = a->lasso;
    l->best = key;
    l->violation = product_cycle_kind(&l->product);
    l->best_node = a->from.node;
    l->cycle.count = 0;
    for (uint32_t at = last;; at = passage_at(a, at)->parent) {
        uint32_t state = at == LASSO_NOWHERE ? start_state(a)
                                             : lasso_node_at(l, passage_at(a, at)->node)->state;
        if (!path_add(l, &l->cycle, state, edge) || at == LASSO_NOWHERE)
            break;
        edge = passage_at(a, at)->edge;
    }
    path_reverse(&l->cycle);
}

/* --- once round --- */

/* Was the node reached before at the same or a lower cost, having satisfied at least as much?
 */
static bool is_dominated(const struct around *a, uint32_t node, lasso_key key, uint64_t met)
{
    if (a->round[node] != a->rounds)
        return false;
    for (uint32_t i = a->first[node]; i != LASSO_NOWHERE; i = passage_at(a, i)->next)
        if (passage_at(a, i)->key <= key && (passage_at(a, i)->met & met) == met)
            return true;
    return false;
}

/* Back at the beginning: the next round may need a switch. */
static void close_cycle(struct around *a, lasso_key key, uint8_t mover, uint32_t last,
                        uint32_t edge)
{
    struct lasso *l = a->lasso;
    uint32_t state = start_state(a);
    const struct lasso_edge *first =
        lasso_edge_at(l, lasso_state_at(l, state)->first + a->from.edge);
    bool preempts;
    lasso_key next_round = lasso_switch(l, state, mover, first, &preempts);
    key = lasso_add(key, next_round);
    if (!(preempts && l->free_cycles) && key < l->best &&
        !(l->bound >= 0 && lasso_preemptions(key) > (uint32_t)l->bound))
        keep_cycle(a, key, last, edge);
}

static void arrive_at(struct around *a, uint32_t node, lasso_key key, uint64_t met,
                      uint32_t last, uint32_t edge)
{
    struct lasso *l = a->lasso;
    if (key >= l->best || node == LASSO_NOWHERE || !lasso_node_at(l, node)->good)
        return;
    uint32_t state = lasso_node_at(l, node)->state;
    met |= lasso_state_at(l, state)->met;
    if (state == start_state(a) && is_whole(a, met))
        close_cycle(a, key, lasso_node_at(l, node)->mover, last, edge);
    uint8_t mover = lasso_node_at(l, node)->mover;
    if (lasso_add(key, least_cost(a, mover, met)) >= l->best || is_dominated(a, node, key, met))
        return;
    uint32_t number = (uint32_t)a->passages.count;
    struct passage *passage = lasso_grow(l, &a->passages, sizeof *passage, 1);
    if (!passage)
        return;
    uint32_t next = a->round[node] == a->rounds ? a->first[node] : LASSO_NOWHERE;
    *passage = (struct passage){key, met, node, next, last, edge};
    a->first[node] = number;
    a->round[node] = a->rounds;
    lasso_push(l, &a->heap, key, number);
}

/* All nodes that a step leads to. */
static void go_along(struct around *a, const struct lasso_edge *e, uint8_t mover, lasso_key key,
                     uint64_t met, uint32_t last, uint32_t edge)
{
    uint8_t movers[2];
    uint32_t count = lasso_movers(e, mover, movers);
    for (uint32_t i = 0; i < count; i++)
        arrive_at(a, lasso_find(a->lasso, e->target, movers[i]), lasso_add(key, e->length),
                  met | lasso_moved(e), last, edge);
}

static void expand_node(struct around *a, uint32_t number)
{
    struct lasso *l = a->lasso;
    struct passage here = *passage_at(a, number);
    uint32_t state = lasso_node_at(l, here.node)->state;
    const struct lasso_state *s = lasso_state_at(l, state);
    uint8_t mover = lasso_node_at(l, here.node)->mover;
    for (uint32_t i = 0; i < s->count && !l->stop; i++) {
        const struct lasso_edge *e = lasso_edge_at(l, s->first + i);
        bool preempts;
        if (e->flags & (LASSO_FAULT | LASSO_ENDS))
            continue;
        lasso_key key = lasso_add(here.key, lasso_switch(l, state, mover, e, &preempts));
        if (!(preempts && l->free_cycles))
            go_along(a, e, mover, key, here.met, number, i);
    }
}

static bool same_movers(const struct lasso_edge *a, const struct lasso_edge *b)
{
    return a->pid == b->pid && a->partner == b->partner &&
           !(a->flags & (LASSO_FAULT | LASSO_ENDS)) == !(b->flags & (LASSO_FAULT | LASSO_ENDS));
}

static void go_round(struct around *a, struct beginning from)
{
    struct lasso *l = a->lasso;
    const struct lasso_node *node = lasso_node_at(l, from.node);
    const struct lasso_state *s = lasso_state_at(l, node->state);
    const struct lasso_edge *first = lasso_edge_at(l, s->first + from.edge);
    a->from = from;
    a->first_pid = first->pid;
    if (lasso_add(from.key, least_cost(a, first->pid, s->met | lasso_moved(first))) >= l->best)
        return;
    a->rounds++;
    a->passages.count = a->heap.count = 0;
    for (uint32_t i = from.edge; i < s->count; i++) {
        const struct lasso_edge *e = lasso_edge_at(l, s->first + i);
        if (same_movers(e, first))
            go_along(a, e, node->mover, from.key, s->met, LASSO_NOWHERE, i);
    }
    struct lasso_entry entry;
    while (!l->stop && heap_pop(&a->heap, sizeof entry, &entry)) {
        if (entry.key >= l->best)
            return;
        expand_node(a, entry.item);
        if (pace_is_due(&l->pace, ++l->looked))
            lasso_is_over(l);
    }
}

/* --- where to begin --- */

static void begin_round(struct around *a, lasso_key key, uint32_t node, uint32_t edge)
{
    const struct lasso *l = a->lasso;
    if (key >= l->best || (l->bound >= 0 && lasso_preemptions(key) > (uint32_t)l->bound))
        return;
    struct beginning *b = lasso_grow(a->lasso, &a->beginnings, sizeof *b, 1);
    if (b)
        *b = (struct beginning){key, node, edge};
}

/* After which process's step is it cheapest to take a step in this state? For a step of the
 * claim alone it matters which process moved last in the end, so each of them is a beginning.
 */
static void begin_with(struct around *a, uint32_t state, uint32_t edge)
{
    const struct lasso *l = a->lasso;
    const struct lasso_edge *e = lasso_edge_at(l, lasso_state_at(l, state)->first + edge);
    lasso_key best = LASSO_DEAREST;
    uint32_t node = LASSO_NOWHERE;
    for (uint32_t i = lasso_state_at(l, state)->nodes; i != LASSO_NOWHERE;
         i = lasso_node_at(l, i)->next) {
        const struct lasso_node *n = lasso_node_at(l, i);
        bool preempts;
        if (!n->done)
            continue;
        lasso_key key = lasso_add(n->key, lasso_switch(l, state, n->mover, e, &preempts));
        if (e->flags & LASSO_ALONE) {
            begin_round(a, key, i, edge);
        } else if (key < best) {
            best = key;
            node = i;
        }
    }
    if (node != LASSO_NOWHERE)
        begin_round(a, best, node, edge);
}

static void begin_in(struct around *a, uint32_t state)
{
    const struct lasso *l = a->lasso;
    const struct lasso_state *s = lasso_state_at(l, state);
    for (uint32_t i = 0; i < s->count; i++) {
        const struct lasso_edge *e = lasso_edge_at(l, s->first + i);
        bool known = e->flags & (LASSO_FAULT | LASSO_ENDS);
        for (uint32_t k = 0; k < i && !known; k++)
            known = same_movers(lasso_edge_at(l, s->first + k), e);
        if (!known)
            begin_with(a, state, i);
    }
}

static bool is_good(const struct lasso *l, uint32_t state)
{
    for (uint32_t i = lasso_state_at(l, state)->nodes; i != LASSO_NOWHERE;
         i = lasso_node_at(l, i)->next)
        if (lasso_node_at(l, i)->done && lasso_node_at(l, i)->good)
            return true;
    return false;
}

static int by_key(const void *a, const void *b)
{
    lasso_key x = ((const struct beginning *)a)->key, y = ((const struct beginning *)b)->key;
    return (x > y) - (x < y);
}

/* All cycles among the nodes that are done. */
static void look_around(struct lasso *l)
{
    size_t count = l->nodes.count;
    struct around a = {.lasso = l,
                       .first = malloc(count * sizeof *a.first),
                       .round = calloc(count, sizeof *a.round),
                       .must_move = l->fair ? ~LASSO_ACCEPT : 0,
                       .busy = ~LASSO_ACCEPT};
    if (!a.first || !a.round)
        lasso_halt(l, "memory");
    l->beside = count * (sizeof *a.first + sizeof *a.round);
    for (uint32_t i = 0; i < l->states.count && !l->stop; i++)
        if (lasso_state_at(l, i)->first != LASSO_NOWHERE && is_good(l, i)) {
            note_state(&a, lasso_state_at(l, i));
            begin_in(&a, i);
        }
    struct beginning *b = a.beginnings.data;
    if (a.beginnings.count > 0)
        qsort(b, a.beginnings.count, sizeof *b, by_key);
    for (size_t i = 0; i < a.beginnings.count && !l->stop && b[i].key < l->best; i++)
        go_round(&a, b[i]);
    free(a.first);
    free(a.round);
    free(a.passages.data);
    free(a.heap.data);
    free(a.beginnings.data);
    l->beside = 0;
}

/* --- the trail --- */

/* Steps are generated again, each from its state. */
static void write_step(struct lasso *l, uint32_t state, uint32_t edge)
{
    struct product_arena *a = &l->arena;
    struct trail *trail = &l->verifier->trail;
    const struct shape *shape = stored_state(l->verifier, l->store, state, l->vector, l->key);
    a->steps.count = a->paths.count = a->pool_at = 0;
    product_generate(&l->product, l->vector, shape, 0, true);
    const struct product_step *s = product_step_at(a, edge);
    if (s->fault != 0) {
        trail->violation = s->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT;
        trail->fault = s->fault;
        trail->fault_transition = s->fault_transition;
    }
    product_trail_add(a, s, trail);
}

static void write_trail(struct lasso *l)
{
    struct trail *trail = &l->verifier->trail;
    struct lasso_path path = {0};
    bool cyclic = l->violation == product_cycle_kind(&l->product);
    for (uint32_t n = l->best_node; lasso_node_at(l, n)->parent != LASSO_NOWHERE;) {
        const struct lasso_node *node = lasso_node_at(l, n);
        n = node->parent;
        if (!path_add(l, &path, lasso_node_at(l, n)->state, node->edge))
            break;
    }
    path_reverse(&path);
    if (!cyclic)
        path_add(l, &path, lasso_node_at(l, l->best_node)->state, l->best_edge);
    trail->violation = l->violation;
    for (uint32_t i = 0; i < path.count; i++)
        write_step(l, path.state[i], path.edge[i]);
    trail->cycle = trail->count;
    for (uint32_t i = 0; cyclic && i < l->cycle.count; i++)
        write_step(l, l->cycle.state[i], l->cycle.edge[i]);
    free(path.state);
    free(path.edge);
}

void search_lasso(struct verifier *v)
{
    struct lasso *l = calloc(1, sizeof *l);
    if (!l || !lasso_graph_init(l, v)) {
        verifier_truncate(v, "memory");
    } else {
        l->bound = v->options->bound >= 0 ? v->options->bound : -1;
        l->free_cycles = l->bound >= 0;
        lasso_start(l);
        for (uint32_t nodes = FIRST_NODES; !l->stop; nodes *= 2) {
            lasso_explore(l, nodes);
            if (!l->stop)
                lasso_find_parts(l);
            if (!l->stop)
                look_around(l);
            if (lasso_explored(l))
                break;
        }
        v->trail.preemptions = v->trail.switches = -1;
        bool memory = v->truncated && strcmp(v->truncated_by, "memory") == 0;
        if (l->best != LASSO_DEAREST && !memory)
            write_trail(l);
        if (!v->truncated && l->best != LASSO_DEAREST) {
            v->trail.preemptions = (int)lasso_preemptions(l->best);
            v->trail.switches = (int)lasso_switches(l->best);
        }
        v->states = store_count(l->store);
    }
    if (l)
        lasso_graph_free(l);
    free(l);
}
