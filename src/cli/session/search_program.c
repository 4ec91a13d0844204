/* From a program to a verdict: search in a child, restart it where --keep-going asks for that,
 * run every failing execution once more for its trace, report.
 *
 *     supervise(SEARCH) ──▶ failures + schedules ──▶ record_execution ──▶ trace files
 *            ▲   │ child died, --keep-going                 │
 *            └───┘                                          ▼
 *                                              text, JSON, JUnit, exit code */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/session/budget.h"
#include "cli/build/elfcheck.h"
#include "host/files.h"
#include "host/process_limits.h"
#include "cli/session/place_names.h"
#include "cli/session/program.h"
#include "cli/session/progress.h"
#include "cli/session/resume.h"
#include "host/say.h"
#include "cli/session/scratch_parent.h"
#include "machine/unseen.h"
#include "cli/session/supervise.h"
#include "cli/build/toolchain.h"
#include "explore/plan/strategies.h"
#include "trace/capture.h"
#include "trace/mzt.h"
#include "report/files/formats.h"
#include "trace/simplest.h"
#include "debuginfo/symbolise.h"
#include "host/terminal.h"
#include "trace/verdict.h"

/* A failure as the search left it, with the way there. */
struct found {
    struct board_failure failure;
    uint32_t *schedule;
    uint32_t nschedule;
    struct lessons lessons; /* that the search had learned by then */
    bool died;              /* the child died of it */
    bool unshown;           /* it could not be run once more */
    struct simplified simplified;
};

struct session {
    const struct options *options;
    struct program *program;
    char *runtime;
    struct shared shared;
    struct output output;
    struct progress progress;
    struct ending ending;
    struct kept_search kept;
    double seconds; /* over all children of the search */
    struct budget budget;
    struct found found[BOARD_FAILURES];
    size_t nfound;
    uint32_t harvested; /* entries of board->failure[] taken so far, … */
    uint32_t round;     /* … of this round of the search */
    FILE *out;          /* reports */
};

void program_release(struct program *program)
{
    free(program->path);
    free(program->name);
    free(program->directory);
    free(program->compiler);
    list_release(&program->arguments);
    list_release(&program->build);
    *program = (struct program){0};
}

static uint64_t nanoseconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct board_config configuration(const struct options *options)
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
    bool good = search_create(pool, &config->search, error, sizeof error) != NULL;
    if (!good)
        complain("%s", error);
    pool_destroy_private(pool);
    return good ? 0 : EXIT_USAGE;
}

/* --- Searching
 * -------------------------------------------------------------------------------- */

static void keep_found(struct session *session, const struct board_failure *failure,
                       const uint32_t *schedule, uint32_t nschedule)
{
    if (session->nfound == BOARD_FAILURES) {
        claim_limit(&session->shared.board->claim, LIMIT_AT_FAILURES);
        return;
    }
    struct found *found = &session->found[session->nfound++];
    found->failure = *failure;
    found->lessons = session->shared.board->lessons;
    found->nschedule = nschedule;
    found->schedule = allocate(nschedule * sizeof *schedule);
    memcpy(found->schedule, schedule, nschedule * sizeof *schedule);
}

/* The child died in the middle of an execution: its schedule is on the board. */
static void keep_death(struct session *session)
{
    const struct board *board = session->shared.board;
    const struct ending *ending = &session->ending;
    struct board_failure failure = {.tid = -1,
                                    .kind = FAILURE_CRASH,
                                    .signal = ending->signal,
                                    .status = ending->status,
                                    .bound = board->stats.bound,
                                    .execution = board->stats.executions + 1,
                                    .ends = board->nschedule};
    if (ending->end == CHILD_HUNG)
        failure.kind = FAILURE_HANG;
    else if (ending->end == CHILD_LEFT && board->state != CHILD_STARTING)
        failure.kind = FAILURE_EXIT;
    else if (ending->end == CHILD_TAKEN)
        failure.kind = FAILURE_KILLED;
    if (ending->end == CHILD_TAKEN)
        failure.preemptions = -1;
    snprintf(failure.message, BOARD_TEXT, "%s", ending->why);
    keep_found(session, &failure, board->schedule, board->nschedule);
    session->found[session->nfound - 1].died = true;
}

/* A child that went on with the search of a dead one may have begun it again, and comes to the same
 * failures a second time. */
static bool is_known(const struct session *session, const struct board_failure *failure)
{
    for (size_t i = 0; i < session->nfound; i++) {
        const struct board_failure *found = &session->found[i].failure;
        bool same_place = failure->stack.depth == found->stack.depth &&
                          memcmp(failure->stack.pc, found->stack.pc,
                                 failure->stack.depth * sizeof failure->stack.pc[0]) == 0;
        if (found->kind == failure->kind && found->tid == failure->tid && same_place &&
            strcmp(found->message, failure->message) == 0)
            return true;
    }
    return false;
}

static void harvest(struct session *session)
{
    struct board *board = session->shared.board;
    const struct ending *ending = &session->ending;
    bool told = false;
    if (session->round != board->round)
        session->harvested = 0;
    session->round = board->round;
    for (; session->harvested < board->nfailures; session->harvested++) {
        const uint32_t *schedule;
        const struct board_failure *failure = &board->failure[session->harvested];
        uint32_t length = board_failing_schedule(board, session->harvested, &schedule);
        told = true;
        if (session->round == 0 || !is_known(session, failure))
            keep_found(session, failure, schedule, length);
    }
    bool died = ending->end == CHILD_CRASHED || ending->end == CHILD_LEFT ||
                ending->end == CHILD_HUNG || ending->end == CHILD_TAKEN;
    if (died && !told)
        keep_death(session);
}

/* A dead child's search is in the pool; a new child goes on with it. */
static bool worth_restarting(const struct session *session)
{
    return session->options->keep_going && session->ending.end != CHILD_FINISHED &&
           session->ending.end != CHILD_KILLED && session->ending.end != CHILD_TAKEN &&
           session->ending.end != CHILD_NOT_STARTED &&
           session->shared.board->state != CHILD_STARTING && !session->ending.interrupted &&
           !session->ending.timed_out && session->nfound < BOARD_FAILURES;
}

/* How many are still to be shown, this one included? */
static size_t failures_left(const struct session *session, const struct found *found)
{
    return session->nfound - (size_t)(found - session->found);
}

static struct recording recording_of(const struct session *session, const struct found *found,
                                     size_t failures)
{
    const struct board *board = session->shared.board;
    return (struct recording){
        .program = session->program,
        .reduce = board->instrumented,
        .runtime = session->runtime,
        .config = board->config,
        .hang = session->options->hang,
        .quiet = session->options->quiet,
        .time = budget_record(&session->budget, failures),
        .dies_itself = found->died && found->failure.kind == FAILURE_CRASH,
        .schedule = found->schedule,
        .nschedule = found->nschedule,
        .thread = board->thread,
        .nthreads = board->nthreads,
        .lessons = &found->lessons,
        .serial = board->history_phase == HISTORY_CONCURRENT ? &board->serial : NULL,
    };
}

/* A signal that somebody sent, and the same execution ends by it once more: the program sends
 * it behind our back (a system call of its own). */
static bool kills_itself(struct session *session)
{
    const struct board *board = session->shared.board;
    if (session->ending.end != CHILD_TAKEN || session->ending.culprit != CULPRIT_SENDER)
        return false;
    struct found found = {.lessons = board->lessons,
                          .schedule = (uint32_t *)board->schedule,
                          .nschedule = board->nschedule};
    struct recording recording = recording_of(session, &found, 1);
    struct trace *trace = record_execution(&recording);
    bool again = trace && trace->failure.kind == FAILURE_KILLED &&
                 trace->failure.signal == session->ending.signal && !supervise_interrupted();
    trace_free(trace);
    return again;
}

static void search_once(struct session *session, bool invisible)
{
    const struct options *options = session->options;
    struct supervision supervision = {
        .program = session->program->path,
        .arguments = session->program->arguments.item,
        .directory = session->program->directory,
        .runtime = session->runtime,
        .shared = &session->shared,
        .output = &session->output,
        .time = budget_search(&session->budget),
        .hang = options->hang,
        /* a program without threads may take its time, as it would without Mazur */
        .hang_alone = invisible ? options->time : options->hang,
        .tick = progress_tick,
        .context = &session->progress,
    };
    session->ending = supervise(&supervision);
    session->seconds += session->ending.seconds;
    if (kills_itself(session))
        session->ending.end = CHILD_CRASHED;
    if (session->ending.end != CHILD_NOT_STARTED)
        harvest(session);
}

static void search_all(struct session *session, bool invisible)
{
    struct board *board = session->shared.board;
    for (;;) {
        search_once(session, invisible);
        if (!worth_restarting(session))
            break;
        board->config.resume = true;
        board->state = CHILD_STARTING;
        board->hang_check = 0;
    }
    progress_finish(&session->progress, board, session->seconds);
}

/* --- The program that starts no thread -------------------------------------------------------
 */

/* It must not notice Mazur: its output and its exit status pass through. */
static bool is_untouched(const struct session *session)
{
    const struct board *board = session->shared.board;
    if (board->started_threads || board->stats.executions > 1 || session->nfound > 1 ||
        session->ending.end != CHILD_FINISHED)
        return false;
    return session->nfound == 0 || session->found[0].failure.kind == FAILURE_EXIT;
}

/* --- Traces
 * ------------------------------------------------------------------------------------ */

static struct trace_failure keep_search_facts(struct trace_failure recorded,
                                              const struct board_failure *failure)
{
    recorded.execution = failure->execution;
    recorded.bound = failure->bound;
    return recorded;
}

static void say_not_reproduced(struct trace *trace, const struct found *found)
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

/* "expected at f.c:10 f, got at f.c:12 f", as far as it is known. */
static void say_what_differed(const struct session *session, struct trace *trace,
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

/* What repeats itself without killing or stopping the child can be looked for again. */
static bool can_simplify(const struct found *found)
{
    return !found->died && found->failure.kind != FAILURE_NONDETERMINISM &&
           found->failure.kind != FAILURE_HANG && !found->failure.stops_loops;
}

/* Put the simplest execution that fails so in the place of the one that was found. */
static void simplify(struct session *session, struct found *found, struct recording *recording)
{
    uint64_t executions = (uint64_t)session->options->simplify;
    if (recording->config.isolate == ISOLATE_FORK)
        executions = (executions + 9) / 10; /* each of them is a process */
    /* where preemptions are kept from some places, simpler forms would break that */
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

/* A verdict without an execution to show: the test can't be run. */
static bool has_execution(enum failure_kind kind)
{
    return kind != FAILURE_INVALID && !failure_is_outside(kind);
}

static struct trace *bare_trace(struct session *session, const struct found *found)
{
    struct trace *trace = trace_new();
    trace_capture(trace, session->shared.board, &found->failure);
    trace->program = arena_text(&trace->arena, session->program->name);
    trace->nevents = 0;
    trace->output = "";
    return trace;
}

/* Once more if somebody else ended the process; what was found stays true all the same. */
static struct trace *record_undisturbed(const struct recording *recording)
{
    struct trace *trace = record_execution(recording);
    if (trace && trace->failure.kind == FAILURE_KILLED && !supervise_interrupted()) {
        trace_free(trace);
        trace = record_execution(recording);
    }
    return trace;
}

/* Run the failing execution once more, in its simplest form. Where that does not fail as the
 * one that was found did, that one is run instead: what simplification does must not be taken
 * for the program's doing. */
static struct trace *record_found(struct session *session, struct found *found)
{
    struct recording recording = recording_of(session, found, failures_left(session, found));
    simplify(session, found, &recording);
    recording.time = budget_record(&session->budget, failures_left(session, found));
    struct trace *trace = record_undisturbed(&recording);
    if (!trace || !recording.simplified ||
        trace->failure.kind == (enum failure_kind)found->failure.kind)
        return trace;
    trace_free(trace);
    recording = recording_of(session, found, failures_left(session, found));
    return record_undisturbed(&recording);
}

static struct trace *trace_of(struct session *session, struct found *found)
{
    struct trace *trace = record_found(session, found);
    if (!trace)
        return NULL;
    if (failure_is_outside(trace->failure.kind)) {
        complain("the failing execution can't be shown: %s", trace->failure.message);
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

/* `coverage` lives in the result; a trace outlives nothing of it, so the pointers are shared.
 */
static bool save_trace(struct session *session, struct trace *trace)
{
    if (session->options->no_trace)
        return true;
    char *reason = NULL;
    char *path = mzt_write(trace, session->options->trace_dir, &reason);
    if (path)
        trace->file_name = arena_text(&trace->arena, path);
    else
        complain("the trace file could not be written: %s", reason);
    free(path);
    free(reason);
    return trace->file_name != NULL;
}

/* All failures are known before anything is said of one: the least preemptions of any. */
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

/* What the reasons do not let be said is not in the trace. */
static void settle_trace(struct result *result, struct trace *trace)
{
    trace->coverage = result->coverage;
    if (!is_inflection_proven(trace)) {
        trace->simplest.inflection = UINT32_MAX;
        trace->inflection = TRACE_NO_EVENT;
    }
}

static bool add_failures(struct session *session, struct result *result)
{
    bool good = true;
    for (size_t i = 0; i < session->nfound; i++) {
        struct found *found = &session->found[i];
        bool execution = has_execution(found->failure.kind);
        struct trace *trace = execution ? trace_of(session, found) : bare_trace(session, found);
        if (!trace) {
            good = false;
            break;
        }
        program_recipe(session->program, trace);
        result_add(result, trace);
    }
    note_fewest(result);
    for (size_t i = 0; i < result->nfailures; i++) {
        settle_trace(result, result->failure[i]);
        const struct found *found = &session->found[i];
        if (has_execution(found->failure.kind) && !found->unshown)
            good = save_trace(session, result->failure[i]) && good;
    }
    return good;
}

/* --- The result
 * -------------------------------------------------------------------------------- */

static enum search_end how_it_ended(const struct session *session)
{
    const struct options *options = session->options;
    bool over =
        session->ending.end == CHILD_FINISHED && session->shared.board->left == LEFT_NOTHING;
    if (session->nfound && (over || !options->keep_going))
        return ENDED_FAILURE;
    if (over)
        return ENDED_SEARCHED;
    if (session->ending.interrupted)
        return ENDED_INTERRUPTED;
    if (session->ending.timed_out || session->ending.end == CHILD_KILLED)
        return ENDED_TIME;
    if (options->execs > 0)
        return ENDED_EXECS;
    return session->nfound ? ENDED_FAILURE : ENDED_SEARCHED;
}

/* Nobody has ended the search, yet it says that it is not over: something else has told it to stop,
 * or has written over what it says. */
static bool ended_for_no_reason(const struct session *session, const struct result *result)
{
    return result->end == ENDED_SEARCHED && session->ending.end == CHILD_FINISHED &&
           session->shared.board->left != LEFT_NOTHING &&
           (result->coverage.claim.count == 0 ||
            claim_has(&result->coverage.claim, REASON_STOPPED)) &&
           !result->coverage.stats.complete;
}

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

bool files_on_stdout(const struct options *options)
{
    for (int kind = 0; kind < FORMATS; kind++)
        if (is_stdout(options->files[kind]))
            return true;
    return false;
}

static bool wants_files(const struct options *options)
{
    for (int kind = 0; kind < FORMATS; kind++)
        if (options->files[kind])
            return true;
    return false;
}

bool write_machine_reports(const struct options *options, const struct result *result)
{
    bool good = true;
    for (int kind = 0; kind < FORMATS; kind++) {
        if (!options->files[kind])
            continue;
        char *text = format_result(kind, result);
        good = write_file(options->files[kind], text) && good;
        free(text);
    }
    for (size_t i = 0; i < appended_count; i++) {
        const char *path = getenv(appended_formats[i].variable);
        if (!path || !*path)
            continue;
        char *text = appended_formats[i].write(result);
        append_file(path, text);
        free(text);
    }
    return good;
}

/* A program that can't be run is a result, too, for whoever reads the JSON. */
static void refuse(const struct options *options, const struct program *program, int code,
                   char *why)
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

static bool write_reports(struct session *session, const struct result *result)
{
    struct text_style style = options_style(session->options, session->out);
    struct buffer text = {0};
    for (size_t i = 0; i < result->nfailures; i++)
        text_failure(&text, result->failure[i], style);
    if (!result->nfailures)
        text_pass(&text, result, style);
    write_report(session->out, &text);
    fflush(session->out);
    buffer_release(&text);
    return write_machine_reports(session->options, result);
}

static const char *loose_reason(const struct session *session)
{
    const struct search_options *search = &session->shared.board->config.search;
    if (search_compares_states(search))
        return "it compares states with those that this process has seen";
    if (session->ending.timed_out || session->ending.interrupted)
        return "it was stopped in the middle of a long execution";
    return "its queue is too large for a file";
}

static void raise_each(struct claim *claim, enum claim_reason reason,
                       const struct text_list *names)
{
    for (size_t i = 0; i < names->count; i++)
        claim_raise(claim, reason, names->item[i]);
}

static void own_up_to_end(struct result *result)
{
    static const enum claim_reason reasons[] = {
        [ENDED_TIME] = REASON_TIME,
        [ENDED_EXECS] = REASON_EXECUTIONS,
        [ENDED_INTERRUPTED] = REASON_INTERRUPTED,
        [ENDED_FAILURE] = REASON_STOPPED_AT_FAILURE,
    };
    if (result->end != ENDED_SEARCHED)
        claim_raise(&result->coverage.claim, reasons[result->end], NULL);
}

/* Where threads may meet unseen nothing is complete: a reduction relies on seeing all that they
 * do to each other, and a search without one preempts them only at what is seen. */
static void own_up_to_unseen(const struct session *session, struct result *result)
{
    struct coverage *coverage = &result->coverage;
    struct unseen unseen = unseen_find(session->shared.board);
    bool blind = !coverage->instrumented && coverage->threads > 1 &&
                 strategy_has(coverage->strategy, STRATEGY_REDUCES);
    raise_each(&coverage->claim, REASON_CODE_NOT_INSTRUMENTED, &unseen.not_instrumented);
    raise_each(&coverage->claim, REASON_ASSEMBLY, &unseen.assembly);
    raise_each(&coverage->claim, REASON_ASSEMBLY_MOVES, &unseen.moves);
    raise_each(&coverage->claim, REASON_UNTOLD, &unseen.untold);
    raise_each(&coverage->claim, REASON_OUTSIDE, &unseen.outside);
    raise_each(&coverage->claim, REASON_UNANNOUNCED, &unseen.unannounced);
    if (blind)
        claim_raise(&coverage->claim, REASON_BLIND_REDUCTION, coverage->strategy);
    unseen_release(&unseen);
}

static int report(struct session *session)
{
    struct result *result = result_new(session->program->name);
    result->end = how_it_ended(session);
    result->seconds = session->kept.seconds;
    if (session->kept.kept)
        result->resume = resume_command(session->program, session->options);
    else if (session->kept.why || session->shared.board->left == LEFT_LOOSE)
        result->not_kept = session->kept.why ? session->kept.why : loose_reason(session);
    result->require_complete = session->options->require_complete;
    result->count_traces = session->options->count_traces;
    result->alone = !session->shared.board->started_threads;
    result->coverage = coverage_capture(session->shared.board, &result->arena);
    if (ended_for_no_reason(session, result))
        claim_raise(&result->coverage.claim, REASON_DOUBTFUL, NULL);
    own_up_to_end(result);
    own_up_to_unseen(session, result);
    coverage_decide(&result->coverage);
    bool good = add_failures(session, result);
    int code = result_exit_code(result);
    if (session->nfound && !result->nfailures)
        code = EXIT_INTERNAL;
    if (!write_reports(session, result) || (!good && code == 0))
        code = code ? code : EXIT_INTERNAL;
    result_free(result);
    return code;
}

/* Without a child that ended in good order there is nothing to go on with. */
static void keep_search(struct session *session)
{
    struct board *board = session->shared.board;
    session->kept.seconds += session->seconds;
    if (session->ending.end != CHILD_FINISHED)
        board->left = board->left == LEFT_MORE ? LEFT_LOOSE : board->left;
    if (session->nfound && !session->options->keep_going)
        board->left = LEFT_NOTHING;
    resume_keep(&session->kept, session->program, &session->shared);
}

static int finish(struct session *session, bool invisible)
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
        complain("address randomisation could not be switched off");
    if (!board->started_threads && session->output.mode == OUTPUT_HOLD)
        output_replay(&session->output);
    if (board->started_threads)
        keep_search(session);
    else
        session->kept.seconds = session->seconds;
    if (invisible && is_untouched(session) && !wants_files(session->options))
        return session->nfound ? session->found[0].failure.status & 0xff : 0;
    return report(session);
}

static void say_going_on(const struct session *session)
{
    struct buffer count = {0};
    buffer_count(&count, session->shared.board->stats.executions);
    write_line(session->out, "mazur: %s: going on after %s executions, %.1f s",
               session->program->name, count.data, session->kept.seconds);
    buffer_release(&count);
}

int search_program(const struct options *options, struct program *program, bool invisible)
{
    struct session session = {.options = options, .program = program};
    struct board_config config = configuration(options);
    char *why = NULL;
    int code = program_verify(program, &why);
    if (code) {
        refuse(options, program, code, why);
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
    if (!limits_open_shared(&session.shared)) {
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
    session.budget = budget_open(options->time, options->keep_going);
    if (options->resume && !resume_load(&session.kept, program, &session.shared)) {
        code = EXIT_USAGE;
    } else {
        if (options->resume && !options->quiet)
            say_going_on(&session);
        search_all(&session, invisible);
        code = finish(&session, invisible);
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
