/* Stateful dynamic partial-order reduction (paper 004): dpor (por.h) that does not continue
 * from a state that it has seen before.
 *
 * A known state need not be explored again, but the new path to it matters: what is executed
 * after the state may be dependent with steps of the path, which then must be reversed (section
 * 4.2; simply pruning is the naive algorithm, which misses states). So the search learns which
 * operations can follow which:
 *
 *      pending operations at the state ──▶ visible-operation graph ──▶ summary: all operations
 *                                                                      that may follow
 *
 * and treats each operation of the summary as if it were pending here: a backtrack point before
 * the most recent dependent step of each other thread that does not happen before it (Fig. 6).
 * The operation comes later, so more may happen before it by then: what operations that must
 * come first bring with them is left out, and the rest at worst adds an unnecessary point.
 *
 * What differs from the paper:
 * - Sleep sets and source sets, as in dpor: if states never match it does the same as dpor. A
 *   thread that sleeps at a state is not explored from it, so a state is stored with the
 *   threads that slept. It matches if at least these sleep again (Godefroid, LNCS 1032, 5.4);
 *   otherwise it is explored once more, and the threads that slept both times are stored.
 * - An edge of the paper's graph joins two steps that were executed one after the other.
 *   After a step that leads to a known state nothing is executed, so the edge is missing, and
 *   a summary that starts before that step is too small. Here an edge leads from an operation
 *   to the one that its thread has pending afterwards (and to the first one of a thread that
 *   it created), drawn when a state is reached, known or not; a summary starts from all
 *   pending operations, also of disabled threads. This is smaller and has no gaps.
 * - The paper assumes that programs terminate. A state that occurs again on the path itself (a
 *   cycle) is not explored completely yet, so its summary is unknown. From the first cycle on a
 *   known state makes the search try every thread at every state of the path, which is the
 *   "initial solution" of section 4.2.
 *
 * States are compared by position->fingerprint (world.h) and a hash of the pending operations
 * and the enabled set, 64 bits each. With n states the probability that two different states
 * count as the same is below n^2 / 2^65: 3e-8 for a million.
 *
 * Invariant: every state that is in the table and not on the path has been explored completely,
 * except for the threads that slept there. */
#include <string.h>

#include "base/must.h"
#include "explore/reduction/por.h"
#include "explore/reduction/sdpor_graph.h"

struct state {
    uint64_t sleep;   /* threads 0 … 63 that were not explored because they slept */
    uint32_t on_path; /* how often it is on the path: a cycle may be repeated */
    bool others;      /* threads from 64 on slept, too: it never matches */
};

struct por_states {
    struct sdpor_graph graph;
    struct table known;       /* → struct state */
    VECTOR(uint32_t) creator; /* by thread: thread + 1 that created it, 0: unknown */
    bool cycles;              /* a state occurred twice on one path */
    /* of the walk that summarises a state, `threads` words for each of its nodes: */
    uint32_t threads;
    VECTOR(uint32_t) past; /* steps of the path that surely happen before the operation */
    VECTOR(uint32_t)
    joined; /* … that an operation of this form is dependent with, and theirs */
};

static struct strategy *sdpor_create(struct strategy_context *context, char *error,
                                     unsigned long error_size)
{
    if (context->options.bound >= 0) {
        strategy_copy(error, error_size, "strategy sdpor takes no --bound");
        return NULL;
    }
    if (!context->options.states) {
        strategy_copy(error, error_size,
                      "strategy sdpor needs a program whose states can be compared, and "
                      "this program's can't");
        return NULL;
    }
    struct strategy *strategy = por_create(context, false);
    struct por_states *states = pool_alloc(context->pool, sizeof *states);
    sdpor_graph_init(&states->graph, context->pool);
    table_init(&states->known, context->pool, sizeof(struct state));
    por_of(strategy)->states = states;
    return strategy;
}

/* --- the graph --- */

static uint32_t pending_node(struct por_states *states, const struct position *pos, int tid)
{
    return sdpor_graph_node(&states->graph, (uint32_t)tid, &pos->pending[tid]);
}

void por_states_pick(struct por *por, struct por_frame *frame, const struct position *pos)
{
    frame->node = pending_node(por->states, pos, (int)frame->chosen);
}

static void note_creator(struct por *por, uint32_t tid, int creator)
{
    struct por_states *states = por->states;
    while (states->creator.count <= tid)
        *vector_add(por->context->pool, &states->creator) = 0;
    states->creator.item[tid] = (uint32_t)creator + 1;
}

/* The operation, in its final form, is followed by what its thread does next and by the first
 * operations of threads that it created. */
void por_states_step(struct por *por, const struct por_frame *frame, const struct position *pos,
                     const struct op *done)
{
    struct por_states *states = por->states;
    uint32_t final = sdpor_graph_node(&states->graph, (uint32_t)pos->last, done);
    if (final != frame->node)
        sdpor_graph_edge(&states->graph, frame->node, final, true);
    for (int tid = 0; tid < pos->nthreads; tid++) {
        bool created = !clocks_is_born(&por->clocks, tid);
        if (pos->pending[tid].kind == OP_NONE || (tid != pos->last && !created))
            continue;
        if (created)
            note_creator(por, (uint32_t)tid, pos->last);
        sdpor_graph_edge(&states->graph, final, pending_node(states, pos, tid), false);
    }
}

/* --- the summary --- */

/* The thread itself or, if it does not exist yet, the nearest existing thread that will create
 * it, directly or indirectly. */
static int born_ancestor(const struct por *por, uint32_t tid)
{
    const struct por_states *states = por->states;
    while (!clocks_is_born(&por->clocks, (int)tid)) {
        if (tid >= states->creator.count || states->creator.item[tid] == 0)
            return -1;
        tid = states->creator.item[tid] - 1;
    }
    return (int)tid;
}

/* Points before the steps of `other`, from `step` back to `before`, that an operation of `tid`
 * may have to come before. If the thread is blocked there, earlier steps are tried, too. */
static void add_points_against(struct por *por, int tid, const struct op *op, int other,
                               uint32_t before)
{
    uint32_t step = UINT32_MAX;
    bool releases;
    while ((step = clocks_dependent(&por->clocks, other, op, step, &releases)) > before) {
        if (releases)
            continue;
        por_add_point(por, step - 1, tid);
        if (threadset_has(&por->frames.item[step - 1].enabled, tid))
            return;
    }
}

/* Fig. 6 for an operation that comes now or later. `past`: steps that happen before it then. */
static void add_points(struct por *por, const struct sdpor_node *node, const uint32_t *past)
{
    struct clocks *clocks = &por->clocks;
    uint32_t threads = clocks->threads.count, *candidate = por->candidate.item;
    int tid = born_ancestor(por, node->tid);
    if (tid < 0 || !clocks_candidates(clocks, tid, &node->op, candidate))
        return;
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t before = clocks_before(clocks, tid, (int)t);
        before = past[t] > before ? past[t] : before;
        if (candidate[t] > before)
            add_points_against(por, tid, &node->op, (int)t, before);
    }
}

/* Whatever executes this operation has, from then on, the steps behind it that it depends on.
 */
static void join_dependent(struct por *por, const struct sdpor_node *node, uint32_t *clock)
{
    struct clocks *clocks = &por->clocks;
    uint32_t threads = clocks->threads.count, *candidate = por->candidate.item;
    memset(clock, 0, threads * sizeof *clock);
    if (!clocks_candidates(clocks, (int)node->tid, &node->op, candidate))
        return;
    for (uint32_t from = 0; from < threads; from++)
        for (uint32_t t = 0; candidate[from] && t < threads; t++) {
            uint32_t step = clocks_of(clocks, candidate[from], (int)t);
            clock[t] = step > clock[t] ? step : clock[t];
        }
}

/* What is in the past of an operation is in that of the next one if all ways there have it.
 * Only a final form tells what the operation is dependent with: a compare-exchange may fail. */
static bool pass_on(uint32_t *next, const uint32_t *past, const uint32_t *joined,
                    uint32_t threads)
{
    bool changed = false;
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t step = joined && joined[t] > past[t] ? joined[t] : past[t];
        changed |= step < next[t];
        next[t] = step < next[t] ? step : next[t];
    }
    return changed;
}

static bool flow_from(struct por_states *states, uint32_t place)
{
    const struct sdpor_graph *graph = &states->graph;
    uint32_t threads = states->threads, id = graph->node.item[graph->walk.item[place]].edge;
    bool changed = false;
    for (; id; id = graph->edge.item[id].next) {
        const struct sdpor_edge *edge = &graph->edge.item[id];
        uint32_t to = graph->node.item[edge->to].place;
        changed |=
            pass_on(states->past.item + to * threads, states->past.item + place * threads,
                    edge->becomes ? NULL : states->joined.item + place * threads, threads);
    }
    return changed;
}

/* The greatest solution: what is reached in no way yet has all steps in its past. */
static void find_pasts(struct por *por, uint32_t pending)
{
    struct por_states *states = por->states;
    const struct sdpor_graph *graph = &states->graph;
    uint32_t threads = states->threads = por->clocks.threads.count, count = graph->walk.count;
    vector_reserve(por->context->pool, &por->candidate, threads);
    vector_reserve(por->context->pool, &states->past, count * threads);
    vector_reserve(por->context->pool, &states->joined, count * threads);
    memset(states->past.item, 0, pending * threads * sizeof *states->past.item);
    memset(states->past.item + pending * threads, 0xff,
           (count - pending) * threads * sizeof *states->past.item);
    for (uint32_t i = 0; i < count; i++)
        join_dependent(por, &graph->node.item[graph->walk.item[i]],
                       states->joined.item + i * threads);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < count; i++)
            changed |= flow_from(states, i);
    }
}

/* Every operation that can be executed after this state, as if it were pending here, except
 * that what comes before it on every way may put steps of the path in its past: behind a lock,
 * all that was done under it. Those steps can't be in a race with it. */
static void summarise_future(struct por *por, const struct position *pos)
{
    struct sdpor_graph *graph = &por->states->graph;
    sdpor_graph_start(graph);
    for (int tid = 0; tid < pos->nthreads; tid++)
        if (pos->pending[tid].kind != OP_NONE)
            sdpor_graph_visit(graph, pending_node(por->states, pos, tid));
    uint32_t pending = graph->walk.count;
    sdpor_graph_finish(graph);
    find_pasts(por, pending);
    for (uint32_t i = 0; i < graph->walk.count; i++)
        add_points(por, &graph->node.item[graph->walk.item[i]],
                   por->states->past.item + i * por->states->threads);
}

/* --- states --- */

static struct hash128 state_of(const struct position *pos)
{
    struct hash128 state = {pos->fingerprint(pos), 0};
    for (int i = 0; i * 64 < pos->nthreads; i++)
        state.high = hash_join(state.high, pos->enabled.word[i]);
    for (int tid = 0; tid < pos->nthreads; tid++) {
        const struct op *op = &pos->pending[tid];
        state.high = hash_join(state.high, (uint64_t)op->kind << 16 | op->flags);
        for (int i = 0; i < op->nobjects; i++)
            state.high = hash_join(state.high, op->object[i]);
    }
    return state;
}

static bool others_sleep(const struct por_frame *frame)
{
    for (int i = 1; i < THREADSET_WORDS; i++)
        if (frame->sleep.word[i])
            return true;
    return false;
}

static void try_everybody(struct por *por)
{
    for (uint32_t i = 0; i + 1 < por->frames.count; i++) {
        struct por_frame *frame = &por->frames.item[i];
        for (int w = 0; w < THREADSET_WORDS; w++)
            frame->backtrack.word[w] |= frame->enabled.word[w];
        frame->alternatives = (uint32_t)threadset_count(&frame->backtrack);
    }
}

/* --- livelocks --- */

/* An execution that returns to one of its own states can do so for ever. If every thread that
 * could run in between did run, this is a livelock. The world recognises it at the step limit,
 * as with every strategy, so the cycle is repeated up to there. */

#define ROUNDS 16 /* rounds that the step limit must have room for */

static uint32_t cycle_start(const struct por *por)
{
    uint32_t index = por->frames.count - 1;
    struct hash128 state = por->frames.item[index].state;
    while (index-- > 0)
        if (hash128_equal(por->frames.item[index].state, state))
            break;
    return index;
}

static bool leaves_nobody_out(const struct por *por, uint32_t first, uint32_t steps)
{
    threadset ran;
    threadset_clear(&ran);
    for (uint32_t i = first; i < first + steps; i++)
        threadset_add(&ran, (int)por->frames.item[i].chosen);
    for (uint32_t i = first; i < first + steps; i++)
        for (int w = 0; w < THREADSET_WORDS; w++)
            if (por->frames.item[i].enabled.word[w] & ~ran.word[w])
                return false;
    return true;
}

static void look_for_livelock(struct por *por)
{
    uint32_t first = cycle_start(por);
    uint32_t steps = por->frames.count - 1 - first;
    uint32_t nchoices = por->choices.count;
    bool chooses = nchoices > 0 && por->choices.item[nchoices - 1].frame >= first;
    if (chooses || steps > por->context->options.depth / ROUNDS ||
        !leaves_nobody_out(por, first, steps))
        return;
    por->round.first = first;
    por->round.steps = steps;
    por->round.at = 0;
}

bool por_states_turn_back(struct por *por, struct por_frame *frame, const struct position *pos)
{
    struct por_states *states = por->states;
    bool fresh;
    frame->state = state_of(pos);
    struct state *state =
        table_put(&states->known, frame->state.low, frame->state.high, &fresh);
    uint64_t sleep = frame->sleep.word[0];
    bool covered = !state->others && !(state->sleep & ~sleep);
    if (fresh || !covered) {
        state->sleep = fresh ? sleep : state->sleep & sleep;
        state->others = (fresh || state->others) && others_sleep(frame);
        state->on_path++;
        return false;
    }
    states->cycles |= state->on_path > 0;
    if (state->on_path > 0)
        look_for_livelock(por);
    por->context->turned_back |= !por->context->options.states_prove;
    if (states->cycles) {
        por->context->stats.cycle = true; /* it may repeat for ever: a livelock */
        strategy_raise(por->context, REASON_STATE_CYCLE);
        try_everybody(por);
    } else {
        summarise_future(por, pos);
    }
    return true;
}

void por_states_pop(struct por *por, const struct por_frame *frame)
{
    struct state *state = table_get(&por->states->known, frame->state.low, frame->state.high);
    must(state && state->on_path > 0);
    state->on_path--;
}

const struct strategy_ops strategy_sdpor = {
    .name = "sdpor",
    .traits = STRATEGY_TAKES_SYMMETRIC | STRATEGY_REDUCES | STRATEGY_STATEFUL,
    .help = "dpor that turns back at states it has seen",
    .create = sdpor_create,
    .begin = por_begin,
    .pick = por_pick,
    .choose = por_choose,
    .end = por_end,
};
