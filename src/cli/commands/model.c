/* `mazur model F.pml`: load, choose what to check and how, report.
 *
 * Without --ltl, a model with claims or formulas is checked for safety first and then against
 * each of them, so that nothing that the model states goes unchecked. Each check has its own
 * state vector layout and its own code, hence its own pass through prepare(). */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/build/program.h"
#include "cli/commands/help.h"
#include "cli/commands/model_options.h"
#include "cli/options/style.h"
#include "cli/session/write_reports.h"
#include "host/exit_codes.h"
#include "host/say.h"
#include "host/terminal.h"
#include "promela/report/model_report.h"
#include "promela/search/levels.h"
#include "promela/spin/spin_trail.h"
#include "promela/trace/model_trace.h"
#include "promela/verifier/live.h"
#include "promela/verifier/macro.h"
#include "promela/verifier/verifier.h"
#include "trace/mzt.h"

#define LEAST_TIME 0.01 /* seconds of a pass when the time is up */

static atomic_bool interrupted;
static struct live_line live;

static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

/* The first interrupt ends the search in good order, the second ends Mazur at once. Before the
 * model is read there is nothing to put in order. */
static void catch_interrupts(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    action.sa_flags = 0; /* the soft limit comes every second: time is left for the report */
    sigaction(SIGXCPU, &action, NULL);
}

/* The simplest failure instead of the first one. Of a search for cycles that was cut short the
 * simplest so far will do, if it is simpler; of others there is none. */
static void replace_trail(struct verifier *v, struct verifier *w)
{
    int preemptions = v->trail.preemptions;
    bool cycles = v->property;
    bool better = w->trail.violation != VIOLATION_NONE &&
                  (!w->truncated || (cycles && w->trail.count < v->trail.count));
    if (better) {
        if (v->model->uses_c)
            v->first = v->trail;
        else
            trail_free(&v->trail);
        v->trail = w->trail;
    } else {
        /* of a cycle the search counted what is shown; of others the way may have more */
        bool exact = v->options->store == STORE_EXACT && !(v->por && v->options->por_given);
        v->needed = exact && !cycles ? preemptions : -1;
        v->not_simplified = w->truncated_by;
        v->trail.preemptions = cycles ? preemptions : -1;
        trail_free(&w->trail);
    }
    if (cycles && v->trail.preemptions < 0)
        v->trail.preemptions = preemptions;
    v->code = w->code;
}

/* To switch away from a process that looks blocked counts for nothing: how many preemptions a
 * failure needs is not known then. */
static void forget_counts(struct verifier *v)
{
    if (!v->truncated || strcmp(v->truncated_by, MACRO_TOO_LONG) != 0)
        return;
    v->trail.preemptions = v->trail.switches = v->needed = -1;
}

/* A failure was found depth first: the one with the fewest preemptions explains it better. Not
 * found within the limits: the first one stays, and is not called minimal. */
static void simplify_failure(struct verifier *v, bool bounded)
{
    struct verifier w = {.options = v->options,
                         .interrupted = v->interrupted,
                         .live = v->live,
                         .model = v->model,
                         .shapes = v->shapes,
                         .code = v->code,
                         .compiled = v->compiled,
                         .transitions = v->transitions,
                         .transition_count = v->transition_count,
                         .bound_reached = -1,
                         .started = verifier_clock()};
    struct model_options options = *v->options;
    double spent = w.started - v->started;
    /* how many are needed is known: nodes beyond take no room */
    options.bound = v->trail.preemptions >= 0 ? v->trail.preemptions : MODEL_BOUND_AUTO;
    options.search = SEARCH_FEWEST;
    options.keep_going = false;
    /* not asked for: only as long as it does not keep the user waiting */
    if (!options.shorten && !bounded)
        options.time = spent < 3 ? 3 : spent;
    w.options = &options;
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
    replace_trail(v, &w);
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
    if (property_name(property))
        search_cycles(v, say_level, v);
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
    bool shortest = o->search == SEARCH_FEWEST || (o->search != SEARCH_DFS && !o->shorten);
    if (v->trail.violation != VIOLATION_NONE && v->trail.count > 0 && !shortest &&
        v->model->c_tail == 0)
        simplify_failure(v, bounded);
}

/* What the text of the model rules out. */
static bool fits_model(struct verifier *v)
{
    const char *why = NULL;
    if (v->model->uses_c && v->options->jobs > 1)
        why = "--jobs: embedded C is run by one thread only";
    else if (v->model->c_tail > 0 && by_levels(v->options))
        why =
            "c_track \"UnMatched\": such memory is known on the stack of a depth-first search "
            "only";
    if (!why)
        return true;
    complain("%s: %s", v->model->file, why);
    snprintf(v->model->source.message, sizeof v->model->source.message, "%s", why);
    return false;
}

/* The trace file, and what people read at once; the other reports wait for all passes. */
static bool print_result(const struct model_options *o, struct result *result)
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
    write_report(out, &text);
    fflush(out);
    buffer_release(&text);
    return good;
}

/* One pass; NULL after a message, with *status set. */
static struct result *check_property(const struct model_options *options, struct model *model,
                                     const struct property *property, int *status)
{
    struct verifier v = {.options = options,
                         .interrupted = &interrupted,
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
        result = model_result(&v, property);
        if (result && !print_result(options, result))
            result->coverage.complete = false;
    } else if (model->source.message[0] != '\0') {
        *status = EXIT_USAGE;
    }
    verifier_release(&v);
    return result;
}

static int add_claims(const struct model_options *o, struct model *model, struct property *list)
{
    int count = 0;
    for (int i = 0; i < model->claim_count; i++)
        if (!o->ltl || strcmp(o->ltl, model->claims[i]->name) == 0)
            list[count++] = (struct property){.claim = model->claims[i]};
    for (const struct formula *f = model->formulas; f; f = f->next)
        if (!o->ltl || strcmp(o->ltl, f->name) == 0)
            list[count++] = (struct property){.formula = f};
    return count;
}

/* The passes that were asked for. */
static int choose_properties(const struct model_options *o, struct model *model,
                             struct property *list)
{
    int count = 0;
    if (o->progress || o->acceptance) {
        if (o->progress)
            list[count++] = (struct property){.progress = true};
        if (o->acceptance)
            list[count++] = (struct property){.acceptance = true};
        return count;
    }
    if (!o->ltl)
        list[count++] = (struct property){0};
    if (!o->no_claim)
        count += add_claims(o, model, list + count);
    return count;
}

/* All passes make one result: the first that fails, or the first of all, and complete only if
 * every one is. */
static struct result *join_results(struct result *all, struct result *next)
{
    if (!all)
        return next;
    bool complete = all->coverage.complete && next->coverage.complete;
    if (all->nfailures == 0 && (next->nfailures > 0 || !next->coverage.complete)) {
        struct result *other = all;
        all = next;
        next = other;
    }
    all->coverage.complete = complete;
    all->seconds += next->seconds;
    for (size_t i = 0; i < next->nfailures; i++)
        result_add(all, next->failure[i]);
    next->nfailures = 0;
    result_free(next);
    return all;
}

/* Seconds for a pass out of those left for all: half of them, unless it is the last one. None
 * left is not the same as no limit. */
static double share_of_time(double left, int passes)
{
    double share = passes > 1 ? left / 2 : left;
    return share > LEAST_TIME ? share : LEAST_TIME;
}

static struct property *room_for_passes(const struct model *model)
{
    size_t count = 3 + (size_t)model->claim_count;
    for (const struct formula *f = model->formulas; f; f = f->next)
        count++;
    struct property *list = calloc(count, sizeof *list);
    if (!list)
        complain("no memory");
    return list;
}

static int check_all(const struct model_options *options, struct model *model,
                     struct property *list)
{
    struct model_options each = *options;
    struct result *all = NULL;
    int count = choose_properties(options, model, list), status = 0;
    if (count == 0) {
        complain("%s has no claim or formula '%s'", model->file, options->ltl);
        return EXIT_USAGE;
    }
    if (count > 1 && (options->store != STORE_EXACT || options->search_given)) {
        count = 1;
        each.claims_left_out = true;
    }
    double end = verifier_clock() + options->time;
    for (int i = 0; i < count; i++) {
        if (options->time > 0)
            each.time = share_of_time(end - verifier_clock(), count - i);
        struct result *next = check_property(&each, model, &list[i], &status);
        if (!next) {
            if (all)
                result_free(all);
            return status;
        }
        bool found = next->nfailures > 0;
        all = join_results(all, next);
        if ((found && !options->keep_going) || atomic_load(&interrupted))
            break;
    }
    status = result_exit_code(all);
    if (!write_machine_reports(options->shared, all))
        status = EXIT_INTERNAL;
    result_free(all);
    return status;
}

static int tell_trail(const struct model_options *o, struct result *result)
{
    const struct trace *trace = result->failure[0];
    struct model_coverage *model = arena_alloc(&result->arena, sizeof *model);
    *model = (struct model_coverage){.states = trace->nevents + 1,
                                     .transitions = trace->nevents,
                                     .depth = trace->nevents,
                                     .truncated_by = "end of the trail"};
    result->coverage.model = result->failure[0]->coverage.model = model;
    if (trace->failure.kind == FAILURE_NONE) {
        write_line(stdout, "mazur: %s: %s can be followed, %zu steps; nothing fails at its end",
                   o->file, o->given_trail, trace->nevents);
        return 0;
    }
    int status = print_result(o, result) ? result_exit_code(result) : EXIT_INTERNAL;
    return write_machine_reports(o->shared, result) ? status : EXIT_INTERNAL;
}

/* A trail of Spin: which path, and what is wrong at its end? */
static int follow_trail(const struct model_options *o, struct model *model,
                        struct property *property)
{
    struct verifier like = {.options = o, .model = model, .interrupted = &interrupted}, plain;
    struct model_options options;
    struct trail trail = {0};
    struct trace *trace = NULL;
    int status = EXIT_USAGE;
    if (o->ltl && add_claims(o, model, property) == 0)
        complain("%s has no claim or formula '%s'", model->file, o->ltl);
    else if (!o->ltl && !spin_trail_property(model, o->given_trail, property))
        return status;
    else if (verifier_prepare_plain(&plain, &options, &like, property)) {
        if (spin_trail_read(&plain, o->given_trail, &trail))
            trace = model_trace(&plain, &trail, false);
        verifier_release(&plain);
    }
    if (trace) {
        struct result *result = result_new(o->file);
        result->end = ENDED_FAILURE;
        result->coverage = trace->coverage;
        result_add(result, trace);
        status = tell_trail(o, result);
        result_free(result);
    }
    trail_free(&trail);
    return status;
}

static int run_model(const struct options *given, const struct text_list *words)
{
    struct model_options options;
    if (!model_options_take(&options, given, words) || !try_report_files(given)) {
        model_options_free(&options);
        return EXIT_USAGE;
    }
    if (!options.quiet && !files_on_stdout(given) && isatty(STDOUT_FILENO))
        live.out = stdout;
    struct model_load_options load = {.defines = options.defines,
                                      .define_count = options.define_count};
    struct model *model = model_load(options.file, &load);
    catch_interrupts();
    struct property *list = model ? room_for_passes(model) : NULL;
    int status = !model                ? EXIT_USAGE
                 : !list               ? EXIT_INTERNAL
                 : options.given_trail ? follow_trail(&options, model, list)
                                       : check_all(&options, model, list);
    free(list);
    model_free(model);
    model_options_free(&options);
    return status;
}

int model_main(int argc, char **argv)
{
    struct options options;
    struct text_list words = {0}, rest = {0};
    int status = EXIT_USAGE;
    if (options_defaults(&options) &&
        options_scan(&options, COMMAND_MODEL, SCAN_MIXED, argc, argv, &words, &rest)) {
        list_copy(&words, &rest);
        status = options.help ? help_command("model") : run_model(&options, &words);
    }
    list_release(&words);
    list_release(&rest);
    options_release(&options);
    return status;
}
