/* A trace of every failure that a search found: each is simplified, run once more and recorded.
 */
#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "cli/build/recipe.h"
#include "cli/search/search_steps.h"
#include "debuginfo/symbolise.h"
#include "host/say.h"
#include "trace/capture.h"
#include "trace/file/mzt.h"
#include "trace/same_failure.h"
#include "trace/simplest.h"
#include "trace/verdict.h"

/* The number of failures not shown yet, including this one. */
static size_t failures_left(const struct search_session *session,
                            const struct found_failure *found)
{
    must(found >= session->found && found < session->found + session->nfound);
    return session->nfound - (size_t)(found - session->found);
}

static struct trace_failure keep_search_facts(struct trace_failure recorded,
                                              const struct board_failure *failure)
{
    recorded.execution = failure->execution;
    recorded.bound = failure->bound;
    return recorded;
}

static void say_not_reproduced(struct trace *trace, const struct found_failure *found)
{
    struct trace_failure *failure = &trace->failure;
    const char *again =
        failure->kind == FAILURE_NONE ? "no failure" : failure_title(failure->kind);
    failure->detail =
        arena_format(&trace->arena, "found: %s (%s); the same schedule run again: %s%s%s",
                     failure_title(found->failure.kind), found->failure.message, again,
                     failure->message[0] ? ": " : "", failure->message);
    failure->kind = FAILURE_NONDETERMINISM;
    failure->message = "a failing execution did not repeat itself: the program depends on "
                       "something that Mazur does not control";
}

/* "expected at f.c:10 f, got at f.c:12 f", if both are known. */
static void say_what_differed(const struct search_session *session, struct trace *trace,
                              const struct board_failure *failure)
{
    if (!failure->expected || !failure->stack.depth)
        return;
    struct symboliser *symboliser = symboliser_new(session->shared.board, &trace->arena);
    struct source_stack before = symbolise_code(symboliser, failure->expected, true);
    struct source_stack now = symbolise_code(symboliser, failure->stack.pc[0], true);
    char *expected = place_text(stack_user_place(&before));
    char *got = place_text(stack_user_place(&now));
    trace->failure.detail =
        arena_format(&trace->arena, "expected at %s, got at %s", expected, got);
    free(expected);
    free(got);
    symboliser_free(symboliser);
}

/* A failure that repeats without killing or stopping the child can be searched for again. */
static bool can_simplify(const struct found_failure *found)
{
    return !found->died && !failure_has(found->failure.kind, FAILURE_STAYS_AS_FOUND) &&
           !found->failure.stops_loops;
}

/* Replace the execution that was found by the simplest one with the same failure. */
static void simplify_found(struct search_session *session, struct found_failure *found,
                           struct recording *recording)
{
    uint64_t executions = (uint64_t)session->options->simplify;
    if (recording->config.isolate == ISOLATE_FORK)
        executions = (executions + 9) / 10; /* each of them is a process */
    /* with --preempt-only or --no-preempt, a simpler form could preempt where it must not */
    if (!can_simplify(found) || supervise_interrupted() ||
        claim_has(&session->shared.board->claim, REASON_PLACES))
        return;
    double began = clock_seconds();
    double seconds = budget_simplify(&session->budget, failures_left(session, found));
    bool simpler = simplify_execution(recording, executions, seconds, &found->simplified);
    session->budget.simplifying += clock_seconds() - began;
    if (!simpler)
        return;
    recording->schedule = found->simplified.schedule;
    recording->nschedule = found->simplified.nschedule;
    recording->thread = found->simplified.thread;
    recording->nthreads = found->simplified.nthreads;
    recording->lessons = &found->simplified.lessons;
    recording->simplified = &found->simplified.facts;
}

/* Some verdicts have no execution to show: the test can't be run. */
static bool has_execution(enum failure_kind kind)
{
    return kind != FAILURE_INVALID && !failure_is_outside(kind);
}

static struct trace *bare_trace(struct search_session *session,
                                const struct found_failure *found)
{
    struct trace *trace = trace_new();
    trace_capture(trace, session->shared.board, &found->failure);
    trace->program = arena_text(&trace->arena, session->program->name);
    trace->nevents = 0;
    trace->output = "";
    return trace;
}

/* Try again if somebody else ended the process; the failure itself was found. */
static struct trace *record_undisturbed(const struct recording *recording)
{
    struct trace *trace = record_execution(recording);
    if (trace && trace->failure.kind == FAILURE_KILLED && !supervise_interrupted()) {
        trace_free(trace);
        trace = record_execution(recording);
    }
    return trace;
}

/* Run the failing execution again, in its simplest form. If that does not fail like the
 * original, run the original: an effect of simplification must not be blamed on the program. */
static struct trace *record_found(struct search_session *session, struct found_failure *found)
{
    struct recording recording = recording_of(session, found, failures_left(session, found));
    simplify_found(session, found, &recording);
    recording.time = budget_record(&session->budget, failures_left(session, found));
    struct trace *trace = record_undisturbed(&recording);
    if (!trace || !recording.simplified ||
        trace->failure.kind == (enum failure_kind)found->failure.kind)
        return trace;
    trace_free(trace);
    recording = recording_of(session, found, failures_left(session, found));
    return record_undisturbed(&recording);
}

static struct trace *trace_of(struct search_session *session, struct found_failure *found)
{
    struct trace *trace = record_found(session, found);
    if (!trace)
        return NULL;
    if (failure_is_outside(trace->failure.kind)) {
        complain("cannot show the failing execution: %s", trace->failure.message);
        trace_free(trace);
        found->unshown = true;
        return bare_trace(session, found);
    }
    if (found->failure.kind == FAILURE_NONDETERMINISM) {
        trace->failure.kind = FAILURE_NONDETERMINISM;
        trace->failure.message = arena_text(&trace->arena, found->failure.message);
        say_what_differed(session, trace, &found->failure);
    } else if (trace->failure.kind != (enum failure_kind)found->failure.kind) {
        say_not_reproduced(trace, found);
    }
    trace->failure = keep_search_facts(trace->failure, &found->failure);
    return trace;
}

static bool save_trace(struct search_session *session, struct trace *trace)
{
    if (session->options->no_trace)
        return true;
    char *reason = NULL;
    char *path = mzt_write(trace, session->options->trace_dir, &reason);
    if (path)
        trace->file_name = arena_text(&trace->arena, path);
    else
        complain("cannot write the trace file: %s", reason);
    free(path);
    free(reason);
    return trace->file_name;
}

/* The fewest preemptions of all failures; called when all are known. */
static void note_fewest(struct result *result)
{
    int fewest = -1;
    for (size_t i = 0; i < result->nfailures; i++) {
        int preemptions = result->failure[i]->failure.preemptions;
        if (preemptions >= 0 && (fewest < 0 || preemptions < fewest))
            fewest = preemptions;
    }
    result->coverage.fewest_failing = fewest;
}

/* Readers who see the same words twice assume that it is the same failure. */
static bool looks_simpler_elsewhere(const struct result *result, const struct trace *trace)
{
    for (size_t i = 0; i < result->nfailures; i++) {
        const struct trace_failure *other = &result->failure[i]->failure;
        if (other->kind == trace->failure.kind && other->preemptions >= 0 &&
            other->preemptions < trace->failure.preemptions &&
            strcmp(other->message, trace->failure.message) == 0)
            return true;
    }
    return false;
}

/* Remove from the trace what the claim's reasons and the other failures do not allow it to say.
 */
static void settle_trace(struct result *result, struct trace *trace)
{
    trace->coverage = result->coverage;
    if (!is_inflection_proven(trace)) {
        trace->simplest.inflection = UINT32_MAX;
        trace->inflection = TRACE_NO_EVENT;
    }
    if (looks_simpler_elsewhere(result, trace))
        trace->simplest.excluded = -1;
}

void settle_failures(struct result *result)
{
    note_fewest(result);
    for (size_t i = 0; i < result->nfailures; i++)
        settle_trace(result, result->failure[i]);
}

/* Record every failure, and keep each once. False after a message. */
static bool record_failures(struct search_session *session, struct trace **traces)
{
    for (size_t i = 0; i < session->nfound; i++) {
        struct found_failure *found = &session->found[i];
        bool execution = has_execution(found->failure.kind);
        traces[i] = execution ? trace_of(session, found) : bare_trace(session, found);
        if (!traces[i])
            return false;
        found->unshown = found->unshown || !execution;
        program_recipe(session->program, traces[i]);
    }
    return true;
}

bool trace_failures(struct search_session *session, struct result *result)
{
    struct trace *traces[BOARD_FAILURES] = {NULL};
    bool good = record_failures(session, traces);
    merge_failures(traces, session->nfound);
    for (size_t i = 0; i < session->nfound; i++)
        if (traces[i])
            result_add(result, traces[i]);
    settle_failures(result);
    for (size_t i = 0; i < session->nfound; i++)
        if (traces[i] && !session->found[i].unshown)
            good = save_trace(session, traces[i]) && good;
    return good;
}
