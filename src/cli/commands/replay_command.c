/* mazur replay: run the failing execution of a trace file again and show the program's output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/build/recipe.h"
#include "cli/build/toolchain.h"
#include "cli/commands/commands.h"
#include "cli/commands/trace_command.h"
#include "cli/options/options.h"
#include "cli/options/style.h"
#include "cli/record/record_trace.h"
#include "cli/watch/supervise.h"
#include "host/exit_codes.h"
#include "host/files.h"
#include "host/terminal.h"
#include "promela/report/replay_model.h"
#include "trace/verdict.h"

/* The report also shows facts of the search, which the replay does not have. */
static void carry_over(struct trace *again, const struct trace *trace)
{
    again->coverage = trace->coverage;
    again->simplest = trace->simplest;
    again->inflection = trace->inflection < again->nevents ? trace->inflection : TRACE_NO_EVENT;
    again->failure.execution = trace->failure.execution;
    again->failure.bound = trace->failure.bound;
    again->file_name = trace->file_name;
    again->recipe = trace->recipe;
}

/* A trace of nondeterminism shows a failure that does not repeat: a replay without one confirms
 * it. */
static int replay_code(const struct trace *again, const struct trace *trace)
{
    if (again->failure.kind == FAILURE_NONE && trace->failure.kind == FAILURE_NONDETERMINISM)
        return failure_exit_code(FAILURE_NONDETERMINISM);
    return failure_exit_code(again->failure.kind);
}

static int show_replay(const struct options *options, struct trace *again,
                       const struct trace *trace)
{
    enum failure_kind kind = again->failure.kind;
    bool same = kind == trace->failure.kind;
    const char *path = options->files[FORMAT_JSON];
    FILE *out = path && strcmp(path, "-") == 0 ? stderr : stdout;
    struct buffer text = {0};
    carry_over(again, trace);
    if (kind != FAILURE_NONE && kind != FAILURE_DIVERGED)
        text_failure(&text, again, options_style(options, out));
    write_report(out, &text);
    if (kind == FAILURE_NONE)
        write_line(out, "mazur: %s: no failure this time; the trace shows: %s: %s",
                   again->program, failure_title(trace->failure.kind), trace->failure.message);
    else if (kind == FAILURE_DIVERGED)
        write_line(out,
                   "mazur: %s: diverged: %s; only a new search can tell whether it still fails",
                   again->program, again->failure.message);
    if (kind != FAILURE_NONE && !same)
        write_line(out, "mazur: the trace shows another failure: %s: %s",
                   failure_title(trace->failure.kind), trace->failure.message);
    fflush(out);
    buffer_release(&text);
    if (path) {
        char *json = format_trace(FORMAT_JSON, again);
        bool written = write_file(path, json);
        free(json);
        if (!written)
            return EXIT_INTERNAL;
    }
    return replay_code(again, trace);
}

/* Show the first replay; only count the others. */
static int replay_times(const struct options *options, const struct program *program,
                        const struct trace *trace, const char *runtime)
{
    int code = 0;
    int64_t same = 0, done = 0;
    for (; done < options->times && !supervise_interrupted(); done++) {
        struct trace *again = trace->recipe.model
                                  ? model_again(trace)
                                  : record_again(program, trace, runtime, options->hang,
                                                 done == 0 && !options->quiet);
        if (!again)
            return EXIT_USAGE;
        recipe_explain(program, trace, again);
        same += again->failure.kind == trace->failure.kind;
        int this_code =
            done == 0 ? show_replay(options, again, trace) : replay_code(again, trace);
        if (done == 0 || this_code != failure_exit_code(trace->failure.kind))
            code = this_code;
        trace_free(again);
    }
    if (options->times > 1)
        printf("mazur: %lld of %lld replays failed as the trace shows\n", (long long)same,
               (long long)done);
    return code;
}

static int replay_trace(const struct options *options, struct trace *trace,
                        const struct text_list *rest)
{
    (void)rest;
    struct program program = {0};
    const char *how;
    int code = recipe_settle(trace, options->directory, &how);
    if (code != 0)
        return code;
    char *runtime = toolchain_runtime();
    code = !runtime ? EXIT_INTERNAL
           : trace->recipe.model
               ? 0
               : program_from_trace(&program, trace, options->quiet ? NULL : how,
                                    options->verbose);
    if (code == 0) {
        supervise_catch_signals();
        code = replay_times(options, &program, trace, runtime);
    }
    program_release(&program);
    free(runtime);
    return code;
}

int replay_main(int argc, char **argv)
{
    return run_trace_command(replay_trace, "replay", COMMAND_REPLAY, "", argc, argv);
}
