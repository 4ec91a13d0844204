/* cbpor and cbpor-1: partial-order reduction for context-bounded exploration (paper 000,
 * Algorithms 2 and 1). It is both bounded and optimal: at bound c every trace with CB <= c is
 * run exactly once, in an order with exactly CB preemptions, and no other trace is run.
 *
 * A walk starts at the initial state. At every known state it takes a step that is not
 * exhausted at the bound and has CB(s, t) <= c; the graph (cbpor_graph.h) guarantees that an
 * unseen terminal state follows (paper 000, Theorem 4). Once it reaches a state that is not a
 * prefix of any execution so far, no later state is one either, and it continues without
 * preemptions: its terminal state is new. Then all prefixes of the new trace get their context
 * bounds, and those that it exhausts are marked, without running the program.
 *
 *     known prefix ─────▶ step that is not exhausted ─────▶ unknown, no preemption ─────▶ end
 *     (deepest state of the last execution                  no look-ups, no questions
 *      that has one; re-ordered when its order
 *      has more preemptions than it needs)
 *
 * The walk needs no stack, because the graph knows what is left. The path of the last execution
 * is only the place to look first, so that the search goes depth first.
 *
 * Whether a thread is enabled in a prefix that no execution passed may be unknown. A bound that
 * depends on this waits for a *probe*: an execution that runs just that prefix, checks, and is
 * given up (it counts as pruned). See cbpor_trace.h for how few of these are needed.
 *
 * Memory grows with the number of prefixes that lead to traces not run yet; other prefixes are
 * forgotten (cbpor_graph_thin). If a trace has many prefixes, those that clearly need more
 * preemptions than the last requested bound are not kept (so the search may not notice that no
 * trace lies beyond that bound). If this is still too much (cbpor_graph.c) the search hands
 * over to bpor, which covers the same bounds with more executions.
 *
 * Algorithm 1 differs in what counts: every state must have been visited, not only terminal
 * ones. Executions that reach a state with nothing left to run are given up.
 *
 * Invariant: between executions, exhausted(s) > c iff everything reachable from s by steps with
 * CB <= c has been run (up to unknown enabledness, which only costs a given-up execution). */
#include "explore/cbpor/cbpor.h"

#include <string.h>

#include "base/must.h"
#include "explore/cbpor/cbpor_graph.h"
#include "explore/cbpor/cbpor_leaf.h"
#include "explore/strategy/hand_over.h"
#include "explore/world/early_ends.h"

struct strategy {
    struct strategy_context *context;
    struct strategy *instead; /* auto_after_cbpor, once it has taken over; else NULL */
    struct cbpor_graph graph;
    struct cbpor_trace trace; /* of the current or last execution */
    struct cbpor_trace probe; /* of a probe, while `trace` waits */
    struct cbpor_cut cut;
    struct cbpor_order order;
    VECTOR(uint32_t) plan;     /* what to run first: threads, and SCHEDULE_CHOICE | value */
    struct hash128 plan_state; /* the state that the plan must lead to */
    int plan_step;             /* thread to run after the plan; -1: choose there */
    uint32_t cursor;           /* of the plan */
    uint32_t kept;             /* events that the plan shares with the last execution */
    int walking;               /* thread whose step from a known state is being run, or -1 */
    struct hash128 from;       /* that state */
    uint32_t from_choice;      /* data choices before it */
    struct cbpor_leaf *leaf;   /* what to run of the program; NULL: everything */
    struct cbpor_cut here;     /* with a leaf: where the execution is */
    bool surveying;            /* runs the required events of the leaf, to record them */
    bool bad;                  /* the execution has left the leaf, */
    bool stuck;                /* or can't continue inside the leaf from here */
    bool gave_up;              /* the leaf can't be searched */
    bool confined;             /* the leaf is not the whole search */
    bool settled;              /* cbpor, not bpor, does this search: final */
    bool probing;
    bool unknown;  /* the execution is past the known states */
    bool terminal; /* the trace has ended and is not in the graph yet; */
    bool bad_end;  /* it ended because it has left the leaf */
    bool open_end; /* it was given up where the leaf ends, and is not in the graph yet */
    bool cut_off;  /* the last execution that was no probe ended with a failure */
    bool failed;   /* the world contradicts cbpor's model of it: nothing can be claimed */
    struct hash128 asked;
    int asked_tid;
    int planned_tid;    /* the thread of the last plan's step, */
    struct hash128 end; /* where the last execution that was turned back ended, */
    uint32_t repeated;  /* and how often the same plan has ended there in a row */
    uint32_t many_cuts; /* a trace with so many prefixes uses private objects, */
    bool no_private;    /* but not after an assumption has ended an execution */
    struct cbpor_counts counts;
    struct {
        uint64_t traces, steps; /* for this bound so far */
        uint64_t added;         /* states at its start */
    } load;
};

static struct strategy *make_cbpor(struct strategy_context *context, bool every_state)
{
    struct strategy *cbpor = pool_alloc(context->pool, sizeof *cbpor);
    cbpor->context = context;
    cbpor_graph_init(&cbpor->graph, context->pool);
    cbpor_trace_init(&cbpor->trace, &cbpor->graph.seen, context->pool);
    cbpor_trace_init(&cbpor->probe, &cbpor->graph.seen, context->pool);
    cbpor->graph.most = context->options.trace_states;
    cbpor->graph.every_state = every_state;
    cbpor->trace.in_blocks = cbpor->probe.in_blocks = !every_state;
    cbpor->plan_step = cbpor->asked_tid = -1;
    cbpor->many_cuts = CBPOR_MANY_CUTS;
    return cbpor;
}

static struct cbpor_trace *recorded_trace(struct strategy *cbpor)
{
    return cbpor->probing ? &cbpor->probe : &cbpor->trace;
}

static void cbpor_begin(struct strategy *cbpor)
{
    if (cbpor->instead)
        return auto_after_cbpor->begin(cbpor->instead);
    cbpor_trace_begin(recorded_trace(cbpor), cbpor->probing ? 0 : cbpor->kept);
    cbpor->bad = cbpor->stuck = false;
    if (cbpor->confined && !cbpor->probing)
        cbpor_leaf_begin(cbpor->leaf);
    cbpor->cursor = 0;
    cbpor->unknown = false;
    cbpor->walking = -1;
}

/* A leaf looks at every step. */
static bool cbpor_mark(struct strategy *cbpor, struct strategy_mark *mark)
{
    if (cbpor->instead)
        return auto_after_cbpor->mark(cbpor->instead, mark);
    return !cbpor->probing && !cbpor->confined && !cbpor->failed &&
           cbpor_trace_mark(&cbpor->trace, mark);
}

static enum strategy_goes_on cbpor_go_on(struct strategy *cbpor,
                                         const struct strategy_mark *mark)
{
    if (cbpor->instead)
        return auto_after_cbpor->go_on(cbpor->instead, mark);
    if (cbpor->probing)
        return MARK_LATER;
    if (cbpor->confined || mark->cursor > cbpor->kept)
        return MARK_GONE;
    cbpor_trace_go_on(&cbpor->trace, mark);
    cbpor->cursor = mark->cursor + mark->choices;
    return MARK_GOES_ON;
}

/* --- during an execution --- */

/* Is a step of `tid` from the known state worth taking at the bound? */
static bool is_open(const struct strategy *cbpor, const struct cbpor_state *state, int tid)
{
    return cbpor_cost(state, tid) <= cbpor->context->bound &&
           state->lane[tid].done <= cbpor->context->bound;
}

/* With no more preemptions so far than the bound allows. */
static bool is_affordable(const struct strategy *cbpor, const struct position *pos, int tid)
{
    return cbpor->context->preemptions + position_preempts(pos, tid) <= cbpor->context->bound;
}

/* Does a step of `tid` leave the leaf? */
static bool leaves_leaf(struct strategy *cbpor, int tid)
{
    return cbpor->confined && cbpor_leaf_excludes(cbpor->leaf, &cbpor->here, tid);
}

static int pick_known(struct strategy *cbpor, const struct position *pos,
                      const struct cbpor_state *state)
{
    uint32_t count = (uint32_t)threadset_count(&pos->enabled);
    for (uint32_t i = 0; i < count; i++) {
        int tid = position_alternative(pos, i);
        if (is_open(cbpor, state, tid) && is_affordable(cbpor, pos, tid) &&
            !leaves_leaf(cbpor, tid)) {
            cbpor->walking = tid;
            return tid;
        }
    }
    return PICK_PRUNE;
}

/* No earlier execution was here: continues without a preemption, if the leaf allows that. */
static int pick_unknown(struct strategy *cbpor, const struct position *pos)
{
    cbpor->unknown = true;
    uint32_t count = (uint32_t)threadset_count(&pos->enabled);
    for (uint32_t i = 0; i < count; i++) {
        int tid = position_alternative(pos, i);
        if (!leaves_leaf(cbpor, tid) && (!cbpor->confined || is_affordable(cbpor, pos, tid)))
            return tid;
    }
    cbpor->stuck = true;
    return PICK_PRUNE;
}

/* The plan can't be followed. If it was run before, in this very order, then the program is
 * nondeterministic. Otherwise two operations depend on each other without declaring it. */
static int fail_plan(struct strategy *cbpor)
{
    if (cbpor->kept > 0)
        return PICK_DIVERGED;
    cbpor->failed = true;
    return PICK_PRUNE;
}

static int follow_plan(struct strategy *cbpor, const struct position *pos)
{
    uint32_t tid = cbpor->plan.item[cbpor->cursor++];
    if (tid >= (uint32_t)pos->nthreads || !threadset_has(&pos->enabled, (int)tid))
        return fail_plan(cbpor);
    cbpor->context->follows = true; /* it leads to a known state */
    return (int)tid;
}

static int cbpor_pick(struct strategy *cbpor, const struct position *pos)
{
    if (cbpor->instead)
        return auto_after_cbpor->pick(cbpor->instead, pos);
    struct cbpor_trace *trace = recorded_trace(cbpor);
    cbpor_trace_position(trace, pos, cbpor->context->preemptions);
    if (trace->diverged)
        return PICK_DIVERGED;
    if (cbpor->failed)
        return PICK_PRUNE;
    cbpor_graph_widen(&cbpor->graph, (uint32_t)pos->nthreads);
    bool in_block = cbpor_trace_in_block(trace);
    if (cbpor->confined && !cbpor->probing) {
        cbpor->bad |= cbpor_leaf_look(cbpor->leaf, trace);
        if (cbpor->bad && !in_block) /* no probe could stop in the middle of a block */
            return PICK_PRUNE;
        cbpor_cut_full(&cbpor->here, trace);
    }
    if (cbpor->surveying && cbpor->cursor == cbpor->plan.count)
        return PICK_PRUNE;
    if (!in_block)
        cbpor->walking = -1;
    if (cbpor->cursor < cbpor->plan.count)
        return follow_plan(cbpor, pos);
    if (in_block)
        return pos->last;
    cbpor->from = trace->hb.sum;
    cbpor->from_choice = trace->choices.count;
    if (cbpor->plan_step >= 0 && !hash128_equal(cbpor->from, cbpor->plan_state))
        return fail_plan(cbpor);
    if (cbpor->probing)
        return PICK_PRUNE;
    if (cbpor->plan_step >= 0) {
        cbpor->walking = cbpor->plan_step;
        cbpor->plan_step = -1;
        return threadset_has(&pos->enabled, cbpor->walking) ? cbpor->walking : fail_plan(cbpor);
    }
    const struct cbpor_state *state =
        cbpor->unknown ? NULL : cbpor_graph_get(&cbpor->graph, cbpor->from);
    if (state)
        return pick_known(cbpor, pos, state);
    return pick_unknown(cbpor, pos);
}

static int cbpor_choose_value(struct strategy *cbpor, int n)
{
    if (cbpor->instead)
        return auto_after_cbpor->choose(cbpor->instead, n);
    struct cbpor_trace *trace = recorded_trace(cbpor);
    uint32_t value = 0;
    if (cbpor->cursor < cbpor->plan.count && cbpor->plan.item[cbpor->cursor] & SCHEDULE_CHOICE)
        value = cbpor->plan.item[cbpor->cursor++] & ~SCHEDULE_CHOICE;
    else if (cbpor->walking >= 0)
        value = cbpor_choose(&cbpor->graph, cbpor->from, cbpor->walking,
                             trace->choices.item + cbpor->from_choice,
                             trace->choices.count - cbpor->from_choice, (uint32_t)n,
                             cbpor->context->bound);
    if (value >= (uint32_t)n) /* diverged: the plan's state will not be reached */
        value = 0;
    cbpor_trace_choice(trace, n, (int)value);
    return (int)value;
}

/* --- between executions --- */

/* Plan to run the events of cbpor->order, which are in reverse, and then a step of `tid`. */
static void plan_order(struct strategy *cbpor, struct hash128 state, int tid)
{
    const struct cbpor_trace *trace = &cbpor->trace;
    cbpor->plan.count = 0;
    for (uint32_t i = cbpor->order.events.count; i-- > 0;) {
        const struct cbpor_event *event = &trace->events.item[cbpor->order.events.item[i]];
        *vector_add(cbpor->context->pool, &cbpor->plan) = (uint32_t)event->tid;
        for (uint32_t j = 0; j < event->nchoices; j++)
            *vector_add(cbpor->context->pool, &cbpor->plan) =
                SCHEDULE_CHOICE | trace->choices.item[event->choice + j].value;
    }
    if (tid != cbpor->planned_tid || !hash128_equal(state, cbpor->plan_state))
        cbpor->repeated = 0;
    cbpor->plan_state = state;
    cbpor->plan_step = cbpor->planned_tid = tid;
    cbpor->kept = 0;
}

/* Plans a probe: can `tid` continue in the cut, with `last` as the last thread? */
static void plan_probe(struct strategy *cbpor, int tid, int last)
{
    cbpor->asked = cbpor->cut.key;
    cbpor->asked_tid = tid;
    cbpor_linearise(&cbpor->graph, &cbpor->cut, last, &cbpor->order);
    plan_order(cbpor, cbpor->asked, tid);
    cbpor->probing = true;
    cbpor->counts.probes++;
}

/* Was this asked before, without an answer? Then nothing may be claimed from now on. */
static bool asked_in_vain(struct strategy *cbpor, int tid)
{
    if (tid != cbpor->asked_tid || !hash128_equal(cbpor->cut.key, cbpor->asked))
        return false;
    strategy_raise_unseen(cbpor->context);
    return true;
}

/* Plans to continue with `tid` after the first `length` events of the last execution. */
static void plan_step(struct strategy *cbpor, uint32_t length, int tid, bool reorder)
{
    struct hash128 state = cbpor->cut.key;
    if (reorder) {
        cbpor->counts.reordered++;
        cbpor_linearise(&cbpor->graph, &cbpor->cut,
                        cbpor_last_before(&cbpor->graph, &cbpor->cut, tid), &cbpor->order);
    } else {
        cbpor->order.events.count = 0;
        for (uint32_t i = length; i-- > 0;)
            *vector_add(cbpor->context->pool, &cbpor->order.events) = i;
    }
    plan_order(cbpor, state, tid);
    cbpor->kept = reorder ? 0 : length;
}

/* The cut is the prefix of the first `length` events. If it has a step left at the bound, plans
 * it; keeps the order of the last execution if that has few enough preemptions. */
static bool plan_from(struct strategy *cbpor, uint32_t length)
{
    const struct cbpor_trace *trace = &cbpor->trace;
    const struct cbpor_moment *moment = &trace->moments.item[length];
    struct cbpor_state *state = cbpor_graph_get(&cbpor->graph, cbpor->cut.key);
    const struct cbpor_standing *standing =
        length > 0 ? &trace->events.item[length - 1].after : NULL;
    bool goes_on = standing && threadset_has(&moment->enabled, moment->last) &&
                   !(standing->pending.flags & OP_YIELDS);
    int costly = -1;
    for (int tid = threadset_next(&moment->enabled, 0); tid >= 0;
         tid = threadset_next(&moment->enabled, tid + 1)) {
        if (!is_open(cbpor, state, tid))
            continue;
        bool preempts = goes_on && tid != moment->last;
        if (moment->preemptions + preempts <= cbpor->context->bound) {
            plan_step(cbpor, length, tid, false);
            return true;
        }
        costly = tid;
    }
    if (costly >= 0)
        plan_step(cbpor, length, costly, true);
    return costly >= 0;
}

/* The length of the prefix with its last block removed. */
static uint32_t drop_last_block(struct strategy *cbpor, uint32_t length)
{
    must(length > 0);
    const struct cbpor_event *event = &cbpor->trace.events.item[length - 1];
    cbpor_cut_remove(&cbpor->cut, event->tid);
    return event->block;
}

/* Finds the deepest prefix of the last execution that has something left, or ends the bound. */
static enum verdict plan_next(struct strategy *cbpor)
{
    const struct cbpor_trace *trace = &cbpor->trace;
    int bound = cbpor->context->bound;
    cbpor_cut_full(&cbpor->cut, &cbpor->trace);
    for (uint32_t length = trace->events.count;; length = drop_last_block(cbpor, length)) {
        struct cbpor_state *state = cbpor_graph_get(&cbpor->graph, cbpor->cut.key);
        if (length < trace->moments.count && state->exhausted <= bound) {
            cbpor_exclude(&cbpor->graph, &cbpor->cut);
            cbpor_raise(&cbpor->graph, &cbpor->cut, &trace->moments.item[length].enabled);
            state = cbpor_graph_get(&cbpor->graph, cbpor->cut.key);
        }
        if (state->exhausted <= bound && plan_from(cbpor, length))
            return STRATEGY_MORE;
        if (length == 0) {
            cbpor->context->stats.pruned_by_bound = state->exhausted != CBPOR_NEVER;
            return STRATEGY_DONE;
        }
    }
}

/* Algorithm 1: the states on the way have been visited. */
static void mark_visited(struct strategy *cbpor)
{
    const struct cbpor_trace *trace = &cbpor->trace;
    cbpor_cut_full(&cbpor->cut, &cbpor->trace);
    for (uint32_t length = trace->events.count;; length = drop_last_block(cbpor, length)) {
        struct cbpor_state *state = cbpor_graph_get(&cbpor->graph, cbpor->cut.key);
        cbpor->counts.visited += !state->visited;
        state->visited = true;
        if (length < trace->moments.count)
            cbpor_raise(&cbpor->graph, &cbpor->cut, &trace->moments.item[length].enabled);
        if (length == 0)
            return;
    }
}

/* Too much memory: lets bpor search this bound and the next ones. bpor can't search leaves. */
static enum verdict hand_over(struct strategy *cbpor)
{
    struct strategy_context *context = cbpor->context;
    if (cbpor->confined) {
        strategy_raise(context, REASON_STOPPED);
        cbpor->gave_up = true;
        return STRATEGY_DONE;
    }
    cbpor->leaf = NULL;
    cbpor_graph_destroy(&cbpor->graph);
    context->stats.pruned_by_bound = false;
    cbpor->instead = auto_after_cbpor->create(context, NULL, 0);
    return STRATEGY_MORE;
}

/* The program is nondeterministic, or its operations depend on each other without declaring it,
 * or the execution was stopped from outside. Keeps looking for failures, but claims nothing. */
static enum verdict distrust_program(struct strategy *cbpor)
{
    if (cbpor->failed)
        strategy_raise_unseen(cbpor->context);
    strategy_raise_lost(cbpor->context);
    return hand_over(cbpor);
}

/* The largest bound that must be distinguished from larger ones: the last one requested. */
static int bound_to_tell(const struct strategy *cbpor)
{
    int last = cbpor->context->last_bound;
    return last < CBPOR_HIGHEST ? last : CBPOR_HIGHEST;
}

/* May the search hand over because that is faster? Not once it is divided into leaves: the
 * division depends on the timing of processes, and what is searched must not. So a search that
 * may be split decides early, and is not split before that. */
static bool may_hand_over(struct strategy *cbpor)
{
    if (cbpor->leaf && !cbpor->settled)
        cbpor->settled = auto_has_settled(cbpor->context->bound, cbpor->load.traces);
    return cbpor->graph.most && !cbpor->settled;
}

/* Would it be better to hand over? Only if the caller leaves the choice to the search. */
static bool is_slower(struct strategy *cbpor)
{
    return may_hand_over(cbpor) &&
           auto_prefers_executions(cbpor->context->bound, cbpor->load.traces,
                                   cbpor->graph.added_in_all - cbpor->load.added,
                                   cbpor->load.steps);
}

/* Context bounds of all prefixes of the trace that was run, and marking. */
static enum cbpor_result take_trace(struct strategy *cbpor)
{
    int asked = -1;
    int after = !cbpor->terminal ? -1 : cbpor->bad_end ? CBPOR_NEVER : 0;
    enum cbpor_result result;
    cbpor_graph_thin(&cbpor->graph);
    for (;;) {
        cbpor_cut_full(&cbpor->cut, &cbpor->trace);
        result = cbpor_compute(&cbpor->graph, &cbpor->cut, after, bound_to_tell(cbpor), &asked);
        if (result != CBPOR_ASKS)
            break;
        if (!asked_in_vain(cbpor, asked)) {
            plan_probe(cbpor, asked, asked);
            return CBPOR_ASKS;
        }
        /* counting too few preemptions misses nothing */
        cbpor_assume(&cbpor->cut, asked, &cbpor->graph.seen, CBPOR_NO);
    }
    if (result == CBPOR_TOO_LARGE)
        return result;
    if (!cbpor->terminal)
        return result;
    if (!cbpor_raise_terminal(&cbpor->graph, &cbpor->cut)) { /* already run before */
        if (cbpor->cut_off) /* where a failure comes may depend on more than the operations */
            return CBPOR_TOO_LARGE;
        cbpor->failed = true;
    }
    cbpor->load.traces++;
    cbpor->load.steps += cbpor->trace.events.count;
    return is_slower(cbpor) ? CBPOR_TOO_LARGE : CBPOR_COMPUTED;
}

/* What to run next. */
static enum verdict plan_what_is_next(struct strategy *cbpor)
{
    int asked = -1;
    enum cbpor_result result =
        cbpor->terminal || cbpor->open_end ? take_trace(cbpor) : CBPOR_COMPUTED;
    if (result != CBPOR_COMPUTED)
        return result == CBPOR_ASKS ? STRATEGY_MORE : hand_over(cbpor);
    cbpor->terminal = cbpor->open_end = false;
    cbpor_cut_full(&cbpor->cut, &cbpor->trace);
    if (cbpor->failed || !cbpor_graph_get(&cbpor->graph, cbpor->cut.key))
        return distrust_program(cbpor);
    if (cbpor->graph.every_state)
        mark_visited(cbpor);
    /* Algorithm 1 must visit them anyway; 2 can be complete before its bound gets there. */
    int within = cbpor->graph.every_state ? cbpor->context->bound : cbpor->graph.horizon;
    for (;;) {
        while (cbpor_doubt(&cbpor->graph, &cbpor->cut, within, &asked)) {
            if (asked_in_vain(cbpor, asked)) {
                cbpor_assume(&cbpor->cut, asked, &cbpor->graph.seen, CBPOR_YES);
                continue;
            }
            plan_probe(cbpor, asked, cbpor_last_of(&cbpor->graph, &cbpor->cut));
            return STRATEGY_MORE;
        }
        enum verdict verdict = plan_next(cbpor);
        if (cbpor->graph.doubts.count == 0)
            return verdict;
    }
}

/* The blocks have changed: forgets all states. True: there were some. */
static bool forget_blocks(struct strategy *cbpor)
{
    if (cbpor->graph.states.count == 0)
        return false;
    cbpor_graph_clear(&cbpor->graph);
    cbpor->plan.count = cbpor->kept = 0;
    cbpor->counts.restarts++;
    return true;
}

/* The program turned out to do what blocks do not allow (`mixed`). */
static bool split_blocks(struct strategy *cbpor)
{
    bool blocks = cbpor->trace.has_blocks || cbpor->probe.has_blocks;
    cbpor_trace_split(&cbpor->trace);
    cbpor_trace_split(&cbpor->probe);
    if (cbpor->confined)
        cbpor_leaf_look_again(cbpor->leaf, &cbpor->trace);
    return blocks && forget_blocks(cbpor);
}

/* An assumption has ended an execution. The trace in which its thread has not come that far may
 * go on, and is lost if the last operation is in a block with the one before it. (Failures
 * split all blocks. For the other kinds of blocks an assumption is no reason: what is in a
 * block with a start, a yield or a choice affects nobody before it, and nothing is assumed at
 * an exit.) */
static bool part_private(struct strategy *cbpor)
{
    bool blocks = cbpor->trace.private_too;
    cbpor->no_private = true;
    cbpor->trace.private_too = cbpor->probe.private_too = false;
    cbpor_trace_reblock(&cbpor->trace);
    cbpor_trace_reblock(&cbpor->probe);
    if (blocks && cbpor->confined)
        cbpor_leaf_look_again(cbpor->leaf, &cbpor->trace);
    return blocks && forget_blocks(cbpor);
}

/* Does the last trace have too many prefixes without private objects? */
static bool wants_private(const struct strategy *cbpor)
{
    const struct cbpor_trace *trace = &cbpor->trace;
    return trace->in_blocks && !trace->private_too && !cbpor->no_private &&
           (cbpor->terminal || cbpor->open_end) && cbpor_trace_cuts(trace) >= cbpor->many_cuts;
}

/* Is it time to use private objects, or have some turned out to be shared? */
static bool private_changes(struct strategy *cbpor)
{
    struct cbpor_trace *trace = &cbpor->trace;
    if (!trace->in_blocks)
        return false;
    if (!trace->private_too) {
        if (!wants_private(cbpor))
            return false;
        trace->private_too = cbpor->probe.private_too = true;
        cbpor->graph.seen.grown = true;
    }
    if (!cbpor->graph.seen.grown)
        return false;
    if (cbpor->confined)
        cbpor_leaf_users(cbpor->leaf, trace);
    cbpor_trace_reblock(trace);
    cbpor_trace_reblock(&cbpor->probe);
    cbpor_trace_reblock(trace); /* the first did not know that both use these objects */
    if (cbpor->confined)
        cbpor_leaf_look_again(cbpor->leaf, trace);
    cbpor->graph.seen.grown = false;
    return forget_blocks(cbpor);
}

/* The required events of the leaf have been run. */
static enum verdict end_survey(struct strategy *cbpor, enum outcome outcome)
{
    cbpor->surveying = cbpor->probing = false;
    cbpor->plan.count = 0;
    if (outcome == OUTCOME_PRUNED && cbpor_leaf_require(cbpor->leaf, &cbpor->probe))
        return STRATEGY_MORE;
    strategy_raise_lost(cbpor->context);
    cbpor->gave_up = true;
    return STRATEGY_DONE;
}

/* Has the search stopped moving: was it turned back three times in a row at the same state,
 * after the same plan? (Twice can be: blocks may change in between.) Then the graph's knowledge
 * of that step contradicts what the execution showed, and only another strategy can end the
 * search. */
static bool stands_still(struct strategy *cbpor)
{
    if (!hash128_equal(cbpor->end, cbpor->trace.hb.sum))
        cbpor->repeated = 0;
    cbpor->end = cbpor->trace.hb.sum;
    return ++cbpor->repeated == 3;
}

/* An execution other than a probe has ended: what has it shown? */
static void judge_end(struct strategy *cbpor, enum outcome outcome)
{
    bool final = early_ends_is(outcome);
    struct strategy_context *context = cbpor->context;
    struct cbpor_leaf *leaf = cbpor->leaf;
    if (leaf && !cbpor->confined) /* no event is bad, but what might be given away is counted */
        cbpor_leaf_begin(leaf);
    if (leaf)
        cbpor->bad |= final ? cbpor_leaf_look_at_end(leaf, &cbpor->trace)
                            : cbpor_leaf_look(leaf, &cbpor->trace);
    cbpor->bad_end = cbpor->bad;
    cbpor->terminal = outcome != OUTCOME_PRUNED || cbpor->bad;
    cbpor->open_end = !cbpor->terminal && cbpor->stuck;
    context->outside = cbpor->confined && (cbpor->bad || !cbpor_leaf_is_inside(leaf));
    if (!leaf || context->outside || outcome == OUTCOME_PRUNED)
        return;
    cbpor_leaf_comb(leaf, &cbpor->trace);
    context->slot = cbpor_leaf_slot(leaf);
}

static enum verdict cbpor_end(struct strategy *cbpor, const struct position *pos,
                              enum outcome outcome)
{
    if (cbpor->instead)
        return auto_after_cbpor->end(cbpor->instead, pos, outcome);
    struct cbpor_trace *trace = recorded_trace(cbpor);
    if (outcome == OUTCOME_DIVERGED) {
        strategy_raise_lost(cbpor->context);
        return STRATEGY_DONE;
    }
    bool settled = outcome == OUTCOME_PRUNED || outcome == OUTCOME_DEADLOCK ||
                   outcome == OUTCOME_REDUNDANT || outcome == OUTCOME_ASSUME_WAITS;
    bool final = early_ends_is(outcome);
    cbpor_trace_end(trace, pos, settled, outcome == OUTCOME_FAILED);
    cbpor_trace_finish(trace, final);
    if (cbpor->surveying)
        return end_survey(cbpor, outcome);
    if (!cbpor->probing) {
        cbpor->cut_off = outcome == OUTCOME_FAILED;
        judge_end(cbpor, outcome);
    }
    cbpor->probing = false;
    cbpor->failed |= cbpor->graph.seen.contradicted || trace->estranged;
    if (cbpor->failed || trace->diverged)
        return distrust_program(cbpor);
    cbpor->plan_step = -1;
    if (outcome == OUTCOME_PRUNED && trace == &cbpor->trace && stands_still(cbpor))
        return hand_over(cbpor);
    trace->mixed |= outcome == OUTCOME_FAILED && cbpor_trace_cut_short(trace);
    bool taken = !cbpor->terminal && !cbpor->open_end;
    if (trace->mixed && trace->in_blocks && split_blocks(cbpor) && taken)
        return STRATEGY_MORE;
    if (outcome == OUTCOME_ASSUME_FAILED && !cbpor->no_private &&
        cbpor_trace_cut_short(trace) && part_private(cbpor) && taken)
        return STRATEGY_MORE;
    if (private_changes(cbpor) && taken)
        return STRATEGY_MORE;
    return plan_what_is_next(cbpor);
}

static enum verdict cbpor_next_bound(struct strategy *cbpor)
{
    if (cbpor->instead)
        return strategy_next_bound(auto_after_cbpor, cbpor->instead);
    cbpor->plan.count = cbpor->kept = 0;
    cbpor->plan_step = -1;
    cbpor->load.traces = cbpor->load.steps = 0;
    cbpor->load.added = cbpor->graph.added_in_all;
    const struct cbpor_state *initial = cbpor_graph_get(&cbpor->graph, (struct hash128){0, 0});
    if (initial->exhausted <= cbpor->context->bound)
        return STRATEGY_MORE;
    cbpor->context->stats.pruned_by_bound = initial->exhausted != CBPOR_NEVER;
    return STRATEGY_DONE;
}

/* --- leaves --- */

/* From now on another process searches a part of the leaf. */
static void confine_search(struct strategy *cbpor)
{
    cbpor->confined = cbpor->settled = true;
    cbpor->graph.leaf = cbpor->leaf;
}

static bool cbpor_enter(struct strategy *cbpor, const struct leaf *leaf)
{
    cbpor->leaf = cbpor_leaf_create(cbpor->context->pool, leaf);
    if (!cbpor->leaf)
        return false;
    cbpor->settled = !cbpor->graph.most;
    if (!leaf_is_whole(leaf))
        confine_search(cbpor);
    cbpor->surveying = cbpor->probing = leaf->nsteps > 0;
    for (uint32_t i = 0; i < leaf->nsteps; i++)
        *vector_add(cbpor->context->pool, &cbpor->plan) = leaf->step[i];
    return true;
}

/* Steps that the smaller leaf excludes may be planned. */
static int cbpor_split(struct strategy *cbpor, struct leaf *gift, struct leaf *kept)
{
    if (!cbpor->leaf || cbpor->instead || cbpor->surveying || cbpor->probing || !cbpor->settled)
        return -1;
    int slot = cbpor_leaf_split(cbpor->leaf, gift, kept);
    if (slot >= 0)
        confine_search(cbpor);
    return slot;
}

static bool cbpor_gave_up(const struct strategy *cbpor)
{
    return cbpor->gave_up;
}

static bool cbpor_is_taken_over(const struct strategy *cbpor)
{
    return cbpor->instead;
}

struct cbpor_counts cbpor_counts(const struct strategy *cbpor)
{
    struct cbpor_counts counts = cbpor->counts;
    counts.states = cbpor->graph.states.count;
    return counts;
}

/* --- the strategies --- */

/* A function that creates a variant, with the statements that make it one. */
#define CREATE(name, every_state, ...)                                                         \
    static struct strategy *name(struct strategy_context *context, char *error,                \
                                 unsigned long error_size)                                     \
    {                                                                                          \
        (void)error;                                                                           \
        (void)error_size;                                                                      \
        struct strategy *cbpor = make_cbpor(context, every_state);                             \
        __VA_ARGS__;                                                                           \
        return cbpor;                                                                          \
    }

CREATE(cbpor_create, false)
CREATE(cbpor_1_create, true)
CREATE(sparing_create, false, cbpor->graph.sparing = 0)
CREATE(thin_create, false, cbpor->graph.thin_at = cbpor->graph.thin_from = 0)
CREATE(private_create, false, cbpor->trace.private_too = cbpor->probe.private_too = true)
CREATE(late_create, false, cbpor->many_cuts = 0)
CREATE(later_create, false, cbpor->many_cuts = 30)

#define OPS(shown, maker, more, line)                                                          \
    {                                                                                          \
        .name = (shown),                                                                       \
        .traits = STRATEGY_TAKES_SYMMETRIC | STRATEGY_ITERATES | STRATEGY_REDUCES |            \
                  STRATEGY_COUNTS | (more),                                                    \
        .help = (line), .create = (maker), .begin = cbpor_begin, .pick = cbpor_pick,           \
        .choose = cbpor_choose_value, .end = cbpor_end, .next_bound = cbpor_next_bound,        \
        .mark = cbpor_mark, .go_on = cbpor_go_on, .enter = cbpor_enter, .split = cbpor_split,  \
        .gave_up = cbpor_gave_up, .is_taken_over = cbpor_is_taken_over,                        \
    }

const struct strategy_ops strategy_cbpor = OPS("cbpor", cbpor_create, STRATEGY_SPLITTABLE,
                                               "every trace within the bound exactly once");
const struct strategy_ops strategy_cbpor_1 =
    OPS("cbpor-1", cbpor_1_create, 0, "the same, and every happens-before state in between");
const struct strategy_ops cbpor_sparing = OPS("cbpor, sparing", sparing_create, 0, NULL);
const struct strategy_ops cbpor_thin = OPS("cbpor, thinned out", thin_create, 0, NULL);
const struct strategy_ops cbpor_private = OPS("cbpor, private", private_create, 0, NULL);
const struct strategy_ops cbpor_private_late =
    OPS("cbpor, private late", late_create, STRATEGY_SPLITTABLE, NULL);
const struct strategy_ops cbpor_private_later =
    OPS("cbpor, private later", later_create, STRATEGY_SPLITTABLE, NULL);
