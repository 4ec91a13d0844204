/* See foreman.h. */
#include "cli/jobs/foreman.h"

#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "explore/search/bounds.h"
#include "host/buffer.h"

struct leaf_record *leaf_record_new(const struct leaf *leaf, const struct slot_names *names)
{
    struct leaf_record *record = allocate(sizeof *record);
    memset(record, 0, sizeof *record);
    record->leaf = *leaf;
    record->names = *names;
    record->worker = -1;
    record->stats.distinct_exact = true;
    return record;
}

static struct leaf_record *add_leaf(struct foreman *foreman, const struct leaf *leaf,
                                    const struct slot_names *names)
{
    foreman->leaf = reallocarray(foreman->leaf, foreman->count + 1, sizeof *foreman->leaf);
    if (!foreman->leaf)
        abort();
    struct leaf_record *record = leaf_record_new(leaf, names);
    foreman->leaf[foreman->count++] = record;
    return record;
}

double foreman_expects(const struct search_stats *stats)
{
    if (stats->nrows < 2)
        return 0;
    double last = (double)stats->row[stats->nrows - 1].executions;
    double before = (double)stats->row[stats->nrows - 2].executions;
    return before > 0 ? last * last / before : 0;
}

void foreman_begin(struct foreman *foreman, const struct search_stats *before, int last_bound)
{
    *foreman = (struct foreman){.total = *before, .last_bound = last_bound};
}

void foreman_add(struct foreman *foreman, const struct leaf_record *record)
{
    struct leaf_record *added = add_leaf(foreman, &record->leaf, &record->names);
    added->state = record->state;
    added->exhausted = record->exhausted;
    added->stats = record->stats;
}

void foreman_open(struct foreman *foreman, const struct search_stats *before, int last_bound,
                  const struct leaf *kept, const struct leaf *gift,
                  const struct slot_names *names)
{
    foreman_begin(foreman, before, last_bound);
    struct leaf_record *first = add_leaf(foreman, kept, names);
    first->state = LEAF_RUNNING;
    first->worker = 0;
    foreman_split(foreman, 0, kept, gift, names);
}

void foreman_close(struct foreman *foreman)
{
    for (size_t i = 0; i < foreman->count; i++)
        free(foreman->leaf[i]);
    free(foreman->leaf);
    *foreman = (struct foreman){.total = {.bound_done = -1}};
}

/* The newest that nobody has begun, else the largest. */
static bool is_better(const struct leaf_record *leaf, const struct leaf_record *best)
{
    if (!best || leaf->worker < 0)
        return true;
    return best->worker >= 0 && leaf->stats.executions > best->stats.executions;
}

int foreman_next(struct foreman *foreman, int worker, double repeats)
{
    int best = -1;
    for (size_t i = 0; i < foreman->count; i++) {
        const struct leaf_record *leaf = foreman->leaf[i];
        if (leaf->state != LEAF_OPEN)
            continue;
        if (leaf->worker == worker) {
            best = (int)i;
            break;
        }
        bool may = leaf->worker < 0 || (double)leaf->stats.executions <= repeats;
        if (may && is_better(leaf, best < 0 ? NULL : foreman->leaf[best]))
            best = (int)i;
    }
    if (best >= 0)
        foreman_take(foreman, best, worker);
    return best;
}

void foreman_take(struct foreman *foreman, int leaf, int worker)
{
    must(foreman->leaf[leaf]->state == LEAF_OPEN);
    struct leaf_record *record = foreman->leaf[leaf];
    record->known = record->worker == worker ? record->stats.executions : 0;
    record->state = LEAF_RUNNING;
    record->worker = worker;
    record->live = (struct search_stats){0};
}

void foreman_split(struct foreman *foreman, int leaf, const struct leaf *kept,
                   const struct leaf *gift, const struct slot_names *names)
{
    struct leaf_record *record = foreman->leaf[leaf];
    must(record->state == LEAF_RUNNING);
    record->leaf = *kept;
    record->names = *names;
    add_leaf(foreman, gift, names);
}

void foreman_finished(struct foreman *foreman, int leaf, const struct search_stats *stats)
{
    struct leaf_record *record = foreman->leaf[leaf];
    must(record->state == LEAF_RUNNING);
    record->state = LEAF_DONE;
    record->stats = *stats;
    record->exhausted = !stats->pruned_by_bound;
}

void foreman_lost(struct foreman *foreman, int worker)
{
    for (size_t i = 0; i < foreman->count; i++) {
        struct leaf_record *leaf = foreman->leaf[i];
        if (leaf->worker != worker)
            continue;
        leaf->worker = -1;
        if (leaf->state == LEAF_RUNNING)
            leaf->state = LEAF_OPEN;
    }
}

size_t foreman_open_leaves(const struct foreman *foreman)
{
    size_t open = 0;
    for (size_t i = 0; i < foreman->count; i++)
        open += foreman->leaf[i]->state == LEAF_OPEN;
    return open;
}

bool foreman_bound_is_done(const struct foreman *foreman)
{
    for (size_t i = 0; i < foreman->count; i++)
        if (foreman->leaf[i]->state != LEAF_DONE)
            return false;
    return true;
}

/* A leaf that was begun again shows its earlier counts until the new ones are larger. */
static const struct search_stats *counts_of(const struct leaf_record *leaf)
{
    bool ahead = leaf->state == LEAF_RUNNING && leaf->live.executions > leaf->stats.executions;
    return ahead ? &leaf->live : &leaf->stats;
}

static struct search_stats sum_leaves(const struct foreman *foreman)
{
    struct search_stats sum = foreman->total;
    sum.executions = sum.pruned = sum.assumed = sum.steps = sum.distinct = 0;
    sum.nfailures_seen = 0;
    sum.distinct_exact = true;
    sum.pruned_by_bound = false;
    for (size_t i = 0; i < foreman->count; i++)
        bound_add_leaf(&sum, counts_of(foreman->leaf[i]));
    return sum;
}

/* After a split, the counts of a leaf start again for what is left of it, but executions of
 * finished bounds still count. */
struct search_stats foreman_counts(const struct foreman *foreman)
{
    struct search_stats sum = sum_leaves(foreman);
    if (sum.executions < foreman->total.executions)
        sum.executions = foreman->total.executions;
    if (sum.distinct < foreman->total.distinct)
        sum.distinct = foreman->total.distinct;
    return sum;
}

/* What a leaf leaves out because of the bound may all belong to other leaves, so the last
 * bounds may have added nothing. One process does not begin them: the search was complete
 * before. */
static void drop_empty_bounds(struct search_stats *total)
{
    for (; total->nrows >= 2; total->nrows--, total->bound--, total->bound_done--) {
        const struct bound_row *last = &total->row[total->nrows - 1], *before = last - 1;
        if (last->bound != total->bound || before->bound + 1 != last->bound ||
            last->executions != before->executions || last->distinct != before->distinct)
            break;
    }
}

bool foreman_next_bound(struct foreman *foreman, struct claim *claim)
{
    must(foreman_bound_is_done(foreman));
    uint64_t assumed = foreman->total.assumed;
    foreman->total = sum_leaves(foreman);
    if (!bound_close(&foreman->total, claim)) {
        if (foreman->total.complete && foreman->total.assumed == assumed)
            drop_empty_bounds(&foreman->total);
        return false;
    }
    if (foreman->total.bound >= foreman->last_bound)
        return false;
    foreman->total.bound++;
    foreman->total.pruned_by_bound = false;
    for (size_t i = 0; i < foreman->count; i++) {
        struct leaf_record *leaf = foreman->leaf[i];
        if (!leaf->exhausted)
            leaf->state = LEAF_OPEN;
    }
    return true;
}
