/* The strategy `sdpor` (sdpor.h; paper 004, Fig. 5 and 6).
 *
 * Races are looked for where a state is reached, as in paper 002, Algorithm 2: for each thread
 * the pending operation against the most recent dependent step of each other thread that does
 * not happen before it. An operation of a summary is looked at in the same way; it comes later,
 * so more may happen before it by then, and a backtrack point too many is the worst outcome.
 *
 * Invariant: frames [0, kept) have the same step as in the execution before; every state that
 * is in the table and not on the path has been explored completely. */
#include "explore/sdpor.h"

#include <string.h>

#include "base/hash.h"
#include "explore/clocks.h"
#include "explore/optimal_choices.h"
#include "explore/sdpor_graph.h"
#include "explore/tree.h"

struct frame {
    uint32_t chosen;
    uint32_t choice; /* data choices of the step: planned, then executed */
    uint32_t situation;
    uint32_t node; /* of the step's operation */
    struct hash128 state;
    threadset enabled;
    threadset backtrack; /* explored, or to be explored */
    threadset done;
};

struct state {
    bool on_path;
};

struct strategy {
    struct strategy_context *context;
    struct sdpor_rules rules;
    struct clocks clocks; /* step n leaves frame n-1 */
    struct optimal_choices choices;
    struct sdpor_graph graph;
    struct table states;
    VECTOR(struct frame) frames;
    VECTOR(uint32_t) candidate; /* scratch */
    uint32_t points;            /* backtrack points so far, for `drop` */
    uint32_t cursor;
    uint32_t kept;
    uint32_t choice;  /* of the step being executed */
    uint32_t initial; /* data choices before the first operation, planned */
    bool created;     /* threads may be new */
    bool turned_back;
    bool diverged;
    bool cycles; /* a state was met twice on one path */
};

struct strategy *sdpor_create(struct strategy_context *context, const struct sdpor_rules *rules,
                              char *error, unsigned long error_size)
{
    if (context->options.bound >= 0) {
        strategy_error(error, error_size, "strategy sdpor takes no --bound");
        return NULL;
    }
    if (!context->options.states) {
        strategy_error(error, error_size,
                       "strategy sdpor needs a program whose states can be told apart, which "
                       "this one's can't");
        return NULL;
    }
    struct strategy *sdpor = pool_alloc(context->pool, sizeof *sdpor);
    sdpor->context = context;
    sdpor->rules = *rules;
    clocks_init(&sdpor->clocks, context->pool);
    optimal_choices_init(&sdpor->choices, context->pool);
    sdpor_graph_init(&sdpor->graph, context->pool);
    table_init(&sdpor->states, context->pool, sizeof(struct state));
    return sdpor;
}

static struct strategy *create(struct strategy_context *context, char *error,
                               unsigned long error_size)
{
    const struct sdpor_rules rules = {0};
    return sdpor_create(context, &rules, error, error_size);
}

static void begin(struct strategy *sdpor)
{
    sdpor->cursor = 0;
    sdpor->choice = 0;
    sdpor->created = true;
    sdpor->turned_back = sdpor->diverged = false;
    clocks_begin(&sdpor->clocks, sdpor->kept);
}

/* ---- backtrack points ---- */

static void add_all(threadset *set, const threadset *more)
{
    for (int i = 0; i < THREADSET_WORDS; i++)
        set->word[i] |= more->word[i];
}

/* Let `tid` come before `step`; if it can't run there, anybody might have to make way for it
 * (Fig. 6, lines 7 to 10). */
static void add_point(struct strategy *sdpor, uint32_t step, uint32_t tid)
{
    struct frame *frame = &sdpor->frames.item[step - 1];
    if (sdpor->rules.drop && ++sdpor->points % sdpor->rules.drop == 0)
        return;
    if (threadset_has(&frame->enabled, (int)tid))
        threadset_add(&frame->backtrack, (int)tid);
    else
        add_all(&frame->backtrack, &frame->enabled);
}

/* Fig. 6 for an operation of `tid` that comes now or later. */
static void update_backtrack_sets(struct strategy *sdpor, uint32_t tid, const struct op *op)
{
    struct clocks *clocks = &sdpor->clocks;
    uint32_t threads = clocks->threads.count;
    bool born = clocks_is_born(clocks, (int)tid);
    vector_reserve(sdpor->context->pool, &sdpor->candidate, threads);
    uint32_t *candidate = sdpor->candidate.item;
    if (!clocks_candidates(clocks, (int)tid, op, candidate))
        return;
    for (uint32_t t = 0; t < threads; t++)
        if (candidate[t] && !(born && candidate[t] <= clocks_before(clocks, (int)tid, (int)t)))
            add_point(sdpor, candidate[t], tid);
}

/* A state was reached: what is pending there against the steps that led to it. Operations that
 * were pending before the last step can only be new races with that step. */
static void detect_races(struct strategy *sdpor, const struct position *pos)
{
    for (int tid = 0; tid < pos->nthreads; tid++) {
        const struct op *op = &pos->pending[tid];
        if (op->kind == OP_NONE || !clocks_is_born(&sdpor->clocks, tid))
            continue;
        if (tid == pos->last || sdpor->created)
            update_backtrack_sets(sdpor, (uint32_t)tid, op);
        else if (pos->done && op_dependent(pos->done, op))
            add_point(sdpor, sdpor->clocks.steps, (uint32_t)tid);
    }
}

/* ---- the graph and the summary ---- */

static uint32_t pending_node(struct strategy *sdpor, const struct position *pos, int tid)
{
    return sdpor_graph_node(&sdpor->graph, (uint32_t)tid, &pos->pending[tid]);
}

/* The last step has led here: its operation, in its final form, is followed by what its thread
 * does next and by the first operations of threads that it created. */
static void draw_edges(struct strategy *sdpor, const struct position *pos, uint32_t node)
{
    uint32_t final = sdpor_graph_node(&sdpor->graph, (uint32_t)pos->last, pos->done);
    if (final != node)
        sdpor_graph_edge(&sdpor->graph, node, final);
    for (int tid = 0; tid < pos->nthreads; tid++) {
        bool follows = tid == pos->last || !clocks_is_born(&sdpor->clocks, tid);
        if (follows && pos->pending[tid].kind != OP_NONE)
            sdpor_graph_edge(&sdpor->graph, final, pending_node(sdpor, pos, tid));
    }
}

/* Every operation that can be executed after this state, as if it were pending here. */
static void summarise(struct strategy *sdpor, const struct position *pos)
{
    struct sdpor_graph *graph = &sdpor->graph;
    sdpor_graph_start(graph);
    for (int tid = 0; tid < pos->nthreads; tid++)
        if (pos->pending[tid].kind != OP_NONE)
            sdpor_graph_visit(graph, pending_node(sdpor, pos, tid));
    if (!sdpor->rules.no_edges)
        sdpor_graph_finish(graph);
    for (uint32_t i = 0; i < graph->walk.count; i++) {
        const struct sdpor_node *node = &graph->node.item[graph->walk.item[i]];
        update_backtrack_sets(sdpor, node->tid, &node->op);
    }
}

/* ---- states ---- */

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

/* A state that was seen before: add the backtrack points that exploring it again would add. */
static void turn_back(struct strategy *sdpor, const struct position *pos,
                      const struct state *state)
{
    sdpor->turned_back = true;
    sdpor->context->unproven = true; /* on the word of a hash */
    sdpor->cycles |= state->on_path;
    if (sdpor->rules.no_summary)
        return;
    if (!sdpor->cycles) {
        summarise(sdpor, pos);
        return;
    }
    for (uint32_t i = 0; i < sdpor->frames.count; i++)
        add_all(&sdpor->frames.item[i].backtrack, &sdpor->frames.item[i].enabled);
}

/* ---- the path ---- */

static void note_births(struct strategy *sdpor, const struct position *pos)
{
    for (int tid = 0; tid < pos->nthreads && sdpor->created; tid++)
        if (pos->pending[tid].kind != OP_NONE && !clocks_is_born(&sdpor->clocks, tid))
            clocks_born(&sdpor->clocks, tid);
}

/* Take in the last step, if it is new on the path: its graph edges and its races. */
static void settle_step(struct strategy *sdpor, const struct position *pos)
{
    if (pos->done) {
        const struct frame *frame = &sdpor->frames.item[sdpor->cursor - 1];
        bool fresh = sdpor->cursor > sdpor->kept;
        if (fresh) /* the final form may name objects that the pending one did not */
            update_backtrack_sets(sdpor, (uint32_t)pos->last, pos->done);
        clocks_step(&sdpor->clocks, pos->last, pos->done);
        sdpor->created |= op_may_create(pos->done);
        if (fresh)
            draw_edges(sdpor, pos, frame->node);
    }
    note_births(sdpor, pos);
    if (sdpor->cursor >= sdpor->kept)
        detect_races(sdpor, pos);
    sdpor->created = false;
}

static uint32_t situation_at(const struct strategy *sdpor, const struct position *pos)
{
    uint32_t before = sdpor->cursor ? sdpor->frames.item[sdpor->cursor - 1].situation : 0;
    return (uint32_t)(hash_mix(tree_situation(pos) + before) >> 32);
}

/* A state that is new on the path. */
static bool extend(struct strategy *sdpor, const struct position *pos, uint32_t situation)
{
    bool fresh;
    struct hash128 key = state_of(pos);
    struct state *state = table_put(&sdpor->states, key.low, key.high, &fresh);
    if (!fresh) {
        turn_back(sdpor, pos, state);
        return false;
    }
    state->on_path = true;
    struct frame *frame = vector_add(sdpor->context->pool, &sdpor->frames);
    memset(frame, 0, sizeof *frame);
    frame->situation = situation;
    frame->state = key;
    frame->enabled = pos->enabled;
    frame->chosen = (uint32_t)tree_alternative(pos, 0);
    threadset_add(&frame->backtrack, (int)frame->chosen);
    return true;
}

static int pick(struct strategy *sdpor, const struct position *pos)
{
    if (sdpor->diverged)
        return PICK_DIVERGED;
    if (sdpor->cursor == 0)
        sdpor->initial = sdpor->choice;
    else
        sdpor->frames.item[sdpor->cursor - 1].choice = sdpor->choice;
    settle_step(sdpor, pos);
    uint32_t situation = situation_at(sdpor, pos);
    if (sdpor->cursor == sdpor->frames.count && !extend(sdpor, pos, situation))
        return PICK_PRUNE;
    struct frame *frame = &sdpor->frames.item[sdpor->cursor++];
    int tid = (int)frame->chosen;
    if (frame->situation != situation || !threadset_has(&pos->enabled, tid)) {
        sdpor->diverged = true;
        return PICK_DIVERGED;
    }
    frame->node = pending_node(sdpor, pos, tid);
    sdpor->choice = 0;
    return tid;
}

static int choose(struct strategy *sdpor, int n)
{
    if (sdpor->diverged)
        return 0;
    uint32_t planned =
        sdpor->cursor ? sdpor->frames.item[sdpor->cursor - 1].choice : sdpor->initial;
    int value = optimal_choices_follow(&sdpor->choices, &sdpor->choice, planned, n);
    sdpor->diverged = value < 0;
    return value < 0 ? 0 : value;
}

/* The next data choice of the last frame's step, or the next thread of its backtrack set. */
static bool next_step(struct strategy *sdpor, struct frame *frame)
{
    frame->choice = optimal_choices_next(&sdpor->choices, frame->choice);
    if (frame->choice)
        return true;
    threadset_add(&frame->done, (int)frame->chosen);
    for (int tid = threadset_next(&frame->backtrack, 0); tid >= 0;
         tid = threadset_next(&frame->backtrack, tid + 1)) {
        if (threadset_has(&frame->done, tid))
            continue;
        frame->chosen = (uint32_t)tid;
        return true;
    }
    return false;
}

static bool advance(struct strategy *sdpor)
{
    while (sdpor->frames.count > 0) {
        struct frame *frame = &sdpor->frames.item[sdpor->frames.count - 1];
        sdpor->kept = sdpor->frames.count - 1;
        if (next_step(sdpor, frame))
            return true;
        ((struct state *)table_get(&sdpor->states, frame->state.low, frame->state.high))
            ->on_path = false;
        sdpor->frames.count--;
    }
    sdpor->kept = 0;
    sdpor->initial = optimal_choices_next(&sdpor->choices, sdpor->initial);
    return sdpor->initial != 0;
}

/* The last state of an execution that ran to its end. */
static void finish(struct strategy *sdpor, const struct position *pos, enum outcome outcome)
{
    if (sdpor->cursor == 0) {
        sdpor->initial = sdpor->choice;
        return;
    }
    struct frame *last = &sdpor->frames.item[sdpor->cursor - 1];
    last->choice = sdpor->choice;
    settle_step(sdpor, pos);
    /* Stopped in the middle: whoever stopped it might have come later. */
    if (outcome == OUTCOME_FAILED || outcome == OUTCOME_ASSUME_FAILED)
        add_all(&last->backtrack, &last->enabled);
}

static enum verdict end(struct strategy *sdpor, const struct position *pos,
                        enum outcome outcome)
{
    bool given_up = outcome == OUTCOME_PRUNED || outcome == OUTCOME_DIVERGED;
    if (sdpor->diverged || sdpor->cursor < sdpor->frames.count ||
        (given_up && !sdpor->turned_back)) {
        strategy_lost(sdpor->context);
        return STRATEGY_DONE;
    }
    if (!given_up)
        finish(sdpor, pos, outcome);
    return advance(sdpor) ? STRATEGY_MORE : STRATEGY_DONE;
}

static enum verdict next_bound(struct strategy *sdpor)
{
    (void)sdpor; /* never pruned by a bound */
    return STRATEGY_DONE;
}

const struct strategy_ops strategy_sdpor = {
    .name = "sdpor",
    .create = create,
    .begin = begin,
    .pick = pick,
    .choose = choose,
    .end = end,
    .next_bound = next_bound,
};
