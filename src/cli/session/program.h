/* A program ready to be run under Mazur, and how it came about (for trace files). */
#ifndef MAZUR_CLI_PROGRAM_H
#define MAZUR_CLI_PROGRAM_H

#include "cli/options/options.h"
#include "board/board.h"
#include "report/text/text.h"

struct program {
    char *path;                 /* what is executed */
    char *name;                 /* short, for people */
    char *directory;            /* where to run it, or NULL: here */
    struct text_list arguments; /* argv, with argv[0] */
    bool compiled;              /* from sources, by check */
    struct text_list build;     /* compiled: sources and flags as given */
    char *compiler;             /* compiled: --compiler, or NULL */
};

void program_release(struct program *program);

/* check.c: compile sources into the cache and fill path and name. 0, or an exit code after a
 * message. `words` are sources and compiler flags as the user gave them. */
int program_compile(struct program *program, const struct text_list *words,
                    const char *compiler, bool verbose);
/* run.c: find a program as execvp does. */
int program_locate(struct program *program, const char *name);
/* Is it something that Mazur can run? 0, or an exit code after a message; `why` (may be NULL)
 * gets the malloc'd reason. */
int program_verify(const struct program *program, char **why);

/* search_program.c: search, record the failures, report, write files; the exit code. */
int search_program(const struct options *options, struct program *program, bool invisible);

/* JSON, JUnit, HTML, SARIF and the step summary, where they were asked for. False after a
 * message. */
bool write_machine_reports(const struct options *options, const struct result *result);
/* One of them goes to stdout: the text must not. */
bool files_on_stdout(const struct options *options);

/* record_trace.c: run one execution along a schedule and make a trace of it. */
struct recording {
    const struct program *program;
    const char *runtime;
    struct board_config config; /* mode and keep_output are set here */
    double hang;
    double time; /* seconds that it may take, 0: no limit */
    bool quiet;  /* do not say what takes long */
    bool show_output;
    bool dies_itself; /* a signal that looks like somebody else's is the program's own */
    const uint32_t *schedule;
    uint32_t nschedule;
    const struct board_thread *thread; /* canonical names: parent and number of each slot */
    uint32_t nthreads;
    const struct lessons *lessons;           /* that the schedule was made with */
    bool reduce;                             /* partial-order reduction may be used */
    const struct simplification *simplified; /* of this schedule, or NULL */
    const struct linear_table *serial; /* histories are judged by these; NULL: not at all */
    struct shared *judge; /* where they are, when they were found for this recording */
};
/* What takes long is said, once: for supervision.tick. */
struct slow_work {
    const char *what;
    bool quiet;
};
void say_slow(const struct board *board, double seconds, void *context);
/* Put on a board what a run along the schedule needs. */
void recording_prepare(struct board *board, const struct recording *recording);

/* NULL after a message when the program could not be run at all. failure.kind FAILURE_NONE:
 * the execution ended without one. */
struct trace *record_execution(const struct recording *recording);

/* The other half of it: what the child did, as a trace. */
struct ending;
struct output;
struct trace *record_trace(const struct recording *recording, struct board *board,
                           const struct ending *ending, struct output *output);

/* The recording that runs the execution of a trace file again, as its settings say. False after
 * a message. */
bool recording_open(struct recording *recording, const struct program *program,
                    const struct trace *trace, const char *runtime, double hang);
void recording_close(struct recording *recording);
/* Run it. */
struct trace *record_again(const struct program *program, const struct trace *trace,
                           const char *runtime, double hang, bool show_output);

/* simplify_failure.c: the simplest execution that fails as the recording's schedule does, and the
 * threads' names that its schedule goes by. False: the schedule stays as it is. */
struct simplified {
    struct simplification facts;
    uint32_t *schedule;
    uint32_t nschedule;
    struct board_thread *thread;
    uint32_t nthreads;
    struct lessons lessons; /* that it was made with: the search's, or more */
};
bool simplify_execution(const struct recording *recording, uint64_t executions, double seconds,
                        struct simplified *simplified);
void simplified_release(struct simplified *simplified);

/* recipe.c: note in a trace how its program came about; make the program of a trace again. 0,
 * or an exit code after a message. With `say` the command is told on stderr. */
void program_recipe(const struct program *program, struct trace *trace);
int program_from_trace(struct program *program, const struct trace *trace, bool say,
                       bool verbose);

/* The style that the options and the terminal ask for. */
struct text_style options_style(const struct options *options, FILE *out);

#endif
