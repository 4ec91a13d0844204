/* Context bounds of all prefixes, and which of them are exhausted (cbpor_graph.h).
 *
 * States with equal 128-bit fingerprints count as equal: with n states the probability that any
 * two of them collide is below n^2 / 2^129, that is 1.5e-19 for ten million and 1.5e-15 for a
 * thousand million. A collision could hide states; apart from the program being deterministic,
 * this is the only assumption that "complete" rests on.
 *
 * Both walks over prefixes keep their own stack, because a strategy may run on the small stack
 * of a thread of the program. */
#include "explore/cbpor/cbpor_graph.h"

#include <string.h>

#include "explore/cbpor/cbpor_leaf.h"

/* Numbers of threads that fill a table slot: 2, 6, 14, … with 4 + 2 bytes each. */
#define FEWEST_LANES 2

/* When to give up: a fraction of a second for one trace, during which the search can't be
 * stopped, and memory for the tables. */
#define WORK_PER_STATE 64
#define WORK_PER_TRACE (UINT64_C(1) << 25)
#define FREE_TRACES    10 /* the first traces share little: so many times `most` are free */
#define MEMORY_LIMIT   (UINT64_C(128) << 20)

/* Fewer states than this are not worth thinning out. */
#define FEWEST_TO_THIN (1u << 15)

static uint32_t state_size(uint32_t lanes)
{
    return (uint32_t)(sizeof(struct cbpor_state) + lanes * sizeof(struct cbpor_lane));
}

void cbpor_graph_init(struct cbpor_graph *graph, struct pool *pool)
{
    memset(graph, 0, sizeof *graph);
    graph->pool = pool;
    graph->lanes = FEWEST_LANES;
    graph->horizon = CBPOR_HIGHEST;
    graph->sparing = CBPOR_SPARING;
    graph->thin_at = graph->thin_from = FEWEST_TO_THIN;
    graph->ended = pool_alloc(pool, CBPOR_ENDED * sizeof *graph->ended);
    table_init(&graph->states, pool, state_size(graph->lanes));
    table_init(&graph->choices, pool, sizeof(uint64_t));
    cbpor_seen_init(&graph->seen, pool);
}

void cbpor_graph_destroy(struct cbpor_graph *graph)
{
    table_destroy(&graph->states);
    table_destroy(&graph->choices);
    pool_free(graph->pool, graph->ended, CBPOR_ENDED * sizeof *graph->ended);
    table_destroy(&graph->seen.table);
    table_destroy(&graph->seen.locals);
    table_destroy(&graph->seen.users);
}

static void clear_lanes(struct cbpor_state *state, uint32_t from, uint32_t to)
{
    for (uint32_t tid = from; tid < to; tid++)
        state->lane[tid] = (struct cbpor_lane){.arrive = CBPOR_NEVER};
}

void cbpor_graph_clear(struct cbpor_graph *graph)
{
    table_clear(&graph->states);
    table_clear(&graph->choices);
    memset(graph->ended, 0, CBPOR_ENDED * sizeof *graph->ended);
    graph->doubts.count = 0;
}

void cbpor_graph_widen(struct cbpor_graph *graph, uint32_t threads)
{
    if (threads <= graph->lanes)
        return;
    uint32_t lanes = graph->lanes;
    while (lanes < threads)
        lanes = lanes * 2 + 2;
    struct table wider;
    uint32_t cursor = 0;
    uint64_t key[2];
    const struct cbpor_state *state;
    table_init(&wider, graph->pool, state_size(lanes));
    while ((state = table_next(&graph->states, &cursor, key))) {
        struct cbpor_state *copy = table_put(&wider, key[0], key[1], NULL);
        memcpy(copy, state, state_size(graph->lanes));
        clear_lanes(copy, graph->lanes, lanes);
    }
    table_destroy(&graph->states);
    graph->states = wider;
    graph->lanes = lanes;
}

struct cbpor_state *cbpor_graph_get(const struct cbpor_graph *graph, struct hash128 key)
{
    return table_get(&graph->states, key.low, key.high);
}

static uint64_t memory_of(const struct table *table)
{
    return (uint64_t)table->capacity * table->stride;
}

static uint32_t largest_capacity(const struct cbpor_graph *graph)
{
    uint32_t capacity = 1;
    uint64_t others = memory_of(&graph->choices) + memory_of(&graph->seen.table);
    while (capacity * 2 * (uint64_t)graph->states.stride + others <= MEMORY_LIMIT)
        capacity *= 2;
    return capacity;
}

static bool is_spent(const void *value)
{
    return ((const struct cbpor_state *)value)->exhausted == CBPOR_NEVER;
}

void cbpor_graph_thin(struct cbpor_graph *graph)
{
    if (graph->states.count < graph->thin_at)
        return;
    table_drop(&graph->states, is_spent);
    if (graph->thin_from == 0)
        return;
    uint32_t left = graph->states.count;
    uint32_t full = largest_capacity(graph) / 8 * 5; /* room for a trace is left */
    graph->thin_at = left < graph->thin_from / 2 ? graph->thin_from : left * 2;
    if (graph->thin_at > full && left < full / 8 * 7)
        graph->thin_at = full;
}

static struct cbpor_visit *push_visit(struct cbpor_graph *graph, int tid, uint32_t event)
{
    struct cbpor_visit *visit = vector_add(graph->pool, &graph->stack);
    *visit = (struct cbpor_visit){.tid = tid, .event = event};
    return visit;
}

/* --- context bounds: paper 000, section 3.2 --- */

static uint8_t more_by_one(const struct cbpor_graph *graph, uint8_t preemptions)
{
    return preemptions <= graph->horizon ? preemptions + 1 : preemptions;
}

/* Computes the least cost of leaving from the costs of arriving. False: it depends on whether
 * *asked can continue, which is unknown. */
static bool cost_of_leaving(const struct cbpor_graph *graph, const struct cbpor_cut *cut,
                            const uint8_t *arrive, uint8_t *leave, int *asked)
{
    uint8_t possible = CBPOR_NEVER; /* the cost if every unknown answer is the cheaper one */
    *leave = CBPOR_NEVER;
    for (int tid = 0; tid < (int)cut->last.count; tid++) {
        if (arrive[tid] >= *leave)
            continue;
        bool beyond = arrive[tid] > graph->horizon; /* then one more does not count */
        enum cbpor_answer answer = beyond ? CBPOR_NO : cbpor_goes_on(cut, tid, &graph->seen);
        uint8_t cost = CBPOR_NEVER;
        if (answer == CBPOR_NO)
            cost = arrive[tid];
        else
            cost = more_by_one(graph, arrive[tid]);
        if (answer == CBPOR_UNKNOWN && arrive[tid] < possible) {
            possible = arrive[tid];
            *asked = tid;
        }
        if (cost < *leave)
            *leave = cost;
    }
    return possible >= *leave;
}

static void add_state(struct cbpor_graph *graph, const struct cbpor_cut *cut,
                      const uint8_t *arrive, uint8_t leave)
{
    struct cbpor_state *state = table_put(&graph->states, cut->key.low, cut->key.high, NULL);
    graph->added++;
    clear_lanes(state, 0, graph->lanes);
    state->leave = leave;
    state->exhausted = leave;
    for (uint32_t tid = 0; tid < cut->last.count; tid++) {
        state->lane[tid].arrive = arrive[tid];
        if (arrive[tid] < state->exhausted)
            state->exhausted = arrive[tid];
    }
}

/* The states of the cut's predecessors are rarely in the cache: prefetches all of them before
 * the first is used. */
static void fetch_predecessors(const struct cbpor_graph *graph, const struct cbpor_cut *cut)
{
    for (int tid = 0; tid < (int)cut->last.count; tid++)
        if (cut->last.item[tid] != NO_EVENT) {
            struct hash128 key = cbpor_cut_before(cut, tid);
            table_fetch(&graph->states, key.low, key.high);
        }
}

/* Computes the costs of arriving at the cut from its predecessors. Returns the first
 * predecessor that is not known yet, -1: all are known. */
static int costs_of_arriving(const struct cbpor_graph *graph, const struct cbpor_cut *cut,
                             struct cbpor_visit *visit, uint8_t *arrive)
{
    for (; visit->next < (int)cut->last.count; visit->next++) {
        int tid = visit->next;
        arrive[tid] = CBPOR_NEVER;
        if (!cbpor_cut_frontier(cut, tid))
            continue;
        const struct cbpor_state *before = cbpor_graph_get(graph, cbpor_cut_before(cut, tid));
        if (!before)
            return tid;
        uint8_t cost = cbpor_cost(before, tid);
        bool beyond = cost != CBPOR_NEVER && cost > graph->horizon;
        arrive[tid] = beyond ? (uint8_t)(graph->horizon + 1) : cost;
    }
    return -1;
}

/* Programs with many threads have too many prefixes to look at: two to the number of threads
 * even if the threads are independent. */
static bool is_too_large(struct cbpor_graph *graph, uint32_t width)
{
    graph->work += (uint64_t)width * width + WORK_PER_STATE;
    bool is_long = graph->most && graph->added > graph->most &&
                   graph->added_in_all + graph->added > graph->most * FREE_TRACES;
    return graph->work > WORK_PER_TRACE || is_long ||
           memory_of(&graph->states) + memory_of(&graph->choices) +
                   memory_of(&graph->seen.table) >
               MEMORY_LIMIT;
}

/* Early cut-off: is the cut, which is not known yet, certainly beyond the horizon? */
static bool is_beyond(struct cbpor_graph *graph, const struct cbpor_cut *cut, int bound)
{
    if (graph->horizon == CBPOR_HIGHEST && graph->added >= graph->sparing)
        graph->horizon = bound;
    return graph->horizon < CBPOR_HIGHEST && cbpor_cut_least(cut) > graph->horizon;
}

enum cbpor_result cbpor_compute(struct cbpor_graph *graph, struct cbpor_cut *cut, int after,
                                int bound, int *tid)
{
    uint32_t width = cut->last.count;
    cbpor_graph_widen(graph, width);
    graph->stack.count = 0;
    if (cbpor_graph_get(graph, cut->key))
        return CBPOR_COMPUTED;
    push_visit(graph, -1, NO_EVENT);
    while (graph->stack.count > 0) {
        uint32_t top = graph->stack.count - 1;
        struct cbpor_visit *visit = &graph->stack.item[top];
        if (visit->next == 0)
            fetch_predecessors(graph, cut);
        vector_reserve(graph->pool, &graph->arrive, (top + 1) * width);
        uint8_t *arrive = &graph->arrive.item[top * width];
        int missing = costs_of_arriving(graph, cut, visit, arrive);
        if (missing >= 0) {
            uint32_t event = cbpor_cut_remove(cut, missing);
            if (!is_beyond(graph, cut, bound)) {
                push_visit(graph, missing, event);
                continue;
            }
            cbpor_cut_restore(cut, missing, event);
            arrive[missing] = (uint8_t)(graph->horizon + 1);
            visit->next++;
            continue;
        }
        bool terminal = after >= 0 && top == 0;
        uint8_t leave = terminal ? (uint8_t)after : 0;
        if (!cbpor_cut_empty(cut) && !terminal &&
            !cost_of_leaving(graph, cut, arrive, &leave, tid))
            return CBPOR_ASKS;
        if (is_too_large(graph, width))
            return CBPOR_TOO_LARGE;
        add_state(graph, cut, arrive, leave);
        if (top > 0)
            cbpor_cut_restore(cut, visit->tid, visit->event);
        graph->stack.count--;
    }
    graph->added_in_all += graph->added;
    graph->work = graph->added = 0;
    return CBPOR_COMPUTED;
}

/* --- data choices: a step with choices leads to a tree of states --- */

static struct hash128 choice_root(struct hash128 state, int tid)
{
    hash128_join(&state, (uint64_t)tid + 1);
    return state;
}

static struct hash128 choice_branch(struct hash128 node, uint32_t value)
{
    hash128_join(&node, (uint64_t)value + 1);
    return node;
}

static uint8_t choice_exhausted(const struct cbpor_graph *graph, struct hash128 node)
{
    const uint8_t *exhausted = table_get(&graph->choices, node.low, node.high);
    return exhausted ? *exhausted : 0;
}

/* The state after the step with these choices is exhausted for this many bounds: for how many
 * is the step exhausted, whatever its choices? */
static uint8_t choices_raise(struct cbpor_graph *graph, struct hash128 node,
                             const struct cbpor_choice *choice, uint32_t count,
                             uint8_t exhausted)
{
    if (count == 0)
        return exhausted;
    uint8_t least = CBPOR_NEVER;
    for (uint32_t value = 0; value < choice->n; value++) {
        struct hash128 branch = choice_branch(node, value);
        if (value == choice->value) {
            exhausted = choices_raise(graph, branch, choice + 1, count - 1, exhausted);
            *(uint8_t *)table_put(&graph->choices, branch.low, branch.high, NULL) = exhausted;
        }
        uint8_t branch_exhausted = choice_exhausted(graph, branch);
        if (branch_exhausted < least)
            least = branch_exhausted;
    }
    return least;
}

uint32_t cbpor_choose(const struct cbpor_graph *graph, struct hash128 state, int tid,
                      const struct cbpor_choice *before, uint32_t nbefore, uint32_t n,
                      int bound)
{
    struct hash128 node = choice_root(state, tid);
    for (uint32_t i = 0; i < nbefore; i++)
        node = choice_branch(node, before[i].value);
    for (uint32_t value = 0; value < n; value++)
        if (choice_exhausted(graph, choice_branch(node, value)) <= bound)
            return value;
    return 0;
}

/* --- Mark: paper 000, Algorithm 2 --- */

static enum cbpor_answer is_enabled(const struct cbpor_graph *graph,
                                    const struct cbpor_cut *cut, int tid,
                                    const threadset *enabled)
{
    if (enabled)
        return threadset_has(enabled, tid) ? CBPOR_YES : CBPOR_NO;
    return cbpor_enabled(cut, tid, &graph->seen);
}

static void add_doubt(struct cbpor_graph *graph, const struct cbpor_cut *cut, int tid)
{
    *vector_add(graph->pool, &graph->doubts) = (uint32_t)tid;
    for (uint32_t i = 0; i < cut->last.count; i++)
        *vector_add(graph->pool, &graph->doubts) = cut->last.item[i];
}

static uint8_t least_preemptions(const struct cbpor_cut *cut, const struct cbpor_state *state)
{
    uint8_t least = state->leave;
    for (uint32_t tid = 0; tid < cut->last.count; tid++)
        if (state->lane[tid].arrive < least)
            least = state->lane[tid].arrive;
    return least;
}

/* min over enabled t of max(CB(s, t), done[t]). A thread that is not known to be enabled or
 * disabled counts as enabled; if only such threads keep the level down, that is a doubt. */
static uint8_t level_of(struct cbpor_graph *graph, const struct cbpor_cut *cut,
                        struct cbpor_state *state, const threadset *enabled)
{
    uint8_t level = CBPOR_NEVER;
    uint8_t doubtful = CBPOR_NEVER;
    int asked = -1;
    if (graph->every_state && !state->visited)
        level = least_preemptions(cut, state);
    for (int tid = 0; tid < (int)cut->last.count && level > state->exhausted; tid++) {
        uint8_t cost = cbpor_cost(state, tid);
        uint8_t done = state->lane[tid].done;
        uint8_t both = cost > done ? cost : done;
        if (both >= level)
            continue;
        if (graph->leaf && cbpor_leaf_excludes(graph->leaf, cut, tid)) {
            state->lane[tid].done = CBPOR_NEVER;
            continue;
        }
        enum cbpor_answer answer = done > 0 ? CBPOR_YES : is_enabled(graph, cut, tid, enabled);
        if (answer == CBPOR_UNKNOWN && both < doubtful) {
            doubtful = both;
            asked = tid;
        } else if (answer != CBPOR_NO && answer != CBPOR_UNKNOWN) {
            level = both;
        }
    }
    if (doubtful < level && level > state->exhausted)
        add_doubt(graph, cut, asked);
    return level < doubtful ? level : doubtful;
}

void cbpor_exclude(struct cbpor_graph *graph, const struct cbpor_cut *cut)
{
    struct cbpor_state *state = cbpor_graph_get(graph, cut->key);
    for (int tid = 0; graph->leaf && tid < (int)cut->last.count; tid++)
        if (state->lane[tid].done != CBPOR_NEVER && cbpor_leaf_excludes(graph->leaf, cut, tid))
            state->lane[tid].done = CBPOR_NEVER;
}

/* The state after the cut's step `event` of `tid` is exhausted for this many bounds. If the cut
 * itself is now exhausted for more bounds than before, returns for how many, else 0. */
static uint8_t step_raises(struct cbpor_graph *graph, const struct cbpor_cut *cut, int tid,
                           uint32_t event, uint8_t exhausted)
{
    const struct cbpor_choice *choices;
    uint32_t nchoices = cbpor_trace_choices(cut->trace, event, &choices);
    exhausted = choices_raise(graph, choice_root(cut->key, tid), choices, nchoices, exhausted);
    struct cbpor_state *state = cbpor_graph_get(graph, cut->key);
    if (!state || exhausted <= state->lane[tid].done) /* no state: beyond the horizon */
        return 0;
    state->lane[tid].done = exhausted;
    uint8_t level = level_of(graph, cut, state, NULL);
    if (level <= state->exhausted)
        return 0;
    state->exhausted = level;
    return level;
}

/* Updates the prefixes of a state that has just been raised. */
static void spread_exhausted(struct cbpor_graph *graph, struct cbpor_cut *cut)
{
    graph->stack.count = 0;
    push_visit(graph, -1, NO_EVENT)->exhausted = cbpor_graph_get(graph, cut->key)->exhausted;
    while (graph->stack.count > 0) {
        struct cbpor_visit *visit = &graph->stack.item[graph->stack.count - 1];
        if (visit->next == 0)
            fetch_predecessors(graph, cut);
        int tid = visit->next++;
        if (tid >= (int)cut->last.count) {
            if (visit->tid >= 0)
                cbpor_cut_restore(cut, visit->tid, visit->event);
            graph->stack.count--;
            continue;
        }
        if (!cbpor_cut_frontier(cut, tid))
            continue;
        uint32_t event = cbpor_cut_remove(cut, tid);
        uint8_t level = step_raises(graph, cut, tid, event, visit->exhausted);
        if (level > 0)
            push_visit(graph, tid, event)->exhausted = level;
        else
            cbpor_cut_restore(cut, tid, event);
    }
}

void cbpor_raise(struct cbpor_graph *graph, struct cbpor_cut *cut, const threadset *enabled)
{
    struct cbpor_state *state = cbpor_graph_get(graph, cut->key);
    uint8_t level = level_of(graph, cut, state, enabled);
    if (level <= state->exhausted)
        return;
    state->exhausted = level;
    spread_exhausted(graph, cut);
}

bool cbpor_raise_terminal(struct cbpor_graph *graph, struct cbpor_cut *cut)
{
    struct cbpor_state *state = cbpor_graph_get(graph, cut->key);
    struct hash128 *ended = &graph->ended[cut->key.low % CBPOR_ENDED];
    bool known = ended->low == cut->key.low && ended->high == cut->key.high;
    if (state->exhausted == CBPOR_NEVER || (known && !cbpor_cut_empty(cut)))
        return false;
    *ended = cut->key;
    state->exhausted = CBPOR_NEVER;
    spread_exhausted(graph, cut);
    return true;
}

bool cbpor_doubt(struct cbpor_graph *graph, struct cbpor_cut *cut, int within, int *tid)
{
    uint32_t width = cut->trace->threads.count;
    while (graph->doubts.count > 0) {
        const uint32_t *doubt = &graph->doubts.item[graph->doubts.count - width - 1];
        *tid = (int)doubt[0];
        cbpor_cut_full(cut, cut->trace);
        for (uint32_t i = 0; i < width; i++)
            cbpor_cut_restore(cut, (int)i, doubt[i + 1]);
        const struct cbpor_state *state = cbpor_graph_get(graph, cut->key);
        bool reachable = least_preemptions(cut, state) <= within;
        if (reachable && cbpor_enabled(cut, *tid, &graph->seen) == CBPOR_UNKNOWN)
            return true;
        graph->doubts.count -= width + 1;
        if (reachable)
            cbpor_raise(graph, cut, NULL);
    }
    return false;
}

/* --- the order to run a prefix in --- */

int cbpor_last_of(const struct cbpor_graph *graph, const struct cbpor_cut *cut)
{
    const struct cbpor_state *state = cbpor_graph_get(graph, cut->key);
    int best = -1;
    for (int tid = 0; tid < (int)cut->last.count; tid++)
        if (state->lane[tid].arrive < (best < 0 ? CBPOR_NEVER : state->lane[best].arrive))
            best = tid;
    return best;
}

int cbpor_last_before(const struct cbpor_graph *graph, const struct cbpor_cut *cut, int tid)
{
    const struct cbpor_state *state = cbpor_graph_get(graph, cut->key);
    uint8_t cost = cbpor_cost(state, tid);
    if (state->lane[tid].arrive == cost && cost != CBPOR_NEVER)
        return tid;
    int guess = -1;
    for (int last = 0; last < (int)cut->last.count; last++) {
        uint8_t arrive = state->lane[last].arrive;
        if (arrive > cost)
            continue;
        /* unknown in this trace: another trace knew that it continues, or it does not matter
         */
        enum cbpor_answer answer = cbpor_goes_on(cut, last, &graph->seen);
        if ((answer == CBPOR_NO && arrive == cost) ||
            (answer != CBPOR_NO && more_by_one(graph, arrive) == cost))
            return last;
        if (arrive == cost)
            guess = last;
    }
    /* a trace that was given up early shows less: another one knew that it can't continue */
    return guess;
}

void cbpor_linearise(struct cbpor_graph *graph, struct cbpor_cut *cut, int last,
                     struct cbpor_order *order)
{
    order->events.count = 0;
    while (last >= 0) {
        uint32_t event = cbpor_cut_remove(cut, last);
        uint32_t first = cut->trace->events.item[event].block;
        for (; event != first; event = cut->trace->events.item[event].previous)
            *vector_add(graph->pool, &order->events) = event;
        *vector_add(graph->pool, &order->events) = first;
        last = cbpor_last_before(graph, cut, last);
    }
}
