/* See merge_results.h. */
#include "cli/jobs/merge_results.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/search/bounds.h"
#include "trace/same_failure.h"
#include "trace/shard.h"

struct shards {
    struct result *const *result;
    char *const *name;
    size_t count;
};

static const struct shard *shard_at(const struct shards *shards, size_t i)
{
    return shards->result[i]->coverage.shard;
}

/* --- do they belong together? --- */

/* What differs between two shards, or NULL. */
static const char *find_difference(const struct result *a, const struct result *b)
{
    const struct shard *left = a->coverage.shard, *right = b->coverage.shard;
    if (left->program != right->program)
        return "a different program, different arguments, or a different build of Mazur";
    if (left->options != right->options)
        return "different options";
    if (left->of != right->of)
        return "a different number of shards";
    if (left->whole || right->whole)
        return NULL;
    const struct search_stats *before = &a->coverage.stats, *other = &b->coverage.stats;
    bool alike = left->tree == right->tree && before->nrows == other->nrows &&
                 before->bound_done == other->bound_done;
    for (int i = 0; alike && i < before->nrows; i++)
        alike = before->row[i].executions == other->row[i].executions;
    return alike ? NULL : "the search was divided differently";
}

static char *check_shards(const struct shards *shards)
{
    size_t divided = SIZE_MAX;
    for (size_t i = 0; i < shards->count; i++) {
        if (!shard_at(shards, i))
            return format_text("%s is not the result of a shard (--shard)", shards->name[i]);
        for (size_t j = 0; j < i; j++)
            if (shard_at(shards, j)->index == shard_at(shards, i)->index)
                return format_text("%s and %s are the same shard", shards->name[j],
                                   shards->name[i]);
        const char *what = find_difference(shards->result[0], shards->result[i]);
        size_t with = 0;
        if (!what && divided != SIZE_MAX) {
            what = find_difference(shards->result[divided], shards->result[i]);
            with = divided;
        }
        if (what)
            return format_text("%s and %s do not belong to the same search: %s",
                               shards->name[with], shards->name[i], what);
        if (!shard_at(shards, i)->whole)
            divided = i;
    }
    return NULL;
}

/* --- what was covered --- */

/* The counts of a shard within a bound; false: it has not finished it. */
static bool counts_within(const struct result *result, int bound, struct bound_row *row)
{
    const struct shard *shard = result->coverage.shard;
    for (int i = 0; i < shard->nrows; i++)
        if (shard->row[i].bound == bound) {
            *row = shard->row[i];
            return true;
        }
    *row = (struct bound_row){.bound = bound,
                              .executions = result->coverage.stats.executions,
                              .distinct = result->coverage.stats.distinct};
    return shard->exhausted && bound > shard->bound_done;
}

/* The row of a bound, if every shard has finished it. */
static bool add_row(const struct shards *shards, int bound, struct search_stats *sum)
{
    struct bound_row all = {.bound = bound};
    for (size_t i = 0; i < shards->count; i++) {
        struct bound_row row;
        if (!counts_within(shards->result[i], bound, &row))
            return false;
        all.executions += row.executions;
        all.distinct += row.distinct;
    }
    if (sum->nrows < BOUND_ROWS)
        sum->row[sum->nrows++] = all;
    sum->bound_done = bound;
    return true;
}

static int last_bound_of(const struct shards *shards)
{
    int last = -1;
    for (size_t i = 0; i < shards->count; i++)
        if (shard_at(shards, i)->bound_done > last)
            last = shard_at(shards, i)->bound_done;
    return last;
}

static void note_missing(const struct shards *shards, struct claim *claim)
{
    for (int index = 1; index <= shard_at(shards, 0)->of; index++) {
        bool here = false;
        for (size_t i = 0; i < shards->count; i++)
            here |= shard_at(shards, i)->index == index;
        char which[16];
        snprintf(which, sizeof which, "%d", index);
        if (!here)
            claim_raise(claim, REASON_SHARDS_MISSING, which);
    }
}

static void add_parts(const struct shards *shards, struct coverage *coverage)
{
    struct search_stats *sum = &coverage->stats;
    bool exhausted = true;
    sum->executions = sum->pruned = sum->steps = sum->transitions = sum->distinct = 0;
    sum->pruned_by_bound = false;
    for (size_t i = 0; i < shards->count; i++) {
        const struct coverage *part = &shards->result[i]->coverage;
        bound_add_leaf(sum, &part->stats);
        claim_add(&coverage->claim, &part->claim);
        exhausted &= part->shard->exhausted;
        if (part->threads > coverage->threads)
            coverage->threads = part->threads;
        if (part->visible > coverage->visible)
            coverage->visible = part->visible;
    }
    note_missing(shards, &coverage->claim);
    bool all = !claim_has(&coverage->claim, REASON_SHARDS_MISSING);
    int last = last_bound_of(shards);
    for (int bound = sum->bound_done + 1; all && bound <= last; bound++)
        if (!add_row(shards, bound, sum))
            break;
    sum->complete = all && exhausted && claim_allows(&coverage->claim, CLAIM_SEARCHED);
    sum->bound = last > sum->bound_done ? last : sum->bound_done;
}

/* The result of the shard that has searched everything and claims most; NULL: there is none. */
static const struct result *find_whole(const struct shards *shards)
{
    const struct result *best = NULL;
    for (size_t i = 0; i < shards->count; i++) {
        const struct result *result = shards->result[i];
        const struct search_stats *stats = &result->coverage.stats;
        if (!result->coverage.shard->whole)
            continue;
        if (!best || stats->complete > best->coverage.stats.complete ||
            (stats->complete == best->coverage.stats.complete &&
             stats->bound_done > best->coverage.stats.bound_done))
            best = result;
    }
    return best;
}

/* --- failures --- */

static int compare_failures(const void *left, const void *right)
{
    const struct trace *a = *(struct trace *const *)left, *b = *(struct trace *const *)right;
    if (a->failure.bound != b->failure.bound)
        return a->failure.bound < b->failure.bound ? -1 : 1;
    if (a->failure.kind != b->failure.kind)
        return a->failure.kind < b->failure.kind ? -1 : 1;
    return strcmp(a->failure.message, b->failure.message);
}

static void take_failures(const struct shards *shards, struct result *merged, bool keep_going)
{
    size_t count = 0, taken = 0;
    for (size_t i = 0; i < shards->count; i++)
        count += shards->result[i]->nfailures;
    struct trace **traces = allocate((count + 1) * sizeof *traces);
    for (size_t i = 0; i < shards->count; i++) {
        struct result *from = shards->result[i];
        for (size_t j = 0; j < from->nfailures; j++)
            traces[taken++] = from->failure[j];
        from->nfailures = 0;
    }
    qsort(traces, count, sizeof *traces, compare_failures);
    merge_failures(traces, count);
    for (size_t i = 0; i < count; i++) {
        if (traces[i] && (keep_going || merged->nfailures == 0))
            result_add(merged, traces[i]);
        else if (traces[i])
            trace_free(traces[i]);
    }
    free(traces);
}

/* --- the whole --- */

/* How the first shard that did not finish ended. */
static enum search_end find_end(const struct shards *shards, const struct result *merged)
{
    if (merged->nfailures)
        return ENDED_FAILURE;
    for (size_t i = 0; i < shards->count; i++)
        if (shards->result[i]->end != ENDED_SEARCHED)
            return shards->result[i]->end;
    return claim_has(&merged->coverage.claim, REASON_SHARDS_MISSING) ? ENDED_INTERRUPTED
                                                                     : ENDED_SEARCHED;
}

struct result *merge_results(struct result *const *shard, char *const *name, size_t count,
                             char **why)
{
    struct shards shards = {shard, name, count};
    *why = check_shards(&shards);
    if (*why)
        return NULL;
    const struct result *whole = find_whole(&shards);
    const struct result *first = whole ? whole : shard[0];
    struct result *merged = result_new(first->program);
    merged->coverage = first->coverage;
    merged->coverage.shard = NULL;
    for (size_t i = 0; i < count; i++)
        if (shard[i]->seconds > merged->seconds)
            merged->seconds = shard[i]->seconds;
    if (!whole)
        add_parts(&shards, &merged->coverage);
    take_failures(&shards, merged, first->coverage.shard->keep_going);
    if (merged->nfailures) {
        merged->coverage.stats.complete = false;
        claim_raise(&merged->coverage.claim, REASON_STOPPED_AT_FAILURE, NULL);
    }
    merged->end = whole && !merged->nfailures ? whole->end : find_end(&shards, merged);
    coverage_decide(&merged->coverage);
    return merged;
}
