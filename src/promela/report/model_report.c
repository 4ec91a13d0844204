/* From a finished search to a result: coverage, and the failure followed step by step in the
 * plain semantics. A failure that can't be followed is reported as an internal error. */
#include "promela/report/model_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explore/search/search.h"
#include "host/files.h"
#include "host/say.h"
#include "promela/report/channel_words.h"
#include "promela/report/unreached.h"
#include "promela/search/levels.h"
#include "promela/spin/spin_claim.h"
#include "promela/spin/spin_trail.h"
#include "promela/trace/model_trace.h"

static bool is_complete(const struct verifier *v)
{
    bool stopped = v->trail.violation != VIOLATION_NONE && !v->options->keep_going;
    return !v->truncated && !v->bound_pruned && !v->approximate && !stopped;
}

#define NOTES_MOST 6

static const char *swarm_words(struct source *source, const struct verifier *v)
{
    struct buffer text = {0};
    buffer_printf(&text, "swarm of %llu: the smallest search saw ",
                  (unsigned long long)v->swarm_searches);
    buffer_count(&text, v->swarm_least);
    buffer_printf(&text, " state%s, the largest ", v->swarm_least == 1 ? "" : "s");
    buffer_count(&text, v->states);
    const char *words = source_format(source, "%s", text.data);
    buffer_release(&text);
    return words;
}

/* Adds what the user asked for but this search does not do. The notes are kept with the model,
 * since traces outlive their result. */
static void add_notes(struct result *result, const struct verifier *v)
{
    struct source *source = &v->model->source;
    const char **notes = source_alloc(source, NOTES_MOST * sizeof *notes);
    const char *contradiction = channel_word_contradicted(v);
    size_t count = 0;
    if (v->options->engine)
        notes[count++] = source_format(
            source, "%d rank%s searched, each its share of the states; without reduction",
            v->options->engine->ranks, v->options->engine->ranks == 1 ? "" : "s");
    if (v->options->claims_left_out && v->options->engine)
        notes[count++] =
            "safety only: the model's claims were not checked (mazur model checks them)";
    else if (v->options->claims_left_out)
        notes[count++] =
            "safety only: the model's claims were not checked (without --bound and "
            "--search they are)";
    if (v->options->progress || v->options->acceptance)
        notes[count++] =
            v->model->formulas || v->model->claim_count > 0
                ? "cycles and assertions only: invalid end states and formulas were not checked"
                : "cycles and assertions only: invalid end states were not checked";
    if (v->options->jobs > 1 && !v->shared)
        notes[count++] =
            "--jobs: one thread searched (hashes, --search bfs and fewest are not shared)";
    if (v->options->search == SEARCH_SWARM)
        notes[count++] = swarm_words(source, v);
    if (v->shortening_cut_by)
        notes[count++] = source_format(
            source,
            "the search for the simplest failure was cut short (%s): there may be a simpler "
            "one%s",
            v->shortening_cut_by,
            v->shortening_hurried ? "; --shorten looks for it until --time is up" : "");
    if (contradiction)
        notes[count++] = contradiction;
    result->claims_left_out = v->options->claims_left_out;
    result->coverage.note = notes;
    result->coverage.nnotes = count;
}

static void set_coverage(struct result *result, const struct verifier *v)
{
    struct model_coverage *model = arena_alloc(&result->arena, sizeof *model);
    bool found = v->trail.violation != VIOLATION_NONE;
    *model = (struct model_coverage){
        .states = v->states,
        .transitions = v->transitions_seen,
        .depth = v->depth,
        .errors = v->errors,
        .bytes_per_state = v->states > 0 ? (double)v->bytes / (double)v->states : 0,
        .property = v->property ? arena_text(&result->arena, v->property) : NULL,
        .truncated_by = v->truncated ? v->truncated_by : NULL,
        .approximate = v->approximate,
        .missed = v->missed,
        .fewest = found && v->trail.preemptions >= 0};
    result->coverage = (struct coverage){.strategy = "model",
                                         .bound_asked = v->options->bound,
                                         .fair = -1,
                                         .complete = is_complete(v),
                                         .model = model};
    result->coverage.stats.bound = result->coverage.stats.bound_done = v->bound_reached;
    for (int i = 0; i < v->levels && i < BOUND_ROWS; i++)
        result->coverage.stats.row[result->coverage.stats.nrows++] =
            (struct bound_row){.bound = v->level[i].bound,
                               .executions = v->level[i].states,
                               .distinct = v->level[i].transitions};
    add_notes(result, v);
}

static bool write_trail(const struct model_options *options, struct verifier *plain,
                        const struct trail *trail, const struct formula *formula)
{
    struct buffer text = {0};
    const char *why = NULL;
    if (formula)
        why = spin_claim_write(&text, plain, trail, formula);
    if (why)
        complain("%s: only the run of the system, not the moves of Spin's claim for %s: %s",
                 options->trail, formula->name, why);
    if (!formula || why)
        spin_trail_write(&text, plain, trail);
    bool good = write_file(options->trail, text.data ? text.data : "");
    buffer_release(&text);
    return good;
}

static struct trace *failing_trace(struct verifier *v, const struct property *property);

/* The path leads elsewhere now. C that keeps memory outside of the state can do that, to a
 * search that is not depth first in particular: then the first failure found may do. */
static struct trace *explain_lost_trace(struct verifier *v, const struct property *property,
                                        struct trace *trace)
{
    if (v->first.violation != VIOLATION_NONE) {
        trace_free(trace);
        trail_free(&v->trail);
        v->trail = v->first;
        v->trail.preemptions = -1;
        v->first = (struct trail){0};
        return failing_trace(v, property);
    }
    trace->failure.detail =
        arena_format(&trace->arena, "the search found: %s; the same path again: %s",
                     fault_text(v->trail.fault), trace->failure.message);
    trace->failure.kind = v->model->uses_c ? FAILURE_NONDETERMINISM : FAILURE_INTERNAL;
    trace->failure.message = v->model->uses_c
                                 ? "a failure was found, but not when its path was run again: "
                                   "the C keeps memory that is neither c_state nor c_track"
                                 : "a failure was found, but can't be followed step by step";
    return trace;
}

/* Searches continue after a failing assertion, as Spin's do. A failure found after one is shown
 * as that first failure. */
static bool fails_on_the_way(const struct verifier *v, const struct trace *trace)
{
    return !v->model->uses_c &&
           (trace->failure.kind == FAILURE_ASSERTION || trace->failure.kind == FAILURE_MODEL);
}

static struct trace *failing_trace(struct verifier *v, const struct property *property)
{
    struct verifier plain;
    struct model_options options;
    struct trail trail;
    struct trace *trace = NULL;
    follow_expand(v, &v->trail, &trail);
    if (verifier_prepare_plain(&plain, &options, v, property))
        trace = model_trace(&plain, &trail, v->options->fair);
    if (trace && v->options->trail &&
        !write_trail(v->options, &plain, &trail, property->formula))
        trace->failure.detail = "The trail could not be written.";
    verifier_release(&plain);
    trail_free(&trail);
    if (trace && trace->failure.kind != violation_kind(v->trail.violation) &&
        !fails_on_the_way(v, trace))
        trace = explain_lost_trace(v, property, trace);
    return trace;
}

/* The search by bounds knows how many preemptions the failure needs, not always by which way.
 */
static void compare_with_fewest(struct result *result, struct trace *trace,
                                const struct verifier *v)
{
    if (trace->failure.preemptions <= v->needed) {
        struct model_coverage *model = arena_alloc(&result->arena, sizeof *model);
        *model = *result->coverage.model;
        model->fewest = true;
        result->coverage.model = model;
    } else if (v->not_simplified)
        trace->failure.detail = arena_format(&trace->arena,
                                             "%d preemption%s suffice%s for this failure; the "
                                             "search for that execution was cut short "
                                             "by the %s.",
                                             v->needed, v->needed == 1 ? "" : "s",
                                             v->needed == 1 ? "s" : "", v->not_simplified);
}

/* The rows of the list of passes: its verdict is that of a result with this pass alone. */
static void add_pass(struct result *result, const struct verifier *v,
                     const struct property *property)
{
    struct result_pass pass = {.property = v->property,
                               .formula = property->formula ? property->formula->text : NULL,
                               .verdict = result_verdict(result),
                               .states = v->states,
                               .transitions = v->transitions_seen,
                               .truncated_by = v->truncated ? v->truncated_by : NULL,
                               .seconds = v->seconds};
    result_add_pass(result, &pass);
}

static void add_first(struct result *result, struct trace *trace, const struct verifier *v)
{
    if (v->trail.preemptions >= 0)
        trace->failure.preemptions = v->trail.preemptions;
    else if (v->needed >= 0)
        compare_with_fewest(result, trace, v);
    trace->failure.bound = v->bound_reached >= 0 ? v->bound_reached : BOUND_NONE;
    trace->coverage = result->coverage;
    result_add(result, trace);
}

/* Where a failure was found behind another one, its path ends at that one. */
static bool is_listed(const struct result *result, const struct trace *trace)
{
    for (size_t i = 0; i < result->nfailures; i++) {
        const struct trace_failure *other = &result->failure[i]->failure;
        const struct source_place *a = trace_location(trace),
                                  *b = trace_location(result->failure[i]);
        if (other->kind == trace->failure.kind && !a == !b && (!a || a->line == b->line) &&
            strcmp(other->message, trace->failure.message) == 0)
            return true;
    }
    return false;
}

/* With --keep-going: each as it was found, without a claim that it needs all its preemptions.
 * False: no memory. */
static bool add_others(struct result *result, struct verifier *v,
                       const struct property *property)
{
    struct trail first = v->trail, first_found = v->first;
    struct model_coverage *model = arena_alloc(&result->arena, sizeof *model);
    struct transition_info *transitions = v->transitions;
    bool good = true;
    if (v->other_transitions)
        v->transitions = v->other_transitions;
    *model = *result->coverage.model;
    model->fewest = false;
    v->first = (struct trail){0};
    for (int i = 0; i < v->others && good; i++) {
        v->trail = v->other[i];
        struct trace *trace = failing_trace(v, property);
        v->other[i] = v->trail;
        good = trace;
        if (!good)
            break;
        if (is_listed(result, trace)) {
            trace_free(trace);
            continue;
        }
        trace->failure.bound = v->bound_reached >= 0 ? v->bound_reached : BOUND_NONE;
        trace->coverage = result->coverage;
        trace->coverage.model = model;
        result_add(result, trace);
    }
    v->trail = first;
    v->first = first_found;
    v->transitions = transitions;
    return good;
}

struct result *model_result(struct verifier *v, const struct property *property)
{
    struct result *result = result_new(v->options->file);
    result->seconds = v->seconds;
    result->require_complete = v->options->require_complete;
    result->end = v->trail.violation != VIOLATION_NONE ? ENDED_FAILURE : ENDED_SEARCHED;
    set_coverage(result, v);
    if (v->trail.violation == VIOLATION_NONE) {
        note_unreached(result, v);
        add_pass(result, v, property);
        return result;
    }
    struct trace *trace = failing_trace(v, property);
    if (trace)
        add_first(result, trace, v);
    if (!trace || !add_others(result, v, property)) {
        complain("no memory for the failing path");
        result_free(result);
        return NULL;
    }
    add_pass(result, v, property);
    return result;
}
