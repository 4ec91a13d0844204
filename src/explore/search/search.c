/* A search (search.h): drives one strategy through bounds 0, 1, 2, … and keeps the counts.
 *
 * This is here and not in the strategies because counts and claims must be made the same way
 * for all of them. In particular `complete` is decided in one place, bound_close:
 *
 *     strategy says DONE ── pruned by the bound? ── yes ─▶ row; next bound, or the end
 *                                      │ no
 *                                      ▼
 *                     row; complete, unless a reason forbids it, or the strategy samples
 *
 * Invariant: once a forbidding reason was raised (claim.h), `complete` stays false and no
 * further bound counts as done. */
#include "explore/search/search.h"

#include <limits.h>
#include <string.h>

#include "base/must.h"
#include "explore/search/auto.h"
#include "explore/search/bounds.h"
#include "explore/search/estimate.h"
#include "explore/search/measure.h"
#include "explore/search/replay.h"
#include "explore/search/scout.h"
#include "explore/search/simplify.h"
#include "explore/search/strategies.h"
#include "explore/world/distinct.h"
#include "explore/world/fair.h"
#include "explore/world/hb.h"
#include "explore/world/section.h"

struct search {
    struct strategy_context context;
    int strategy_index;                /* in the table of strategies, or */
    const struct strategy_ops *custom; /* a strategy that is not in it */
    struct strategy *strategy;
    struct hb hb;
    struct hb aside; /* of an execution that is not one of the path (MARK_LATER) */
    struct hb *hash; /* of this execution: one of the two */
    struct distinct distinct;
    struct estimate estimate;
    struct measure measure;
    struct scout scout;
    bool unfinished; /* there is more to explore */
    struct section section;
    struct fair fair;        /* for strategies that do not know it */
    bool unhashed;           /* hb is still that of the last execution */
    bool told_to_prune;      /* the strategy asked for this execution to be given up */
    uint32_t hashed;         /* steps of this execution that hb has seen */
    struct claim claim;      /* unless search_set_claim() was called */
    bool entered;            /* a leaf */
    bool held;               /* … in which the next bound is still to be searched */
    bool closed;             /* the last execution was the last one of its bound */
    uint64_t given_distinct; /* classes given away with a part of the leaf */
    struct {                 /* executions of what may be given away next, and so on */
        uint64_t executions, distinct, assumed;
        int failures;
    } slot[LEAF_SLOTS + 1];
    uint32_t next_slot; /* of the part that would be given away now */
};

static const struct strategy_ops *ops_of(const struct search *search)
{
    return search->custom ? search->custom : strategy_by_index(search->strategy_index);
}

static bool hashes_classes(const struct search *search)
{
    return search->context.options.count_traces || search->context.options.count_states;
}

/* The first and the last bound to search, from the options and what the strategy supports. */
static bool set_bounds(struct strategy_context *context, unsigned traits, char *error,
                       unsigned long error_size)
{
    const struct search_options *options = &context->options;
    if (options->bound >= 0 && traits & STRATEGY_SAMPLES) {
        strategy_copy(error, error_size, "a sampling strategy takes no --bound");
        return false;
    }
    if (options->bound >= 0 && traits & STRATEGY_DELAYS) {
        strategy_copy(error, error_size, "strategy delay is bounded by --delay, not --bound");
        return false;
    }
    if (options->bound >= 0 && traits & STRATEGY_BOUNDS_STEPS) {
        strategy_copy(error, error_size,
                      "strategy idb is bounded by --step-bound, not --bound");
        return false;
    }
    int last = traits & STRATEGY_DELAYS         ? options->delay
               : traits & STRATEGY_BOUNDS_STEPS ? options->step_bound
                                                : options->bound;
    bool unbounded = traits & STRATEGY_UNBOUNDED && options->bound == BOUND_NONE;
    bool bounded = last >= 0 || (traits & STRATEGY_ITERATES && !unbounded);
    context->bound = bounded ? options->first_bound : BOUND_NONE;
    context->bound_step = 1;
    context->last_bound = last >= 0 ? last : INT_MAX;
    return true;
}

static struct search *create_search(struct pool *pool, const struct search_options *options,
                                    int index, const struct strategy_ops *custom, char *error,
                                    unsigned long error_size)
{
    struct search *search = pool_alloc(pool, sizeof *search);
    struct strategy_context *context = &search->context;
    search->strategy_index = index;
    search->custom = custom;
    context->pool = pool;
    context->options = *options;
    context->stats.bound_done = -1;
    context->stats.distinct_exact = options->count_traces;
    context->claim = &search->claim;
    context->stats.depth_cut = options->was_cut;
    if (options->was_cut)
        strategy_raise(context, REASON_STEP_LIMIT);
    if (!set_bounds(context, ops_of(search)->traits, error, error_size))
        return NULL;
    search->strategy = ops_of(search)->create(context, error, error_size);
    if (!search->strategy)
        return NULL;
    context->stats.bound = context->bound;
    measure_init(&search->measure, context);
    search->hash = &search->hb;
    if (hashes_classes(search)) {
        hb_init(&search->hb, pool);
        hb_init(&search->aside, pool);
    }
    if (options->count_traces) {
        distinct_init(&search->distinct, pool, DISTINCT_EXACT);
    }
    return search;
}

struct search *search_create(struct pool *pool, const struct search_options *options,
                             char *error, unsigned long error_size)
{
    struct search_options settled = *options;
    auto_settle(&settled, true);
    int index = strategy_index(settled.strategy);
    if (index < 0) {
        strategy_copy(error, error_size, "unknown strategy");
        return NULL;
    }
    return create_search(pool, &settled, index, NULL, error, error_size);
}

struct search *search_create_custom(struct pool *pool, const struct strategy_ops *ops,
                                    const struct search_options *options, char *error,
                                    unsigned long error_size)
{
    return create_search(pool, options, -1, ops, error, error_size);
}

struct search *search_create_replay(struct pool *pool, const uint32_t *schedule, uint32_t n,
                                    const struct search_options *options)
{
    struct search_options plain = *options;
    plain.bound = BOUND_NONE;
    plain.delay = plain.step_bound = -1;
    plain.scouts = false;
    struct search *search =
        create_search(pool, &plain, strategy_index("replay"), NULL, NULL, 0);
    replay_load(search->strategy, schedule, n);
    return search;
}

void search_follows(struct search_options *options)
{
    options->bound = BOUND_NONE;
    options->delay = options->step_bound = -1;
    strategy_copy(options->strategy, sizeof options->strategy, strategy_replay.name);
}

struct search *search_create_simplify(struct pool *pool, const uint32_t *schedule, uint32_t n,
                                      const struct search_options *options,
                                      const struct simplify_request *request)
{
    struct search_options plain = *options;
    plain.bound = BOUND_NONE;
    plain.delay = plain.step_bound = -1;
    plain.execs = 0;
    plain.keep_going = true;
    plain.count_traces = plain.scouts = false;
    struct search *search =
        create_search(pool, &plain, strategy_index("simplify"), NULL, NULL, 0);
    simplify_load(search->strategy, schedule, n, request);
    return search;
}

void search_simplified(const struct search *search, struct simplification *facts,
                       const uint32_t **schedule, uint32_t *n)
{
    simplify_result(search->strategy, facts, schedule, n);
}

void search_set_claim(struct search *search, struct claim *claim)
{
    claim_add(claim, &search->claim);
    search->context.claim = claim;
}

const struct claim *search_claim(const struct search *search)
{
    return search->context.claim;
}

void search_destroy(struct search *search)
{
    if (ops_of(search)->destroy)
        ops_of(search)->destroy(search->strategy);
}

const char *search_strategy(const struct search *search)
{
    return ops_of(search)->name;
}

void search_begin(struct search *search)
{
    search->context.preemptions = 0;
    search->context.weight = 0;
    search->context.outside = false;
    search->context.slot = LEAF_SLOTS;
    search->hashed = 0;
    search->told_to_prune = search->closed = false;
    scout_begin(&search->scout, &search->context);
    if (search->scout.running)
        return;
    section_begin(&search->section);
    fair_begin(&search->fair);
    measure_begin(&search->measure, &search->context);
    search->hash = &search->hb;
    search->unhashed = hashes_classes(search) && search->hb.keeps;
    if (hashes_classes(search) && !search->unhashed)
        hb_begin(&search->hb);
    ops_of(search)->begin(search->strategy);
}

/* hb goes back, if it can, before it begins anew. */
static void begin_hash(struct search *search)
{
    if (search->unhashed)
        hb_begin(search->hash);
    search->unhashed = false;
}

/* What sections, the fair bound and visited states know of an execution is not kept. */
bool search_mark(struct search *search, struct search_mark *mark)
{
    const struct strategy_context *context = &search->context;
    const struct strategy_ops *ops = ops_of(search);
    if (!ops->mark || search->scout.running || search->told_to_prune || search->unhashed ||
        search->hash != &search->hb || search->section.hidden > 0 || search->section.open ||
        context->options.fair >= 0 || context->options.count_states)
        return false;
    if (hashes_classes(search) && !search->hb.keeps) {
        hb_keep(&search->hb);
        return false;
    }
    if (!ops->mark(search->strategy, &mark->strategy) || mark->strategy.cursor == 0)
        return false;
    mark->hb = hb_mark(&search->hb);
    mark->preemptions = context->preemptions;
    mark->hashed = search->hashed;
    mark->blocking = search->measure.blocking;
    mark->follows = search->measure.follows;
    return true;
}

enum strategy_goes_on search_go_on(struct search *search, const struct search_mark *mark)
{
    if (search->scout.running)
        return MARK_LATER;
    enum strategy_goes_on answer = ops_of(search)->go_on(search->strategy, &mark->strategy);
    if (answer == MARK_LATER)
        search->hash = &search->aside;
    if (answer != MARK_GOES_ON)
        return answer;
    if (search->unhashed)
        hb_go_back(&search->hb, &mark->hb);
    search->unhashed = false;
    search->context.preemptions = mark->preemptions;
    search->hashed = mark->hashed;
    search->measure.blocking = mark->blocking;
    search->measure.follows = mark->follows;
    return MARK_GOES_ON;
}

/* Adds the last step to the class hash, once. */
static void hash_done(struct search *search, const struct position *pos)
{
    if (!hashes_classes(search) || pos->depth == search->hashed || !pos->done)
        return;
    search->hashed = pos->depth;
    hb_step(search->hash, pos->last, pos->done);
    if (search->context.options.count_states && !pos->section)
        measure_state(&search->measure, &search->context, hb_class(search->hash));
}

/* Unfair threads are hidden from a strategy that tries every enabled thread. A reduction must
 * know about them, because unfairness changes what depends on what (por_fair.c). */
static const struct position *hide_unfair(struct search *search, const struct position *pos)
{
    struct strategy_context *context = &search->context;
    if (context->options.fair < 0 ||
        ops_of(search)->traits & (STRATEGY_REDUCES | STRATEGY_REPLAYS))
        return pos;
    bool left_out;
    fair_step(&search->fair, context->pool, pos);
    pos = fair_look(&search->fair, pos, context->options.fair, &left_out);
    if (left_out)
        strategy_raise(context, REASON_FAIR_BOUND);
    return pos;
}

int search_pick(struct search *search, const struct position *pos)
{
    if (search->scout.running)
        return scout_pick(&search->scout, &search->context, pos);
    begin_hash(search);
    hash_done(search, pos);
    bool sections = !(ops_of(search)->traits & STRATEGY_REPLAYS);
    if (sections && section_goes_on(&search->section, pos)) {
        search->context.follows = search->measure.follows;
        measure_pick(&search->measure, &search->context, pos, pos->last);
        return pos->last;
    }
    if (sections)
        pos = hide_unfair(search, section_look(&search->section, pos));
    search->context.follows = false; /* unless the strategy says that it does */
    int tid = ops_of(search)->pick(search->strategy, pos);
    if (tid >= 0) {
        search->context.preemptions += position_preempts(pos, tid);
        measure_pick(&search->measure, &search->context, pos, tid);
    }
    search->told_to_prune |= tid == PICK_PRUNE;
    return tid;
}

int search_choose(struct search *search, int n)
{
    if (search->scout.running)
        return search_choose(search->scout.running, n);
    begin_hash(search);
    int value = ops_of(search)->choose(search->strategy, n);
    if (hashes_classes(search))
        hb_choice(search->hash, n, value);
    return value;
}

/* Raises the reasons that follow from the outcome. Must come before the strategy is told the
 * outcome, which relies on them. */
static void note_outcome(struct search *search, enum outcome outcome)
{
    struct search_stats *stats = &search->context.stats;
    if (outcome == OUTCOME_PRUNED && !search->told_to_prune)
        strategy_raise(&search->context, REASON_STOPPED);
    if (outcome == OUTCOME_CUT)
        strategy_raise(&search->context, REASON_STEP_LIMIT);
    if (outcome == OUTCOME_DIVERGED)
        strategy_raise(&search->context, REASON_DIVERGED);
    stats->depth_cut |= outcome == OUTCOME_CUT;
    stats->livelock |= outcome == OUTCOME_CUT && search->context.options.fair >= 0;
    stats->diverged |= outcome == OUTCOME_DIVERGED;
}

/* Called after the strategy has said whether the execution belongs to its leaf. */
static void count_execution(struct search *search, const struct position *pos,
                            enum outcome outcome)
{
    struct search_stats *stats = &search->context.stats;
    stats->steps += pos->depth;
    if (pos->nthreads > stats->max_threads)
        stats->max_threads = pos->nthreads;
    if (outcome == OUTCOME_PRUNED || search->context.outside) {
        stats->pruned++;
        return;
    }
    if (outcome == OUTCOME_REDUNDANT) {
        stats->pruned++;
        return;
    }
    if (outcome == OUTCOME_ASSUME_FAILED || outcome == OUTCOME_ASSUME_WAITS) {
        stats->assumed++;
        search->slot[search->context.slot].assumed++;
        return;
    }
    stats->executions++;
    search->slot[search->context.slot].executions++;
    stats->nfailures_seen += outcome >= OUTCOME_FAILED;
    search->slot[search->context.slot].failures += outcome >= OUTCOME_FAILED;
    if (search->context.options.count_traces) {
        hash_done(search, pos);
        bool fresh = distinct_add(&search->distinct, hb_class(search->hash));
        search->slot[search->context.slot].distinct += fresh;
        /* an estimate may be less than what was given away */
        stats->distinct = search->distinct.count > search->given_distinct
                              ? search->distinct.count - search->given_distinct
                              : 0;
        stats->distinct_exact = search->distinct.exact;
    }
}

/* A strategy that pruned at known states has not seen what only another path to such a state
 * shows. The world knows whether there is anything like that, and raises the reason.
 */
static void judge_known_states(struct search *search, const struct position *pos)
{
    struct strategy_context *context = &search->context;
    if (context->turned_back && !(pos->ways_agree && pos->ways_agree(pos)))
        strategy_raise(context, REASON_WAYS_DIFFER);
}

/* The strategy has nothing left in this bound. True: there is more to run in the next one. */
static bool bound_finished(struct search *search, const struct position *pos)
{
    struct strategy_context *context = &search->context;
    struct search_stats *stats = &context->stats;
    if (ops_of(search)->traits & STRATEGY_SAMPLES)
        return false;
    judge_known_states(search, pos);
    if (!bound_close(stats, context->claim) || context->bound >= context->last_bound)
        return false;
    must(context->bound_step > 0);
    context->bound = context->last_bound - context->bound < context->bound_step
                         ? context->last_bound
                         : context->bound + context->bound_step;
    stats->bound = context->bound;
    stats->pruned_by_bound = false;
    stats->estimate = 0;
    context->fraction = 0;
    estimate_begin(&search->estimate, stats->executions);
    return true;
}

bool search_end(struct search *search, const struct position *pos, enum outcome outcome)
{
    struct strategy_context *context = &search->context;
    struct search_stats *stats = &context->stats;
    if (search->scout.running) {
        search->unfinished = true;
        return scout_end(&search->scout, context, pos, outcome);
    }
    begin_hash(search);
    search->unfinished = false;
    note_outcome(search, outcome);
    const struct position *seen = section_look(&search->section, pos);
    enum verdict verdict = ops_of(search)->end(search->strategy, seen, outcome);
    if (context->options.count_states)
        hash_done(search, pos);
    count_execution(search, pos, outcome);
    measure_end(&search->measure, context, pos->depth);
    if (context->fraction > 0)
        search->estimate.fraction = context->fraction;
    else
        estimate_add(&search->estimate, context->weight);
    stats->estimate = estimate_total(&search->estimate, stats->executions);
    if (outcome >= OUTCOME_FAILED && !context->options.keep_going)
        return false;
    while (verdict == STRATEGY_DONE) {
        search->closed = true;
        if (!bound_finished(search, seen))
            return false;
        search->held = search->entered && context->bound > context->options.first_bound;
        if (search->held)
            return false;
        verdict = strategy_next_bound(ops_of(search), search->strategy);
    }
    search->unfinished = true;
    return !context->options.execs || stats->executions < context->options.execs;
}

bool search_enter(struct search *search, const struct leaf *leaf)
{
    search->entered = ops_of(search)->traits & STRATEGY_SPLITTABLE &&
                      ops_of(search)->enter(search->strategy, leaf);
    /* so that its counts are the same as if it had existed from the start */
    if (ops_of(search)->traits & STRATEGY_REPEATS && search->context.bound > 0)
        search->context.bound = search->context.stats.bound = 0;
    return search->entered;
}

bool search_split(struct search *search, struct leaf *gift, struct leaf *kept, uint64_t most)
{
    struct search_stats *stats = &search->context.stats;
    bool asked = search->entered && search->slot[search->next_slot].executions <= most;
    int slot = asked ? ops_of(search)->split(search->strategy, gift, kept) : -1;
    if (slot < 0)
        return false;
    search->next_slot = (uint32_t)slot + 1;
    stats->executions -= search->slot[slot].executions;
    stats->distinct -= search->slot[slot].distinct < stats->distinct
                           ? search->slot[slot].distinct
                           : stats->distinct;
    stats->assumed -= search->slot[slot].assumed;
    stats->nfailures_seen -= search->slot[slot].failures;
    search->given_distinct += search->slot[slot].distinct;
    return true;
}

bool search_gave_up(const struct search *search)
{
    return search->entered && ops_of(search)->gave_up(search->strategy);
}

bool search_is_taken_over(const struct search *search)
{
    return ops_of(search)->is_taken_over && ops_of(search)->is_taken_over(search->strategy);
}

bool search_in_leaf(const struct search *search)
{
    return search->entered;
}

bool search_closed_bound(const struct search *search)
{
    return search->closed && !search_gave_up(search);
}

bool search_is_held(const struct search *search)
{
    return search->held;
}

bool search_next_bound(struct search *search)
{
    if (!search->held)
        return false;
    search->held = false;
    if (strategy_next_bound(ops_of(search), search->strategy) == STRATEGY_MORE) {
        search->unfinished = true;
        return true;
    }
    search->held = bound_finished(search, &search->section.view.pos);
    return false;
}

bool search_unfinished(const struct search *search)
{
    return search->unfinished;
}

bool search_pack(struct search *search)
{
    return !ops_of(search)->pack || ops_of(search)->pack(search->strategy);
}

void search_unpack(struct search *search, uint64_t execs)
{
    search->context.options.execs = execs;
    if (ops_of(search)->unpack)
        ops_of(search)->unpack(search->strategy);
}

const struct search_stats *search_stats(const struct search *search)
{
    return &search->context.stats;
}

int search_preemptions(const struct search *search)
{
    const struct search *walk = search->scout.running;
    return walk ? search_preemptions(walk) : search->context.preemptions;
}

bool search_is_sampling(const struct search *search)
{
    return search->scout.running || ops_of(search)->traits & STRATEGY_SAMPLES;
}
