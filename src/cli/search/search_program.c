/* See search_program.h. */
#define _GNU_SOURCE
#include "cli/search/search_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/build/elfcheck.h"
#include "cli/build/toolchain.h"
#include "cli/watch/open_shared.h"
#include "cli/watch/place_names.h"
#include "cli/jobs/kept_leaves.h"
#include "cli/search/result_cache.h"
#include "cli/record/scratch_parent.h"
#include "cli/search/search_steps.h"
#include "cli/jobs/shards.h"
#include "cli/search/write_reports.h"
#include "host/exit_codes.h"
#include "host/free_cores.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "host/terminal.h"
#include "trace/verdict.h"

#define SHARE_AFTER 0.2 /* seconds: a shorter search is not worth another process */

static uint64_t nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The search without a bound beside the bounds (runtime/driver/unbounded.h) takes a few
 * seconds, and not much of a short search. */
#define UNBOUNDED_SECONDS 4
#define UNBOUNDED_SHARE   8

static uint64_t unbounded_time(const struct options *options)
{
    double most = UNBOUNDED_SECONDS;
    if (options->time > 0 && options->time / UNBOUNDED_SHARE < most)
        most = options->time / UNBOUNDED_SHARE;
    return (uint64_t)(most * 1e9);
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
    config.unbounded_time = unbounded_time(options);
    config.depth_grows = config.search.depth == 0;
    if (config.depth_grows)
        config.search.depth = DEPTH_LEAST;
    return config;
}

/* Strategies know which options they accept: ask them before running anything. */
#define TRIAL_POOL ((size_t)1 << 28) /* a search that has not started needs little */

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

/* Readers of the JSON get a result even for a program that can't be run. */
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

/* Such a program must not notice Mazur: its output and its exit status pass through. */
static bool is_untouched(const struct search_session *session)
{
    const struct board *board = session->shared.board;
    if (board->started_threads || board->stats.executions > 1 || session->nfound > 1 ||
        session->ending.end != CHILD_FINISHED)
        return false;
    return session->nfound == 0 || session->found[0].failure.kind == FAILURE_EXIT;
}

/* Only a search whose child ended normally can be resumed. */
static void keep_search(struct search_session *session)
{
    struct board *board = session->shared.board;
    session->kept.seconds += session->seconds;
    if (session->kept.kept) /* its leaves were */
        return;
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

static void say_resuming(const struct search_session *session)
{
    struct buffer count = {0};
    buffer_count(&count, session->shared.board->stats.executions);
    write_line(session->out, "mazur: %s: resuming after %s executions, %.1f s",
               session->program->name, count.data, session->kept.seconds);
    buffer_release(&count);
}

/* Complete the configuration for this program. 0, or an exit code after a message. */
static int configure_search(const struct options *options, const struct program *program,
                            struct board_config *config)
{
    char *why = NULL;
    int code = program_verify(program, &why);
    if (code) {
        report_refusal(options, program, code, why);
        return code;
    }
    *config = search_configuration(options);
    if (!places_configure(options, config))
        return EXIT_USAGE;
    if (program_uses_asan(program->path)) /* its shadow memory is not restored */
        config->isolate = ISOLATE_FORK;
    if (options->scratch || config->isolate == ISOLATE_FORK)
        config->search.states = false;
    return search_accepts(config);
}

/* Why the search must run in one process although several were requested; NULL: it need not. */
static const char *why_one_job(const struct search_session *session)
{
    const struct options *options = session->options;
    if (options->resume && session->kept.leaves.length == 0)
        return "the search that is resumed ran in one process";
    if (options->execs > 0)
        return "--execs counts the executions of one process";
    if (options->settings.search.count_states)
        return "--count-states counts the states of one process";
    if (options->scratch)
        return "--scratch has one directory";
    return NULL;
}

/* Checks that each shard would always be the same part of the search. False after a message. */
static bool settle_shard(struct search_session *session)
{
    const struct options *options = session->options;
    if (!shard_read(options->shard, &session->shard))
        return false;
    if (session->shard.of == 0)
        return true;
    session->shard.whole = true; /* until it is divided */
    session->shard.bound_done = -1;
    session->shard.keep_going = options->settings.search.keep_going;
    if (!search_identity(&session->kept, session->program, &session->shard.program,
                         &session->shard.options)) {
        complain("cannot read %s: %s", session->program->path, strerror(errno));
        return false;
    }
    const char *with = options->resume                         ? "--resume"
                       : options->execs > 0                    ? "--execs"
                       : options->settings.search.count_states ? "--count-states"
                                                               : NULL;
    if (with)
        complain("--shard can't be used with %s", with);
    return !with;
}

/* The stopped search, with its leaves if it has any. False after a message. */
static bool load_search(struct search_session *session)
{
    struct foreman foreman = {0};
    if (!resume_load(&session->kept, session->program, &session->shared))
        return false;
    bool good =
        session->kept.leaves.length == 0 || leaves_unpack(&foreman, &session->kept.leaves);
    foreman_close(&foreman);
    const char *why = good ? NULL : "it was made by a different build of Mazur";
    if (good && session->kept.leaves.length > 0 && why_one_job(session))
        why = "it ran in several processes: repeat it without --execs and --scratch";
    if (why)
        complain("cannot resume the stopped search of %s: %s", session->program->name, why);
    return !why;
}

static void settle_jobs(struct search_session *session)
{
    const struct options *options = session->options;
    bool asked = options->jobs > 0;
    const char *why = why_one_job(session);
    session->jobs = why ? 1 : asked ? (int)options->jobs : free_cores();
    session->share_after = asked ? 0 : SHARE_AFTER;
    session->tells_jobs = asked && options->jobs > 1;
    if (session->tells_jobs && why)
        progress_jobs(&session->progress, 1, why);
}

/* 0, or an exit code after a message; close it in either case. */
static int open_session(struct search_session *session, struct board_config *config,
                        bool invisible)
{
    const struct options *options = session->options;
    output_open(&session->output, OUTPUT_HOLD, invisible);
    if (!(session->runtime = toolchain_runtime()) ||
        (options->scratch && !scratch_open(options->scratch, config)))
        return EXIT_USAGE;
    if (!open_shared(&session->shared))
        return EXIT_INTERNAL;
    session->out = files_on_stdout(options) ? stderr : stdout;
    session->shared.board->config = *config;
    resume_open(&session->kept, session->program, session->runtime, config);
    session->progress = (struct progress){.out = options->quiet ? NULL : session->out,
                                          .live = isatty(fileno(session->out)),
                                          .program = session->program->name,
                                          .asan = program_uses_asan(session->program->path)};
    supervise_catch_signals();
    session->budget = budget_open(options->time, options->settings.search.keep_going);
    if (!settle_shard(session))
        return EXIT_USAGE;
    if (options->resume && !load_search(session))
        return EXIT_USAGE;
    settle_jobs(session);
    return 0;
}

static void close_session(struct search_session *session, const struct board_config *config)
{
    resume_release(&session->kept);
    drop_failures(session);
    output_close(&session->output);
    if (session->shared.board)
        shared_close(&session->shared);
    scratch_close(config);
    free(session->runtime);
}

/* The exit code of a search that need not be run again; -1: it must be run. */
static int answer_from_cache(const struct search_session *session)
{
    const struct options *options = session->options;
    struct result *result = options->cache && !options->resume ? cache_find(session) : NULL;
    if (!result)
        return -1;
    result->require_complete = options->require_complete;
    result->count_traces = options->settings.search.must_count;
    int code = result_exit_code(result);
    if (!report_result(options, result, session->out))
        code = code ? code : EXIT_INTERNAL;
    result_free(result);
    return code;
}

int search_program(const struct options *options, struct program *program, bool invisible)
{
    struct search_session session = {.options = options, .program = program};
    struct board_config config;
    int code = configure_search(options, program, &config);
    if (code)
        return code;
    code = open_session(&session, &config, invisible);
    if (code == 0 && (code = answer_from_cache(&session)) < 0) {
        if (options->resume && !options->quiet)
            say_resuming(&session);
        run_search(&session, invisible);
        code = finish_search(&session, invisible);
    }
    close_session(&session, &config);
    return code;
}
