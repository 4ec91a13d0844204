/* `mazur model F.pml`: load, choose what to check and how, report.
 *
 * Without --ltl, a model with claims or formulas is checked for safety first and then against
 * each of them, so that nothing that the model states goes unchecked. Each check has its own
 * state vector layout and its own code, hence its own pass through prepare(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands/help.h"
#include "cli/commands/model_options.h"
#include "cli/commands/model_pass.h"
#include "cli/commands/simulate.h"
#include "cli/search/write_reports.h"
#include "host/exit_codes.h"
#include "host/say.h"
#include "host/terminal.h"
#include "promela/spin/spin_trail.h"
#include "promela/trace/model_trace.h"
#include "promela/verifier/verifier.h"

#define LEAST_TIME  0.01   /* seconds for a pass when no time is left */
#define FIRST_SLICE 100000 /* states of a pass before the next one's turn */
#define SLICE_GROWS 8      /* … in each round */

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
        write_line(
            files_on_stdout(o->shared) ? stderr : stdout, "  No answer yet: %s%s", names.data,
            atomic_load(&model_interrupted) ? "" : " (--keep-going goes on after a failure)");
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
        over = (next->nfailures > 0 && !each->keep_going) || atomic_load(&model_interrupted);
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
        return serve_model_search(options, model);
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
    int status = print_model_result(o, result) ? result_exit_code(result) : EXIT_INTERNAL;
    return write_machine_reports(o->shared, result) ? status : EXIT_INTERNAL;
}

/* Follows a trail of Spin: which path is it, and what is wrong at its end? */
static int follow_trail(const struct model_options *o, struct model *model,
                        struct property *property)
{
    struct verifier like = {.options = o, .model = model, .interrupted = &model_interrupted},
                    plain;
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
        show_model_progress(stdout);
    struct model_load_options load = {.defines = options.defines,
                                      .define_count = options.define_count,
                                      .seconds = options.time};
    struct model *model = model_load(options.file, &load);
    catch_model_interrupts();
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
