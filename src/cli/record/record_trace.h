/* Run one execution again, along its schedule, in a fresh process, and make a trace of it.
 *
 * Every report is made from such a run: it also proves that the failure can be replayed. */
#ifndef MAZUR_CLI_RECORD_TRACE_H
#define MAZUR_CLI_RECORD_TRACE_H

#include "board/parent.h"
#include "cli/build/program.h"
#include "cli/watch/output.h"
#include "cli/watch/supervise.h"
#include "trace/trace.h"

struct recording {
    const struct program *program;
    const char *runtime;
    struct board_config config; /* mode and keep_output are set here */
    double hang;
    double time; /* limit in seconds, 0: none */
    bool quiet;  /* do not mention slow work */
    bool show_output;
    bool dies_itself; /* a signal that seems to come from outside is the program's own */
    const uint32_t *schedule;
    uint32_t nschedule;
    const struct board_thread *thread; /* canonical names: parent and number of each slot */
    uint32_t nthreads;
    const struct lessons *lessons;           /* in force when the schedule was made */
    bool reduce;                             /* partial-order reduction may be used */
    const struct simplification *simplified; /* of this schedule, or NULL */
    const struct linear_table
        *serial;          /* histories are compared with these; NULL: not compared */
    struct shared *judge; /* their memory, if they were found for this recording */
};
/* Work that may take long: after two seconds `what` is printed, once. */
struct slow_work {
    const char *what;
    bool quiet;
};
/* Run a child on a board that was prepared for the recording. `slow` may be NULL. */
struct ending run_recording(const struct recording *recording, struct shared *shared,
                            struct program_output *output, double time, struct slow_work *slow);
/* Prepare a board for a run along the schedule. */
void recording_prepare(struct board *board, const struct recording *recording);

/* NULL after a message if the program could not be run at all. failure.kind FAILURE_NONE: the
 * execution did not fail. */
struct trace *record_execution(const struct recording *recording);

/* The second half of record_execution(): what the child did, as a trace. */
struct trace *record_trace(const struct recording *recording, struct board *board,
                           const struct ending *ending, struct program_output *output);

/* A recording that runs the execution of a trace file again, with its settings. False after a
 * message. */
bool recording_open(struct recording *recording, const struct program *program,
                    const struct trace *trace, const char *runtime, double hang);
void recording_close(struct recording *recording);
/* Open such a recording, run it, close it. */
struct trace *record_again(const struct program *program, const struct trace *trace,
                           const char *runtime, double hang, bool show_output);

#endif
