/* Leaves: a search that is split at random moments, again and again, covers at every bound what
 * the whole search covers, each trace in exactly one leaf, and the counts add up. Now and then
 * a leaf is done again from its description, as if its process had been killed. */
#include "explore/cbpor/cbpor.h"
#include "explore/strategy/leaf.h"
#include "explore/strategy/strategy.h"
#include "selftest/selftest.h"

#define LEAVES       40
#define LAST_BOUND   3
#define SPLIT_ONE_IN 3 /* executions */
#define KILL_ONE_IN  40

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
    const struct strategy_ops *ops;
    int bound;
    uint64_t random;
    uint32_t most; /* leaves */
    uint32_t count;
    struct search_part *part;
    struct oracle_coverage seen;
};

static bool start_part(struct division *division, struct search_part *part)
{
    struct search_options options = oracle_options("", LAST_BOUND);
    options.first_bound = division->bound;
    part->search = search_create_custom(division->one->pool, division->ops, &options, NULL, 0);
    part->more = true;
    return part->search && search_enter(part->search, &part->leaf);
}

/* After an execution: a part may be given away, or be lost with its process. */
static bool disturb_part(struct division *division, struct search_part *part)
{
    if (random_below(&division->random, SPLIT_ONE_IN) == 0 &&
        division->count < division->most) {
        struct search_part *gift = &division->part[division->count];
        if (search_split(part->search, &gift->leaf, &part->leaf)) {
            division->count++;
            return start_part(division, gift);
        }
    }
    if (random_below(&division->random, KILL_ONE_IN) == 0)
        return start_part(division, part);
    return true;
}

static const char *run_bound(struct division *division)
{
    for (uint32_t i = 0; i < division->count; i++) {
        struct search_part *part = &division->part[i];
        while (part->more) {
            part->more = oracle_execute(part->search, division->one->program, &division->seen,
                                        NULL, NULL);
            if (search_gave_up(part->search))
                return "a leaf was given up";
            if (part->more && !disturb_part(division, part))
                return "a leaf was refused";
        }
    }
    return NULL;
}

/* All parts have finished the bound. */
static const char *bound_failure(const struct division *division)
{
    const struct oracle_coverage *all = division->one->all;
    uint64_t executions = 0, distinct = 0;
    bool done = true;
    for (uint32_t i = 0; i < division->count; i++) {
        const struct search_stats *stats = search_stats(division->part[i].search);
        executions += stats->executions;
        distinct += stats->distinct;
        done &= stats->bound_done >= division->bound || stats->complete;
    }
    if (coverage_missing(&all->classes, &division->seen.classes, division->bound))
        return "a trace within the bound is in no leaf";
    if (coverage_excess(&all->classes, &division->seen.classes, division->bound))
        return "a trace beyond the bound was run";
    if (synth_has_sections(division->one->program)) /* if they block: see section.h */
        return NULL;
    if (distinct != coverage_count(&all->classes, division->bound))
        return "the traces of the leaves do not add up";
    if (executions < distinct)
        return "the executions of the leaves do not add up";
    return done ? NULL : "the bound is not done in some leaf";
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
    if (restarts > 0 || synth_has_sections(division->one->program) || executions == distinct)
        return NULL;
    return "a trace was run twice in its leaf";
}

static const char *division_failure(const struct selftest_case *one,
                                    const struct strategy_ops *ops, uint32_t leaves)
{
    struct division division = {.one = one,
                                .ops = ops,
                                .random = one->program->seed + leaves,
                                .most = leaves,
                                .count = 1};
    division.part = pool_alloc(one->pool, LEAVES * sizeof *division.part);
    coverage_init(&division.seen, one->pool);
    division.seen.ends_only = true;
    if (!start_part(&division, &division.part[0]))
        return "the whole was refused";
    for (;;) {
        const char *failure = run_bound(&division);
        if (!failure)
            failure = bound_failure(&division);
        if (failure || division.bound == LAST_BOUND)
            return failure ? failure : repeats_failure(&division);
        division.bound++;
        for (uint32_t i = 0; i < division.count; i++)
            division.part[i].more = search_next_bound(division.part[i].search);
    }
}

static const char *leaves_failure(const struct selftest_case *one,
                                  const struct strategy_ops *ops)
{
    const char *failure = division_failure(one, ops, 2);
    if (!failure)
        failure = division_failure(one, ops, 7);
    return failure ? failure : division_failure(one, ops, LEAVES);
}

const char *selftest_cbpor_leaves(const struct selftest_case *one)
{
    struct strategy_ops ops = strategy_cbpor;
    ops.destroy = count_restarts;
    return leaves_failure(one, &ops);
}
