/* See bounds.h. */
#include "explore/search/bounds.h"

static void add_row(struct search_stats *stats, struct claim *claim)
{
    stats->bound_done = stats->bound;
    if (stats->nrows == BOUND_ROWS) {
        claim_limit(claim, LIMIT_AT_BOUND_ROWS);
        return;
    }
    stats->row[stats->nrows++] = (struct bound_row){
        .bound = stats->bound,
        .executions = stats->executions,
        .distinct = stats->distinct,
        .states = stats->states,
    };
}

bool bound_close(struct search_stats *stats, struct claim *claim)
{
    if (stats->bound != BOUND_NONE && claim_allows(claim, CLAIM_BOUND))
        add_row(stats, claim);
    if (stats->pruned_by_bound)
        return true;
    stats->complete = claim_allows(claim, CLAIM_SEARCHED);
    return false;
}

void bound_add_leaf(struct search_stats *sum, const struct search_stats *leaf)
{
    sum->executions += leaf->executions;
    sum->pruned += leaf->pruned;
    sum->assumed += leaf->assumed;
    sum->sampled += leaf->sampled;
    sum->steps += leaf->steps;
    sum->transitions += leaf->transitions;
    sum->distinct += leaf->distinct;
    sum->distinct_exact &= leaf->distinct_exact;
    sum->pruned_by_bound |= leaf->pruned_by_bound;
    sum->depth_cut |= leaf->depth_cut;
    if (leaf->max_threads > sum->max_threads)
        sum->max_threads = leaf->max_threads;
    if (leaf->max_depth > sum->max_depth)
        sum->max_depth = leaf->max_depth;
    if (leaf->max_blocking > sum->max_blocking)
        sum->max_blocking = leaf->max_blocking;
    if (leaf->max_preemptions > sum->max_preemptions)
        sum->max_preemptions = leaf->max_preemptions;
    sum->nfailures_seen += leaf->nfailures_seen;
    sum->livelock |= leaf->livelock;
    sum->diverged |= leaf->diverged;
    sum->cycle |= leaf->cycle;
}
