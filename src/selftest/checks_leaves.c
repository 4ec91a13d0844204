/* Leaves: a search that is split at random moments, again and again, covers at every bound what
 * the whole search covers, and the counts add up. Sometimes a leaf is searched again from its
 * description, as if its process had been killed. At the end every leaf is searched once more:
 * each trace must be in exactly one of them. */
#include "explore/cbpor/cbpor.h"
#include "explore/strategy/leaf.h"
#include "explore/strategy/strategy.h"
#include "selftest/selftest.h"

#define LEAVES        40
#define LAST_BOUND    3
#define SPLIT_ONE_IN  3 /* executions */
#define KILL_ONE_IN   40
#define KILLS         12
#define INTERLEAVINGS 400

/* What is searched, and what is known about it. */
struct leaf_kind {
    const struct strategy_ops *ops;
    int bound, delay; /* the options */
    bool by_bounds;   /* traces are run at the bound that they need */
    bool once;        /* a trace is run twice only if a search starts again */
    bool gives_up;    /* where executions end early or are cut */
    bool exact;       /* the number of executions is that of the whole search, however it is
                       * split */
};

static uint64_t restarts; /* of the searches that were destroyed */

static void count_restarts(struct strategy *strategy)
{
    restarts += cbpor_counts(strategy).restarts;
}

struct search_part {
    struct search *search;
    struct leaf leaf;
    bool more; /* an execution is to be run at this bound */
};

struct division {
    const struct selftest_case *one;
    const struct leaf_kind *kind;
    int bound;
    uint64_t random;
    bool gave_up;
    uint32_t kills;
    uint32_t most; /* leaves */
    uint32_t count;
    struct search_part *part;
    struct search_part whole; /* never split */
    struct oracle_coverage seen, seen_whole;
};

static bool start_part(struct division *division, struct search_part *part)
{
    struct search_options options = oracle_options("", division->kind->bound);
    options.delay = division->kind->delay;
    options.first_bound = division->bound;
    part->search =
        search_create_custom(division->one->pool, division->kind->ops, &options, NULL, 0);
    part->more = true;
    return part->search && search_enter(part->search, &part->leaf);
}

/* After an execution: a part may be given away, or be lost with its process. */
static bool disturb_part(struct division *division, struct search_part *part)
{
    if (random_below(&division->random, SPLIT_ONE_IN) == 0 &&
        division->count < division->most) {
        struct search_part *gift = &division->part[division->count];
        if (search_split(part->search, &gift->leaf, &part->leaf, UINT64_MAX)) {
            division->count++;
            return start_part(division, gift);
        }
    }
    if (random_below(&division->random, KILL_ONE_IN) == 0 && division->kills < KILLS) {
        division->kills++;
        return start_part(division, part);
    }
    return true;
}

static bool run_execution(struct division *division, struct search_part *part,
                          struct oracle_coverage *seen)
{
    part->more = oracle_execute(part->search, division->one->program, seen, NULL, NULL);
    return part->more;
}

static const char given_up[] = "a leaf was given up";

/* Not all strategies can search every program in leaves. */
static const char *gave_up(struct division *division)
{
    const struct oracle_coverage *all = division->one->all;
    bool ends_early =
        synth_has_checks(division->one->program) || all->assumed.count > 0 || all->cuts > 0;
    division->gave_up = division->kind->gives_up && ends_early;
    return given_up;
}

static const char *run_bound(struct division *division)
{
    while (division->whole.more)
        run_execution(division, &division->whole, &division->seen_whole);
    for (uint32_t i = 0; i < division->count; i++) {
        struct search_part *part = &division->part[i];
        while (part->more) {
            run_execution(division, part, &division->seen);
            if (search_gave_up(part->search))
                return gave_up(division);
            if (part->more && !disturb_part(division, part))
                return "a leaf was refused";
        }
    }
    return NULL;
}

/* The sum over all leaves. A complete leaf is not run again at the next bound: `idle`.
 */
static bool executions_fit(const struct division *division, uint64_t executions, bool idle)
{
    uint64_t expected = search_stats(division->whole.search)->executions;
    if (division->kind->ops->traits & STRATEGY_REPEATS && idle)
        return executions <= expected;
    return !division->kind->exact || executions == expected;
}

/* What counts is the oracle. Where no assumption has ended an execution the leaves know no more
 * than the whole search; where one has, the whole may know of further traces that only end
 * earlier by the same assumption, and don't count. */
static bool is_falsely_complete(const struct division *division,
                                const struct search_stats *whole)
{
    const struct oracle_coverage *all = division->one->all;
    return coverage_missing(&all->classes, &division->seen.classes, -1) ||
           (!whole->complete && all->assumed.count == 0);
}

/* All parts have finished the bound. */
static const char *bound_failure(const struct division *division)
{
    const struct search_stats *whole = search_stats(division->whole.search);
    uint64_t executions = 0, distinct = 0;
    bool done = true, complete = true, idle = false;
    for (uint32_t i = 0; i < division->count; i++) {
        const struct search_stats *stats = search_stats(division->part[i].search);
        executions += stats->executions;
        distinct += stats->distinct;
        done &= stats->bound_done >= whole->bound_done || stats->complete;
        complete &= stats->complete;
        idle |= stats->bound < whole->bound;
    }
    if (synth_has_sections(division->one->program)) /* if they block: see section.h */
        return NULL;
    if (distinct != whole->distinct)
        return "the traces of the leaves do not add up";
    if (executions < distinct || !executions_fit(division, executions, idle))
        return "the executions of the leaves do not add up";
    if (complete && is_falsely_complete(division, whole))
        return "falsely complete";
    if (division->kind->exact && whole->complete && !complete)
        return "not complete";
    return done ? NULL : "the bound is not done in some leaf";
}

static const char *coverage_failure(const struct division *division)
{
    const struct oracle_coverage *all = division->one->all;
    int bound = division->kind->by_bounds ? division->bound : -1;
    if (division->kind->delay < 0 &&
        coverage_missing(&all->classes, &division->seen.classes, bound))
        return "a trace within the bound is in no leaf";
    if (coverage_excess(&all->classes, &division->seen.classes, bound))
        return "a trace beyond the bound was run";
    return NULL;
}

/* Searches every leaf once more: which leaf contains each trace? */
static const char *audit_failure(struct division *division)
{
    struct table owners;
    table_init(&owners, division->one->pool, sizeof(uint32_t));
    for (uint32_t i = 0; i < division->count; i++) {
        struct search_part *part = &division->part[i];
        search_destroy(part->search);
        start_part(division, part);
        while (part->more) {
            uint64_t before = search_stats(part->search)->executions;
            run_execution(division, part, &division->seen);
            if (search_stats(part->search)->executions == before)
                continue;
            struct hash128 trace = division->seen.last;
            uint32_t *owner = table_put(&owners, trace.low, trace.high, NULL);
            if (*owner != 0 && *owner != i + 1)
                return "a trace is in two leaves";
            *owner = i + 1;
        }
    }
    const struct search_stats *whole = search_stats(division->whole.search);
    return owners.count == whole->distinct ? NULL : "a trace is in no leaf";
}

/* Without a restart every trace was run once in its leaf. */
static const char *repeats_failure(const struct division *division)
{
    uint64_t executions = 0, distinct = 0;
    restarts = 0;
    for (uint32_t i = 0; i < division->count; i++) {
        executions += search_stats(division->part[i].search)->executions;
        distinct += search_stats(division->part[i].search)->distinct;
        search_destroy(division->part[i].search);
    }
    search_destroy(division->whole.search);
    if (!division->kind->once || restarts > 0 || executions == distinct)
        return NULL;
    return "a trace was run twice in its leaf";
}

static const char *end_failure(struct division *division)
{
    if (synth_has_sections(division->one->program))
        return NULL;
    const char *failure = audit_failure(division);
    return failure ? failure : repeats_failure(division);
}

static const char *division_failure(const struct selftest_case *one,
                                    const struct leaf_kind *kind, uint32_t leaves)
{
    struct division division = {.one = one,
                                .kind = kind,
                                .random = one->program->seed + leaves,
                                .most = leaves,
                                .count = 1};
    division.part = pool_alloc(one->pool, LEAVES * sizeof *division.part);
    coverage_init(&division.seen, one->pool);
    coverage_init(&division.seen_whole, one->pool);
    division.seen.ends_only = division.seen_whole.ends_only = true;
    if (!start_part(&division, &division.part[0]) || !start_part(&division, &division.whole))
        return "the whole was refused";
    for (;;) {
        const char *failure = run_bound(&division);
        if (division.gave_up)
            return NULL;
        if (!failure)
            failure = bound_failure(&division);
        if (!failure)
            failure = coverage_failure(&division);
        if (failure || division.bound == LAST_BOUND)
            return failure ? failure : end_failure(&division);
        division.bound++;
        division.whole.more = search_next_bound(division.whole.search);
        for (uint32_t i = 0; i < division.count; i++)
            division.part[i].more = search_next_bound(division.part[i].search);
    }
}

/* One size of the division per program: most of the time goes into the memory of leaves. */
static const char *leaves_failure(const struct selftest_case *one, const struct leaf_kind *kind)
{
    static const uint32_t leaves[] = {2, 7, LEAVES};
    if (!(kind->ops->traits & STRATEGY_REDUCES) &&
        one->all->interleavings.count > INTERLEAVINGS)
        return NULL; /* they are run again and again */
    return division_failure(one, kind, leaves[one->program->seed % 3]);
}

const char *selftest_cbpor_leaves(const struct selftest_case *one)
{
    struct strategy_ops ops = strategy_cbpor;
    ops.destroy = count_restarts;
    struct leaf_kind kind = {&ops, LAST_BOUND, -1, .by_bounds = true, .once = true};
    return leaves_failure(one, &kind);
}

/* With private objects from the first trace on, or from a later one. */
const char *selftest_cbpor_private_leaves(const struct selftest_case *one)
{
    struct strategy_ops ops = one->program->seed & 1 ? cbpor_private_later : cbpor_private_late;
    ops.destroy = count_restarts;
    struct leaf_kind kind = {&ops, LAST_BOUND, -1, .by_bounds = true, .once = true};
    return leaves_failure(one, &kind);
}

const char *selftest_dfs_leaves(const struct selftest_case *one)
{
    struct leaf_kind kind = {&strategy_dfs, BOUND_NONE, -1, .exact = true};
    if (one->program->seed & 1) {
        kind.bound = LAST_BOUND;
        kind.by_bounds = true;
    }
    return leaves_failure(one, &kind);
}

const char *selftest_icb_leaves(const struct selftest_case *one)
{
    struct leaf_kind kind = {&strategy_icb, LAST_BOUND, -1, .by_bounds = true, .exact = true};
    return leaves_failure(one, &kind);
}

const char *selftest_dpor_leaves(const struct selftest_case *one)
{
    struct leaf_kind kind = {&strategy_dpor, BOUND_NONE, -1, .gives_up = true};
    return leaves_failure(one, &kind);
}

const char *selftest_optimal_leaves(const struct selftest_case *one)
{
    struct leaf_kind kind = {&strategy_optimal, BOUND_NONE, -1, .gives_up = true,
                             .exact = true};
    return leaves_failure(one, &kind);
}

const char *selftest_delay_leaves(const struct selftest_case *one)
{
    struct leaf_kind kind = {&strategy_delay, BOUND_AUTO, LAST_BOUND, .exact = true};
    return leaves_failure(one, &kind);
}
