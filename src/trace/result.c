/* Verdict, exit code and the coverage sentence of a search. See result.h.
 *
 * A search that was cut is never called passed (docs/design.md, "Decisions"): "passed" means
 * every execution within the requested bound was searched, "complete" means every interleaving
 * was. */
#include "trace/result.h"

#include <stdlib.h>
#include <string.h>

#include "explore/search/strategies.h"
#include "host/exit_codes.h"
#include "trace/model_coverage.h"
#include "trace/names.h"
#include "trace/reasons.h"
#include "trace/shard.h"
#include "trace/verdict.h"

struct result *result_new(const char *program)
{
    struct result *result = allocate(sizeof *result);
    result->program = arena_text(&result->arena, program);
    return result;
}

void result_add(struct result *result, struct trace *trace)
{
    result->failure =
        reallocarray(result->failure, result->nfailures + 1, sizeof *result->failure);
    if (!result->failure)
        abort();
    result->failure[result->nfailures++] = trace;
}

static const char *copied_text(struct arena *arena, const char *text)
{
    return text ? arena_text(arena, text) : NULL;
}

void result_add_pass(struct result *result, const struct result_pass *pass)
{
    struct arena *arena = &result->arena;
    struct result_pass *larger = arena_alloc(arena, (result->npasses + 1) * sizeof *larger);
    if (result->npasses > 0)
        memcpy(larger, result->pass, result->npasses * sizeof *larger);
    result->pass = larger;
    struct result_pass *copy = &larger[result->npasses++];
    *copy = *pass;
    copy->property = copied_text(arena, pass->property);
    copy->formula = copied_text(arena, pass->formula);
    copy->verdict = copied_text(arena, pass->verdict);
    copy->truncated_by = copied_text(arena, pass->truncated_by);
}

struct unreached_statement unreached_copy(struct arena *arena,
                                          const struct unreached_statement *row)
{
    struct unreached_statement copy = *row;
    copy.process = copied_text(arena, row->process);
    copy.statement = copied_text(arena, row->statement);
    copy.place.file = copied_text(arena, row->place.file);
    return copy;
}

void result_free(struct result *result)
{
    for (size_t i = 0; i < result->nfailures; i++)
        trace_free(result->failure[i]);
    free(result->failure);
    free(result->resume);
    arena_free(&result->arena);
    free(result);
}

void coverage_decide(struct coverage *coverage)
{
    if (claim_has(&coverage->claim, REASON_DOUBTFUL)) { /* so may be the bounds */
        coverage->stats.complete = false;
        coverage->stats.bound_done = -1;
        coverage->stats.nrows = 0;
    }
    bool exhausted = coverage->stats.complete;
    coverage->complete = exhausted && claim_allows(&coverage->claim, CLAIM_COMPLETE);
    coverage->unseen = exhausted && claim_is_blind_only(&coverage->claim);
    coverage->counted =
        coverage->stats.distinct_exact && claim_allows(&coverage->claim, CLAIM_DISTINCT);
    coverage->all_counted = coverage->counted && claim_allows(&coverage->claim, CLAIM_TRACES) &&
                            strategy_has(coverage->strategy, STRATEGY_COUNTS);
}

static const char *const end_names[] = {
    [ENDED_SEARCHED] = "searched", [ENDED_TIME] = "time",
    [ENDED_EXECS] = "executions",  [ENDED_INTERRUPTED] = "interrupted",
    [ENDED_FAILURE] = "failure",   [ENDED_FAILURE + 1] = NULL,
};

const char *result_end_name(enum search_end end)
{
    return name_of(end_names, (unsigned)end);
}

int result_end_from_name(const char *name)
{
    return value_of(end_names, name);
}

/* Has a shard finished its part of everything that was asked for? */
static bool shard_is_done(const struct coverage *coverage)
{
    const struct shard *shard = coverage->shard;
    return shard && !shard->whole &&
           (shard->exhausted ||
            (coverage->bound_asked >= 0 && shard->bound_done >= coverage->bound_asked));
}

bool result_bound_complete(const struct result *result)
{
    const struct coverage *coverage = &result->coverage;
    const struct search_stats *stats = &coverage->stats;
    if (result->nfailures || !claim_allows(&coverage->claim, CLAIM_BOUND) ||
        (stats->executions == 0 && !shard_is_done(coverage)))
        return false;
    return stats->complete || shard_is_done(coverage) ||
           (coverage->bound_asked >= 0 && stats->bound_done >= coverage->bound_asked);
}

/* --require-complete; a shard must have completed its part. */
static bool lacks_completeness(const struct result *result)
{
    const struct shard *shard = result->coverage.shard;
    bool done = shard && !shard->whole && shard->exhausted &&
                claim_allows(&result->coverage.claim, CLAIM_BOUND);
    return result->require_complete && !result->coverage.complete && !done;
}

const char *result_verdict(const struct result *result)
{
    if (result->nfailures)
        return failure_name(result->failure[0]->failure.kind);
    if (result->coverage.model)
        return model_verdict(&result->coverage);
    if (lacks_completeness(result))
        return "incomplete";
    return result_bound_complete(result) ? "passed" : "nothing-found";
}

int result_exit_code(const struct result *result)
{
    if (result->nfailures)
        return failure_exit_code(result->failure[0]->failure.kind);
    if (claim_has(&result->coverage.claim, REASON_DOUBTFUL))
        return EXIT_INTERNAL;
    return lacks_completeness(result) ? EXIT_INCOMPLETE : 0;
}

/* Executions that ended early at a known state might have added traces, so the count is a
 * minimum. */
static const char *how_many(const struct coverage *coverage)
{
    return coverage->counted ? "" : coverage->stats.distinct_exact ? "at least " : "about ";
}

static void add_counts(struct buffer *text, const struct coverage *coverage,
                       uint64_t executions, uint64_t distinct)
{
    buffer_text(text, " (");
    buffer_count(text, executions);
    buffer_printf(text, " execution%s", executions == 1 ? "" : "s");
    if (distinct) {
        buffer_printf(text, ", %s", how_many(coverage));
        buffer_count(text, distinct);
        buffer_text(text, " distinct");
    }
    buffer_text(text, ")");
}

static const char *restriction_of(const struct coverage *coverage)
{
    return coverage->restricted ? coverage->restricted : "";
}

/* Mention the fair bound if --fair excluded something. */
static void add_fairness(struct buffer *text, const struct coverage *coverage)
{
    if (claim_has(&coverage->claim, REASON_FAIR_BOUND))
        buffer_printf(text, " within the fair bound %d", coverage->fair);
}

static const char *bound_unit(const struct coverage *coverage)
{
    return strategy_has(coverage->strategy, STRATEGY_DELAYS)         ? "delay"
           : strategy_has(coverage->strategy, STRATEGY_BOUNDS_STEPS) ? "step"
                                                                     : "preemption";
}

/* The counts at the end of the last bound that was finished. */
static void add_bound(struct buffer *text, const struct coverage *coverage)
{
    const struct search_stats *stats = &coverage->stats;
    uint64_t executions = stats->executions, distinct = stats->distinct;
    bool partly = false;
    for (int i = 0; i < stats->nrows; i++)
        if (stats->row[i].bound == stats->bound_done) {
            partly = stats->executions > stats->row[i].executions;
            executions = stats->row[i].executions;
            distinct = stats->row[i].distinct;
        }
    /* a search that prunes at known states has not run every execution that reaches them */
    const char *all = claim_has(&coverage->claim, REASON_KNOWN_STATES)
                          ? "all states of executions"
                          : "all executions";
    buffer_printf(text, "%s with ≤ %d %s%s%s", all, stats->bound_done, bound_unit(coverage),
                  stats->bound_done == 1 ? "" : "s", restriction_of(coverage));
    add_fairness(text, coverage);
    add_counts(text, coverage, executions, distinct);
    if (coverage->started_over) {
        buffer_text(text, " and ");
        buffer_count(text, stats->executions);
        buffer_text(text, " others");
    } else if (partly && stats->bound > stats->bound_done) {
        buffer_text(text, " and ");
        buffer_count(text, stats->executions - executions);
        buffer_printf(text, " of those with %d", stats->bound);
    }
}

/* What "complete" means: a stateful search covers every local state of the threads, not every
 * trace. */
static void add_complete(struct buffer *text, const struct coverage *coverage)
{
    const struct search_stats *stats = &coverage->stats;
    bool stateful = strategy_has(coverage->strategy, STRATEGY_STATEFUL);
    if (coverage->complete)
        buffer_text(text, "complete: ");
    buffer_text(text, stateful ? "every local state and deadlock" : "every interleaving");
    buffer_text(text, !coverage->instrumented ? " of the synchronisation calls, "
                      : coverage->complete    ? ", "
                                              : " of what is seen, ");
    if (stats->distinct && !stateful) {
        buffer_count(text, stats->distinct);
        buffer_printf(text, " trace%s in ", stats->distinct == 1 ? "" : "s");
    }
    buffer_count(text, stats->executions);
    buffer_printf(text, " execution%s", stats->executions == 1 ? "" : "s");
}

/* "shard 2 of 8, its part of …" */
static void add_shard(struct buffer *text, const struct coverage *coverage)
{
    const struct shard *shard = coverage->shard;
    buffer_printf(text, "shard %d of %d, its part of ", shard->index, shard->of);
    if (shard->exhausted)
        buffer_text(text, "every interleaving");
    else if (shard->bound_done >= 0)
        buffer_printf(text, "all executions with ≤ %d %s%s", shard->bound_done,
                      strategy_has(coverage->strategy, STRATEGY_DELAYS) ? "delay"
                                                                        : "preemption",
                      shard->bound_done == 1 ? "" : "s");
    else
        buffer_text(text, "the executions, not finished");
    add_counts(text, coverage, coverage->stats.executions, coverage->stats.distinct);
}

/* What the scout ran. A search that covered everything has run these executions, too. */
static void add_sampled(struct buffer *text, const struct coverage *coverage)
{
    if (coverage->stats.sampled == 0 || coverage->complete)
        return;
    buffer_text(text, ", and ");
    buffer_count(text, coverage->stats.sampled);
    buffer_text(text, " at random");
}

char *coverage_sentence(const struct coverage *coverage)
{
    const struct search_stats *stats = &coverage->stats;
    struct buffer text = {0};
    if (coverage->model)
        return model_sentence(coverage);
    if (coverage->shard && !coverage->shard->whole) {
        add_shard(&text, coverage);
        add_sampled(&text, coverage);
        buffer_text(&text, " · SC");
        return buffer_take(&text);
    }
    if (coverage->complete || coverage->unseen) {
        add_complete(&text, coverage);
    } else if (stats->complete && *restriction_of(coverage)) {
        buffer_printf(&text, "all executions with preemptions%s", restriction_of(coverage));
        add_counts(&text, coverage, stats->executions, stats->distinct);
    } else if (stats->bound_done >= 0) {
        add_bound(&text, coverage);
    } else {
        buffer_text(&text, stats->complete ? "every execution that Mazur controls"
                                           : "a part of the executions");
        add_fairness(&text, coverage);
        add_counts(&text, coverage, stats->executions, stats->distinct);
    }
    add_sampled(&text, coverage);
    buffer_text(&text, " · SC");
    if (coverage->store_buffers)
        buffer_text(&text, ", store buffers checked");
    return buffer_take(&text);
}

void coverage_weaknesses(const struct coverage *coverage, struct text_list *list)
{
    if (coverage->model)
        model_weaknesses(coverage, list);
    if (claim_has(&coverage->claim, REASON_UNCONTROLLED))
        list_take(list, reason_sentence(&coverage->claim, REASON_UNCONTROLLED));
    reason_notes(coverage, list);
}
