/* See search_program.h. */
#define _GNU_SOURCE
#include "cli/session/search_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/build/elfcheck.h"
#include "cli/build/toolchain.h"
#include "cli/session/open_shared.h"
#include "cli/session/place_names.h"
#include "cli/session/scratch_parent.h"
#include "cli/session/search_session.h"
#include "cli/session/write_reports.h"
#include "host/exit_codes.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "host/terminal.h"
#include "trace/verdict.h"

static uint64_t nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct board_config search_configuration(const struct options *options)
{
    struct board_config config;
    options_configure(options, &config);
    config.mode = BOARD_SEARCH;
    config.realtime_start = nanoseconds_now();
    config.search.execs = (uint64_t)options->execs;
    config.search.count_traces = true;
    config.search.states = config.isolate == ISOLATE_SNAPSHOT;
    config.depth_grows = config.search.depth == 0;
    if (config.depth_grows)
        config.search.depth = DEPTH_LEAST;
    return config;
}

/* The search itself knows which options its strategies take: ask it before anything is run. */
#define TRIAL_POOL ((size_t)1 << 28) /* a search that has not begun needs little */

static int search_accepts(const struct board_config *config)
{
    char error[BOARD_TEXT] = "";
    struct pool *pool = pool_create_private(TRIAL_POOL);
    if (!pool) {
        complain("no memory: %s%s", strerror(errno), limits_hint(errno));
        return EXIT_INTERNAL;
    }
    bool good = search_create(pool, &config->search, error, sizeof error);
    if (!good)
        complain("%s", error);
    pool_destroy_private(pool);
    return good ? 0 : EXIT_USAGE;
}

/* A program that can't be run is a result, too, for whoever reads the JSON. */
static void report_refusal(const struct options *options, const struct program *program,
                           int code, char *why)
{
    struct result *result = result_new(program->name);
    struct trace *trace = trace_new();
    trace->program = result->program;
    trace->output = trace->failure.detail = "";
    trace->failure.kind = FAILURE_INVALID;
    trace->failure.tid = -1;
    trace->failure.bound = BOUND_NONE;
    trace->failure.message = arena_text(&trace->arena, why);
    result->end = ENDED_FAILURE;
    result->coverage.strategy = options->strategy;
    result->coverage.stats.bound_done = -1;
    result_add(result, trace);
    if (code == failure_exit_code(FAILURE_INVALID))
        write_machine_reports(options, result);
    result_free(result);
    free(why);
}

/* It must not notice Mazur: its output and its exit status pass through. */
static bool is_untouched(const struct search_session *session)
{
    const struct board *board = session->shared.board;
    if (board->started_threads || board->stats.executions > 1 || session->nfound > 1 ||
        session->ending.end != CHILD_FINISHED)
        return false;
    return session->nfound == 0 || session->found[0].failure.kind == FAILURE_EXIT;
}

/* Without a child that ended in good order there is nothing to go on with. */
static void keep_search(struct search_session *session)
{
    struct board *board = session->shared.board;
    session->kept.seconds += session->seconds;
    if (session->ending.end != CHILD_FINISHED)
        board->left = board->left == LEFT_MORE ? LEFT_LOOSE : board->left;
    if (session->nfound && !session->options->settings.search.keep_going)
        board->left = LEFT_NOTHING;
    resume_keep(&session->kept, session->program, &session->shared);
}

static int finish_search(struct search_session *session, bool invisible)
{
    struct board *board = session->shared.board;
    if (session->ending.end == CHILD_NOT_STARTED) {
        int error = session->ending.error;
        complain("cannot start %s: %s%s", session->program->path, strerror(error),
                 limits_hint(error));
        return limits_lack(error) ? EXIT_INTERNAL : EXIT_USAGE;
    }
    if (session->ending.unresolved)
        return EXIT_USAGE;
    if (session->ending.randomized && session->options->verbose)
        complain("cannot switch address randomisation off");
    if (!board->started_threads && session->output.mode == OUTPUT_HOLD)
        output_replay(&session->output);
    if (board->started_threads)
        keep_search(session);
    else
        session->kept.seconds = session->seconds;
    if (invisible && is_untouched(session) && !wants_files(session->options))
        return session->nfound ? session->found[0].failure.status & 0xff : 0;
    return conclude_search(session);
}

static void say_going_on(const struct search_session *session)
{
    struct buffer count = {0};
    buffer_count(&count, session->shared.board->stats.executions);
    write_line(session->out, "mazur: %s: resuming after %s executions, %.1f s",
               session->program->name, count.data, session->kept.seconds);
    buffer_release(&count);
}

int search_program(const struct options *options, struct program *program, bool invisible)
{
    struct search_session session = {.options = options, .program = program};
    struct board_config config = search_configuration(options);
    char *why = NULL;
    int code = program_verify(program, &why);
    if (code) {
        report_refusal(options, program, code, why);
        return code;
    }
    if (!places_configure(options, &config))
        return EXIT_USAGE;
    bool asan = program_uses_asan(program->path);
    if (asan) /* its shadow memory is not restored */
        config.isolate = ISOLATE_FORK;
    if (options->scratch || config.isolate == ISOLATE_FORK)
        config.search.states = false;
    if ((code = search_accepts(&config)) != 0)
        return code;
    if (!(session.runtime = toolchain_runtime()))
        return EXIT_USAGE;
    if (options->scratch && !scratch_open(options->scratch, &config)) {
        free(session.runtime);
        return EXIT_USAGE;
    }
    if (!open_shared(&session.shared)) {
        scratch_close(&config);
        free(session.runtime);
        return EXIT_INTERNAL;
    }
    session.out = files_on_stdout(options) ? stderr : stdout;
    session.shared.board->config = config;
    resume_open(&session.kept, program, session.runtime, &config);
    session.progress = (struct progress){.out = options->quiet ? NULL : session.out,
                                         .live = isatty(fileno(session.out)),
                                         .program = program->name,
                                         .asan = asan};
    output_open(&session.output, OUTPUT_HOLD, invisible);
    supervise_catch_signals();
    session.budget = budget_open(options->time, options->settings.search.keep_going);
    if (options->resume && !resume_load(&session.kept, program, &session.shared)) {
        code = EXIT_USAGE;
    } else {
        if (options->resume && !options->quiet)
            say_going_on(&session);
        run_search(&session, invisible);
        code = finish_search(&session, invisible);
    }
    resume_release(&session.kept);
    for (size_t i = 0; i < session.nfound; i++) {
        free(session.found[i].schedule);
        simplified_release(&session.found[i].simplified);
    }
    output_close(&session.output);
    shared_close(&session.shared);
    scratch_close(&config);
    free(session.runtime);
    return code;
}
