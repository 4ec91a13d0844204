/* See record_trace.h. */
#include "cli/record/record_trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/watch/open_shared.h"
#include "cli/record/scratch_parent.h"
#include "explore/search/auto.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "trace/capture.h"
#include "trace/test_output.h"
#include "trace/file/trace_settings.h"
#include "trace/verdict.h"

#define SLOW_SECONDS 2.0

void recording_prepare(struct board *board, const struct recording *recording)
{
    board->config = recording->config;
    board->config.mode = BOARD_RECORD;
    board->config.resume = false;
    board->config.keep_output = recording->show_output;
    board->nschedule = recording->nschedule;
    memcpy(board->schedule, recording->schedule,
           recording->nschedule * sizeof *recording->schedule);
    board->nthreads = recording->nthreads;
    for (uint32_t i = 0; i < recording->nthreads; i++) {
        board->thread[i].parent = recording->thread[i].parent;
        board->thread[i].number = recording->thread[i].number;
    }
    board->lessons = *recording->lessons;
    if (recording->serial) {
        board->history_phase = HISTORY_CONCURRENT;
        linear_copy(&board->serial, recording->serial);
    }
}

/* A child that died reports nothing: its death is the failure. */
static struct board_failure describe_death(const struct board *board,
                                           const struct ending *ending, bool dies_itself)
{
    struct board_failure failure = {.tid = -1, .bound = BOUND_NONE, .execution = 1};
    bool before_main = board->state == CHILD_STARTING;
    failure.step = board->nevents;
    if (board->nevents)
        failure.tid = board->event[board->nevents - 1].tid;
    failure.signal = ending->signal;
    failure.status = ending->status;
    failure.kind = FAILURE_CRASH;
    if (ending->end == CHILD_HUNG) {
        failure.kind = FAILURE_HANG;
        snprintf(failure.message, BOARD_TEXT, "%s",
                 before_main ? "main was not reached in time"
                             : "no visible operation for too long");
    } else if (ending->end == CHILD_TAKEN && !dies_itself) {
        failure.kind = FAILURE_KILLED;
        snprintf(failure.message, BOARD_TEXT, "%s", ending->why);
    } else if (ending->end == CHILD_CRASHED || ending->end == CHILD_TAKEN) {
        snprintf(failure.message, BOARD_TEXT, "%s%s", strsignal(ending->signal),
                 before_main ? " before main" : "");
    } else {
        failure.kind = before_main ? FAILURE_CRASH : FAILURE_EXIT;
        snprintf(failure.message, BOARD_TEXT,
                 "the program ended behind Mazur's back%s, status %d",
                 before_main ? " before main" : "", ending->status);
    }
    return failure;
}

/* For supervision.tick; the context is a struct slow_work. */
static void say_slow(const struct board *board, double seconds, void *context)
{
    struct slow_work *work = context;
    (void)board;
    if (!work->quiet && seconds > SLOW_SECONDS)
        complain("%s", work->what);
    work->quiet = work->quiet || seconds > SLOW_SECONDS;
}

struct ending run_recording(const struct recording *recording, struct shared *shared,
                            struct program_output *output, double time, struct slow_work *slow)
{
    return supervise(&(struct supervision){.program = recording->program,
                                           .runtime = recording->runtime,
                                           .shared = shared,
                                           .output = output,
                                           .time = time,
                                           .hang = recording->hang,
                                           .hang_alone = recording->hang,
                                           .tick = slow ? say_slow : NULL,
                                           .context = slow});
}

static int count_preemptions(const struct board *board)
{
    int count = 0;
    for (uint32_t i = 0; i < board->nevents; i++)
        count += board->event[i].reason == SWITCH_PREEMPTED;
    return count;
}

/* What went wrong in this execution: what the runtime reported, else the child's death. */
static struct board_failure observed_failure(const struct board *board,
                                             const struct ending *ending, bool dies_itself)
{
    struct board_failure failure = {.kind = FAILURE_NONE, .tid = -1};
    if (board->nfailures) {
        failure = board->failure[0];
    } else if (ending->interrupted || ending->timed_out || ending->end == CHILD_KILLED) {
        failure.kind = ending->interrupted ? FAILURE_KILLED : FAILURE_LIMIT;
        failure.preemptions = -1;
        snprintf(failure.message, BOARD_TEXT, "%s before the execution ended",
                 ending->interrupted ? "interrupted"
                 : ending->timed_out ? "time ran out (--time)"
                                     : "the names in options could not be looked up");
    } else if (ending->end != CHILD_FINISHED && ending->end != CHILD_KILLED) {
        failure = describe_death(board, ending, dies_itself);
        failure.preemptions = count_preemptions(board);
    }
    return failure;
}

/* The search counts steps, the record counts events: an interrupted wait has a step but no
 * event. */
static uint32_t event_of_step(const struct board *board, uint32_t step)
{
    for (uint32_t i = 0; i < board->nevents; i++)
        if (board->event[i].step >= step)
            return i;
    return TRACE_NO_EVENT;
}

static void add_simplest(struct trace *trace, const struct board *board,
                         const struct simplification *facts)
{
    trace->simplest = *facts;
    trace->inflection = TRACE_NO_EVENT;
    if (facts->inflection != UINT32_MAX && facts->inflection > 0)
        trace->inflection = event_of_step(board, facts->inflection);
}

struct trace *record_trace(const struct recording *recording, struct board *board,
                           const struct ending *ending, struct program_output *output)
{
    struct trace *trace = trace_new();
    struct board_failure failure = observed_failure(board, ending, recording->dies_itself);
    trace_capture(trace, board, &failure);
    trace->program = arena_text(&trace->arena, recording->program->name);
    trace->nschedule = recording->nschedule;
    trace->schedule =
        arena_alloc(&trace->arena, recording->nschedule * sizeof *trace->schedule);
    memcpy(trace->schedule, recording->schedule,
           recording->nschedule * sizeof *trace->schedule);
    trace->lessons = *recording->lessons;
    if (recording->simplified)
        add_simplest(trace, board, recording->simplified);
    char *captured = output_captured(output);
    trace->output = arena_text(&trace->arena, captured);
    free(captured);
    test_output_explain(trace);
    trace_settings_capture(trace, &recording->config);
    return trace;
}

struct trace *record_execution(const struct recording *recording)
{
    struct shared shared;
    struct program_output output;
    struct trace *trace = NULL;
    if (!open_shared(&shared))
        return NULL;
    struct slow_work slow = {.quiet = recording->quiet || recording->show_output,
                             .what = "running the failing execution once more, for the report"};
    recording_prepare(shared.board, recording);
    output_open(&output, recording->show_output ? OUTPUT_SHOW : OUTPUT_CAPTURE, true);
    struct ending ending = run_recording(recording, &shared, &output, recording->time, &slow);
    if (ending.end == CHILD_NOT_STARTED)
        complain("cannot start %s: %s%s", recording->program->path, strerror(ending.error),
                 limits_hint(ending.error));
    else
        trace = record_trace(recording, shared.board, &ending, &output);
    output_close(&output);
    shared_close(&shared);
    return trace;
}

/* A history is compared with the serial histories of the current program, so these are found
 * first. False after a message. */
static bool find_serial_histories(const struct recording *recording, struct shared *shared)
{
    struct program_output output;
    shared->board->config = recording->config;
    shared->board->config.mode = BOARD_SEARCH;
    shared->board->config.serial_only = true;
    auto_search_all(&shared->board->config.search);
    output_open(&output, OUTPUT_DROP, true);
    struct ending ending = run_recording(recording, shared, &output, 0, NULL);
    output_close(&output);
    bool found =
        ending.end == CHILD_FINISHED && shared->board->history_phase == HISTORY_CONCURRENT;
    if (!found)
        complain("the serial executions of %s produce no histories to compare with",
                 recording->program->name);
    return found;
}

/* What the execution of a linearizability failure is compared with. */
static bool open_judge(struct recording *recording)
{
    recording->judge = allocate(sizeof *recording->judge);
    if (!open_shared(recording->judge))
        return false;
    recording->serial = &recording->judge->board->serial;
    return find_serial_histories(recording, recording->judge);
}

bool recording_open(struct recording *recording, const struct program *program,
                    const struct trace *trace, const char *runtime, double hang)
{
    struct board_thread *threads = allocate(trace->nthreads * sizeof *threads);
    for (size_t i = 0; i < trace->nthreads; i++) {
        threads[i].parent = trace->thread[i].parent;
        threads[i].number = trace->thread[i].number;
    }
    *recording = (struct recording){.program = program,
                                    .runtime = runtime,
                                    .hang = hang,
                                    .schedule = trace->schedule,
                                    .nschedule = (uint32_t)trace->nschedule,
                                    .thread = threads,
                                    .nthreads = (uint32_t)trace->nthreads,
                                    .lessons = &trace->lessons,
                                    .dies_itself = trace->failure.kind == FAILURE_CRASH &&
                                                   trace->failure.signal != 0};
    trace_settings_apply(trace, &recording->config);
    search_follows(&recording->config.search);
    bool judged = failure_has(trace->failure.kind, FAILURE_HAS_HISTORY);
    if ((!recording->config.in_scratch || scratch_open(NULL, &recording->config)) &&
        (!judged || open_judge(recording)))
        return true;
    recording_close(recording);
    return false;
}

void recording_close(struct recording *recording)
{
    scratch_close(&recording->config);
    if (recording->judge)
        shared_close(recording->judge);
    free(recording->judge);
    free((void *)recording->thread);
    *recording = (struct recording){0};
}

struct trace *record_again(const struct program *program, const struct trace *trace,
                           const char *runtime, double hang, bool show_output)
{
    struct recording recording;
    if (!recording_open(&recording, program, trace, runtime, hang))
        return NULL;
    recording.show_output = show_output;
    struct trace *again = record_execution(&recording);
    recording_close(&recording);
    return again;
}
