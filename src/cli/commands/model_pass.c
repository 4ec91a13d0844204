/* See model_pass.h. */
#include "cli/commands/model_pass.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/style.h"
#include "cli/search/write_reports.h"
#include "host/exit_codes.h"
#include "host/say.h"
#include "host/terminal.h"
#include "promela/report/model_report.h"
#include "promela/search/levels.h"
#include "promela/verifier/live.h"
#include "promela/verifier/macro.h"
#include "promela/verifier/verifier.h"
#include "trace/file/mzt.h"

atomic_bool model_interrupted;
static struct live_line live;

void show_model_progress(FILE *out)
{
    live.out = out;
}

static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&model_interrupted, true);
}

void catch_model_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_flags = 0; /* the soft limit comes every second: time is left for the report */
    sigaction(SIGXCPU, &action, NULL);
}

/* Reduction counts too few preemptions (paper 001, Theorem 2), so a failure may have more than
 * the bound. */
static bool keeps_to_bound(const struct verifier *v)
{
    return !(v->por && v->options->por_given);
}

/* The bound that found a failure is what it needs. Where states were missed, it may need less.
 */
static bool counts_exactly(const struct verifier *v)
{
    return v->options->store == STORE_EXACT && keeps_to_bound(v);
}

/* Replaces the first failure by the simplest one. If a search for cycles was cut short, its
 * simplest failure so far is used, provided it is simpler; other searches that were cut short
 * have none. */
static bool replace_trail(struct verifier *v, struct verifier *w)
{
    int preemptions = v->trail.preemptions;
    bool cycles = v->property;
    bool better = w->trail.violation != VIOLATION_NONE &&
                  (!w->truncated || (cycles && w->trail.count < v->trail.count));
    if (better) {
        if (v->model->uses_c)
            v->first = v->trail;
        else if (v->options->keep_going && v->others < FAILURES_KEPT - 1)
            v->other[v->others++] = v->trail; /* the simplest may be another failure */
        else
            trail_free(&v->trail);
        v->trail = w->trail;
    } else {
        /* for a cycle the search counted what is shown; another failure's path may have more */
        v->needed = counts_exactly(v) && !cycles ? preemptions : -1;
        v->not_simplified = w->truncated_by;
        v->trail.preemptions = cycles && counts_exactly(v) ? preemptions : -1;
        trail_free(&w->trail);
    }
    if (cycles && v->trail.preemptions < 0 && counts_exactly(v))
        v->trail.preemptions = preemptions;
    w->trail = (struct trail){0};
    return better;
}

/* Switching away from a process that only looks blocked was not counted, so the number of
 * preemptions that a failure needs is unknown. */
static void forget_counts(struct verifier *v)
{
    if (!v->truncated || strcmp(v->truncated_by, MACRO_TOO_LONG) != 0)
        return;
    v->trail.preemptions = v->trail.switches = v->needed = -1;
}

/* A verifier that looks for the same failure again. A search that left out unread variables
 * can't share its code: preemptions are counted with every step that changes something. */
static bool prepare_again(const struct verifier *v, const struct property *property,
                          struct model_options *options, struct verifier *again)
{
    *again = (struct verifier){.options = options,
                               .interrupted = v->interrupted,
                               .live = v->live,
                               .model = v->model,
                               .bound_reached = -1,
                               .started = verifier_clock()};
    if (v->model->drops_unread) {
        struct model_options whole = *v->options;
        whole.keep_unread = true;
        again->options = &whole;
        bool good = verifier_prepare(again, property);
        again->options = options;
        return good;
    }
    again->shapes = v->shapes;
    again->code = v->code;
    again->compiled = v->compiled;
    again->transitions = v->transitions;
    again->transition_count = v->transition_count;
    return true;
}

/* The failure was found depth first, but the one with the fewest preemptions explains more. If
 * that is not found within the limits, the first one stays, and is not called minimal. */
static void simplify_failure(struct verifier *v, const struct property *property, bool bounded)
{
    struct verifier w;
    struct model_options options = *v->options;
    bool shared = !v->model->drops_unread;
    double spent = verifier_clock() - v->started;
    /* the number of preemptions is known: nodes beyond it need no room */
    bool known = v->trail.preemptions >= 0 && keeps_to_bound(v);
    options.bound = known ? v->trail.preemptions : MODEL_BOUND_AUTO;
    options.search = SEARCH_FEWEST;
    options.slice = 0;
    options.keep_going = false;
    /* the user did not ask for it, so do not keep them waiting */
    if (!options.shorten && !bounded)
        options.time = spent < 3 ? 3 : spent;
    if (!prepare_again(v, property, &options, &w)) {
        verifier_release(&w);
        return;
    }
    if (v->property)
        search_lasso(&w);
    else
        search_fewest(&w, NULL, NULL);
    forget_counts(&w);
    if (w.truncated) {
        v->shortening_cut_by = w.truncated_by;
        v->shortening_hurried =
            !options.shorten && !bounded && strcmp(w.truncated_by, "time limit") == 0;
    }
    if (replace_trail(v, &w)) {
        v->other_transitions = v->transitions;
        v->transitions = w.transitions; /* to which the numbers of its steps refer */
    }
    if (shared)
        v->code = w.code; /* it may be the faster one by now */
    else
        verifier_release(&w);
}

/* One line per bound, as every search by bounds prints; and its row for the other reports. */
static void say_level(void *context, int bound, struct level_result result)
{
    struct verifier *v = context;
    live_wipe(&live);
    if (v->levels < LEVELS_KEPT)
        v->level[v->levels++] = (struct level_row){bound, result.states, result.transitions};
    bool json_only = files_on_stdout(v->options->shared);
    bool bounded = v->options->bound_given || v->options->search == SEARCH_FEWEST;
    if (v->options->quiet || json_only || !bounded)
        return;
    struct buffer states = {0};
    buffer_count(&states, result.states);
    printf("bound %-3d %15s states  all  %8.1f s\n", bound, states.data,
           verifier_clock() - v->started);
    buffer_release(&states);
}

static bool by_levels(const struct model_options *o)
{
    return (o->bound_given && o->bound != MODEL_BOUND_NONE) || o->search != SEARCH_DFS;
}

static void search_property(struct verifier *v, const struct property *property)
{
    const struct model_options *o = v->options;
    v->started = verifier_clock();
    v->trail.preemptions = -1;
    bool bounded = o->bound != MODEL_BOUND_NONE;
    if (o->engine)
        o->engine->search(o->engine, v, say_level, v);
    else if (property_name(property))
        search_cycles(v, say_level, v);
    else if (o->search == SEARCH_SWARM)
        search_swarm(v);
    else if (o->store != STORE_EXACT || v->model->c_tail > 0)
        search_stack(v, say_level, v);
    else if (o->search != SEARCH_DFS)
        search_fewest(v, say_level, v);
    else if (bounded)
        search_bound(v, say_level, v);
    else
        search_reach(v);
    v->seconds = verifier_clock() - v->started;
    forget_counts(v);
    bool shortest = o->search == SEARCH_FEWEST || (o->search == SEARCH_BFS && !o->shorten);
    if (v->trail.violation != VIOLATION_NONE && v->trail.count > 0 && !shortest &&
        v->model->c_tail == 0)
        simplify_failure(v, property, bounded);
}

/* Do the options fit the model? */
static bool fits_model(struct verifier *v)
{
    const struct search_engine *engine = v->options->engine;
    const char *why = engine ? engine->refuse(v) : NULL;
    if (!why && v->model->uses_c && v->options->jobs_given && v->options->jobs > 1)
        why = "--jobs: embedded C is run by one thread only";
    else if (!why && v->model->c_tail > 0 && by_levels(v->options))
        why =
            "c_track \"UnMatched\": such memory is known on the stack of a depth-first search "
            "only";
    if (!why)
        return true;
    complain("%s: %s", v->model->file, why);
    snprintf(v->model->source.message, sizeof v->model->source.message, "%s", why);
    return false;
}

bool print_model_result(const struct model_options *o, struct result *result)
{
    FILE *out = files_on_stdout(o->shared) ? stderr : stdout;
    struct text_style style = options_style(o->shared, out);
    struct buffer text = {0};
    bool good = true;
    for (size_t i = 0; i < result->nfailures; i++) {
        struct trace *trace = result->failure[i];
        char *reason = NULL, *path = NULL;
        if (!o->shared->no_trace)
            path = mzt_write(trace, o->shared->trace_dir, &reason);
        if (path)
            trace->file_name = arena_text(&trace->arena, path);
        else if (reason)
            complain("the trace file could not be written: %s", reason);
        good = good && !reason;
        free(path);
        free(reason);
    }
    if (result->nfailures)
        text_failures(&text, result, style);
    else
        text_pass(&text, result, style);
    if (!o->quiet)
        text_unreached(&text, result, style);
    write_report(out, &text);
    fflush(out);
    buffer_release(&text);
    return good;
}

/* Did the pass find nothing in its slice, so that others may be answered sooner? A failure
 * counts even if the slice was used up. */
static bool has_to_wait(struct verifier *v)
{
    if (!v->truncated || strcmp(v->truncated_by, SLICE_IS_OVER) != 0)
        return false;
    v->truncated = v->trail.violation == VIOLATION_NONE;
    return v->truncated;
}

struct result *check_property(const struct model_options *options, struct model *model,
                              const struct property *property, int *status)
{
    struct verifier v = {.options = options,
                         .interrupted = &model_interrupted,
                         .live = &live,
                         .bound_reached = -1,
                         .needed = -1,
                         .model = model,
                         .property = property_name(property)};
    struct result *result = NULL;
    *status = EXIT_INTERNAL;
    live.what = property_name(property);
    live.most_bytes = options->memory;
    live.most_seconds = options->time;
    if (verifier_prepare(&v, property) && fits_model(&v)) {
        search_property(&v, property);
        live_wipe(&live);
        if (has_to_wait(&v))
            *status = 0;
        else
            result = model_result(&v, property);
        if (result && !print_model_result(options, result))
            result->coverage.complete = false;
    } else if (model->source.message[0] != '\0') {
        *status = EXIT_USAGE;
    }
    verifier_release(&v);
    return result;
}

int serve_model_search(const struct model_options *options, struct model *model)
{
    const struct property safety = {0};
    struct verifier v = {.options = options,
                         .interrupted = &model_interrupted,
                         .bound_reached = -1,
                         .model = model};
    int status = EXIT_USAGE;
    v.started = verifier_clock();
    if (verifier_prepare(&v, &safety) && fits_model(&v)) {
        options->engine->search(options->engine, &v, NULL, NULL);
        status = 0;
    }
    verifier_release(&v);
    return status;
}
