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

#include "cli/commands/help.h"
#include "cli/commands/model_options.h"
#include "cli/commands/simulate.h"
#include "cli/options/style.h"
#include "cli/search/write_reports.h"
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
#include "trace/file/mzt.h"

#define LEAST_TIME  0.01   /* seconds for a pass when no time is left */
#define FIRST_SLICE 100000 /* states of a pass before the next one's turn */
#define SLICE_GROWS 8      /* … in each round */

static atomic_bool interrupted;
static struct live_line live;

static void on_interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

/* The first interrupt ends the search cleanly, the second ends Mazur at once. Called after the
 * model is read: before that there is nothing to clean up. */
static void catch_interrupts(void)
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

/* One pass; NULL: its slice was too small (*status 0), or after a message, with *status set. */
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
        if (has_to_wait(&v))
            *status = 0;
        else
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

/* Replaces the passes of a result by those of another one; also takes over what a search for
 * safety has not reached. */
static void take_passes(struct result *to, const struct result *from)
{
    to->npasses = 0;
    for (size_t i = 0; i < from->npasses; i++)
        result_add_pass(to, &from->pass[i]);
    if (!from->unreached_known || to->unreached_known)
        return;
    to->unreached_known = true;
    to->unreached = arena_alloc(&to->arena, from->nunreached * sizeof *to->unreached + 1);
    for (size_t i = 0; i < from->nunreached; i++)
        to->unreached[to->nunreached++] = unreached_copy(&to->arena, &from->unreached[i]);
}

/* All passes make one result: that of the first pass that fails, or else of the first pass. It
 * is complete only if every pass is. */
static struct result *join_results(struct result *all, struct result *next)
{
    if (!all)
        return next;
    bool complete = all->coverage.complete && next->coverage.complete;
    struct result *passes = all; /* which has the passes so far, in order */
    for (size_t i = 0; i < next->npasses; i++)
        result_add_pass(passes, &next->pass[i]);
    if (all->nfailures == 0 && (next->nfailures > 0 || !next->coverage.complete)) {
        struct result *other = all;
        all = next;
        next = other;
        take_passes(all, passes);
    }
    all->coverage.complete = complete;
    all->seconds += next->seconds;
    for (size_t i = 0; i < next->nfailures; i++)
        result_add(all, next->failure[i]);
    next->nfailures = 0;
    result_free(next);
    return all;
}

/* The seconds for one pass: half of what is left for all, unless it is the last one. No time
 * left must not become no limit. */
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

/* The first failure ends the search: say what was not checked. */
static void say_left_out(const struct model_options *o, struct result *result,
                         const struct property *list, int count)
{
    struct buffer names = {0};
    for (int i = 0; i < count; i++) {
        const struct formula *formula = list[i].formula;
        struct result_pass pass = {.property = property_name(&list[i]),
                                   .formula = formula ? formula->text : NULL,
                                   .verdict = "not-checked"};
        result_add_pass(result, &pass);
        buffer_printf(&names, "%s%s", i > 0 ? ", " : "",
                      pass.property ? pass.property : "safety");
    }
    if (count > 0 && !o->quiet)
        write_line(files_on_stdout(o->shared) ? stderr : stdout, "  No answer yet: %s%s",
                   names.data,
                   atomic_load(&interrupted) ? "" : " (--keep-going goes on after a failure)");
    buffer_release(&names);
}

/* Can the passes take turns? Not in a search by bounds, which prints each bound when it is
 * done, and not with --keep-going, where a pass shows more than its end. */
static bool takes_turns(const struct model_options *o, int count)
{
    return count > 1 && !o->bound_given && !o->search_given && !o->keep_going &&
           o->store == STORE_EXACT;
}

/* One round: each pass in the list gets a turn. Passes that need more states stay in the list,
 * and so do all after one that ends the search. False after a message. */
static bool run_round(struct model_options *each, struct model *model, struct property *list,
                      int *count, double end, struct result **all, int *status)
{
    int waiting = 0, given = *count;
    bool over = false;
    for (int i = 0; i < given; i++) {
        if (over) {
            list[waiting++] = list[i];
            continue;
        }
        if (end > 0)
            each->time = share_of_time(end - verifier_clock(), waiting + given - i);
        struct result *next = check_property(each, model, &list[i], status);
        if (!next && *status != 0)
            return false;
        if (!next) {
            list[waiting++] = list[i];
            continue;
        }
        over = (next->nfailures > 0 && !each->keep_going) || atomic_load(&interrupted);
        *all = join_results(*all, next);
    }
    *count = waiting;
    *status = over;
    return true;
}

/* Runs all passes, those that need few states first: each may store a certain number of states;
 * one that needs more starts again after the others have had their turn, with eight times as
 * many. This repeats at most a seventh of the work, and no formula has to wait for the whole
 * search for safety. States are counted, not time, so that the clock does not decide which
 * failure is found. Afterwards `list` and `count` are the passes that were not done. NULL after
 * a message. */
static struct result *run_passes(const struct model_options *options,
                                 struct model_options *each, struct model *model,
                                 struct property *list, int *count, int *status)
{
    struct result *all = NULL;
    double end = options->time > 0 ? verifier_clock() + options->time : 0;
    uint64_t slice = takes_turns(options, *count) ? FIRST_SLICE : 0;
    *status = 0;
    for (; *count > 0 && *status == 0; slice *= SLICE_GROWS) {
        each->slice = *count > 1 ? slice : 0;
        if (!run_round(each, model, list, count, end, &all, status)) {
            if (all)
                result_free(all);
            return NULL;
        }
    }
    return all;
}

/* On a rank that does not lead: it only searches; the leading rank reports the result. */
static int serve_search(const struct model_options *options, struct model *model)
{
    const struct property safety = {0};
    struct verifier v = {
        .options = options, .interrupted = &interrupted, .bound_reached = -1, .model = model};
    int status = EXIT_USAGE;
    v.started = verifier_clock();
    if (verifier_prepare(&v, &safety) && fits_model(&v)) {
        options->engine->search(options->engine, &v, NULL, NULL);
        status = 0;
    }
    verifier_release(&v);
    return status;
}

static int check_all(const struct model_options *options, struct model *model,
                     struct property *list)
{
    struct model_options each = *options;
    int count = choose_properties(options, model, list), status = 0;
    if (count == 0) {
        complain("%s has no claim or formula '%s'", model->file, options->ltl);
        return EXIT_USAGE;
    }
    if (options->engine && !options->engine->leads)
        return serve_search(options, model);
    if (count > 1 && (options->search_given || options->engine)) {
        count = 1;
        each.claims_left_out = true;
    }
    struct result *all = run_passes(options, &each, model, list, &count, &status);
    if (!all)
        return status;
    say_left_out(options, all, list, count);
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

/* Follows a trail of Spin: which path is it, and what is wrong at its end? */
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

static int run_model(const struct options *given, const struct text_list *words,
                     const struct search_engine *engine)
{
    struct model_options options;
    bool quiet = engine && !engine->leads;
    if (!model_options_take(&options, given, words, engine) ||
        (!quiet && !try_report_files(given))) {
        model_options_free(&options);
        return EXIT_USAGE;
    }
    if (!quiet && !options.quiet && !files_on_stdout(given) && isatty(STDOUT_FILENO))
        live.out = stdout;
    struct model_load_options load = {.defines = options.defines,
                                      .define_count = options.define_count,
                                      .seconds = options.time};
    struct model *model = model_load(options.file, &load);
    catch_interrupts();
    struct property *list = model ? room_for_passes(model) : NULL;
    int status = !model                ? EXIT_USAGE
                 : !list               ? EXIT_INTERNAL
                 : options.simulate    ? simulate_model(&options, model)
                 : options.given_trail ? follow_trail(&options, model, list)
                                       : check_all(&options, model, list);
    free(list);
    model_free(model);
    model_options_free(&options);
    return status;
}

int model_main_over(const struct search_engine *engine, int argc, char **argv)
{
    unsigned command = COMMAND_MODEL | (engine ? COMMAND_MPI_MODEL : 0);
    struct options options;
    struct text_list words = {0}, rest = {0};
    int status = EXIT_USAGE;
    if (options_defaults(&options) &&
        options_scan(&options, command, SCAN_MIXED, argc, argv, &words, &rest)) {
        list_copy(&words, &rest);
        status = options.help ? help_command("model") : run_model(&options, &words, engine);
    }
    list_release(&words);
    list_release(&rest);
    options_release(&options);
    return status;
}

int model_main(int argc, char **argv)
{
    return model_main_over(NULL, argc, argv);
}
