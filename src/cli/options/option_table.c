/* The one option table. An option that decides executions is a row of board/settings.def and
 * comes from there; any other is a row here and a field in options.h. */
#include "cli/options/option_table.h"

#include "board/board.h"
#include "cli/options/options.h"
#include "explore/search/strategies.h"

#define AT(field) .offset = offsetof(struct options, field)
#define LARGE     INT64_C(1000000000000000)

/* Rows of settings.def as options of the commands that search. */
#define SETTING(kind, text, field, start, low, high, words, uses, ...)                         \
    {.name = (text),                                                                           \
     .type = OPTION_OF_##kind,                                                                 \
     .commands = COMMAND_SEARCHES,                                                             \
     .minimum = (low),                                                                         \
     .maximum = (high),                                                                        \
     .setting = true,                                                                          \
     __VA_ARGS__},
#define SEARCH_SETTING     SETTING
#define PLAIN_SETTING(...) /* its option is below */
#define OPTION(word, start, trait, text)                                                       \
    .argument = (word), .initial = (start), .taken_by = (trait), .help = (text)
#define OPTION_OF_FLAG     OPTION_FLAG
#define OPTION_OF_CHOICE   OPTION_CHOICE
#define OPTION_OF_SET      OPTION_SET
#define OPTION_OF_BOUND    OPTION_BOUND
#define OPTION_OF_INT      OPTION_NUMBER
#define OPTION_OF_UNSIGNED OPTION_NUMBER
#define OPTION_OF_LONG     OPTION_NUMBER

const struct option option_table[] = {
#include "board/settings.def"
    {"bound", "N|auto|none", "none",
     "Models: search only the states that N preemptions can reach. auto: try 0, 1, 2, … until "
     "a bound excludes nothing; none: search every state at once.",
     OPTION_BOUND, COMMAND_MODEL, AT(model_bound), .maximum = 1000000},
    {"strategy", "NAME", "auto",
     "The search strategy; `mazur help strategies` lists them. auto picks the best sound "
     "reduction. Strategies that sample never claim coverage.",
     OPTION_TEXT, COMMAND_SEARCHES, AT(strategy)},
    {"time", "DURATION", "60s",
     "Stop the search after this time (60, 90s, 5m, 1h); 0: no limit.", OPTION_DURATION,
     COMMAND_RESULTS, AT(time)},
    {"execs", "N", "0", "Stop after N executions; 0: no limit.", OPTION_NUMBER,
     COMMAND_SEARCHES, AT(execs), .maximum = LARGE},
    {"keep-going", NULL, NULL,
     "Models: continue after a failure and report all of them (up to 32).", OPTION_FLAG,
     COMMAND_MODEL, AT(keep_going)},
    {"simplify", "N", "20000",
     "Spend up to N executions on the simplest form of a failure (fewest preemptions, "
     "switches, events) and on the point after which it can't be avoided; 0: show the failure "
     "as found.",
     OPTION_NUMBER, COMMAND_SEARCHES, AT(simplify), .maximum = LARGE},
    {"resume", NULL, NULL,
     "Resume the last search of this program that was stopped by Ctrl-C, --time or --execs. "
     "The limits count from here. (mazur-mpi model: from the last checkpoint in the directory "
     "that --checkpoint names.)",
     OPTION_FLAG, COMMAND_SEARCHES | COMMAND_MPI_MODEL, AT(resume)},
    {"require-complete", NULL, NULL,
     "Exit with 8 if nothing was found but not every interleaving was covered.", OPTION_FLAG,
     COMMAND_RESULTS | COMMAND_MERGE, AT(require_complete)},
    {"volatile", "plain|atomic", "plain",
     "How to treat volatile accesses: as ordinary ones (plain), or as --volatile-atomic does "
     "(atomic).",
     OPTION_CHOICE, COMMAND_SEARCHES, AT(volatile_kind)},
    {"scratch", "DIR", NULL,
     "Run every execution in a fresh directory inside DIR and remove it afterwards, with the "
     "files written there; implies --isolate=fork.",
     OPTION_TEXT, COMMAND_SEARCHES, AT(scratch)},
    {"hang", "DURATION", "5s",
     "Report a hang when a thread uses this much processor time without a visible operation; "
     "0: wait forever.",
     OPTION_DURATION, COMMAND_EXECUTES, AT(hang)},
    {"jobs", "N", "-1",
     "Search with N processes at a time (models: N threads); 0: with as many as there are free "
     "cores. The result stays the same. Default: 0 for programs and --search swarm, 1 for "
     "models.",
     OPTION_NUMBER, COMMAND_RESULTS, AT(jobs), .minimum = -1, .maximum = 256},
    {"shard", "I/N|auto", NULL,
     "Search the I-th of N parts, on a machine of its own; mazur merge adds up the results "
     "(--json). auto: I and N from CI_NODE_INDEX and CI_NODE_TOTAL, SLURM_ARRAY_TASK_ID, or "
     "JOB_COMPLETION_INDEX and MAZUR_SHARDS.",
     OPTION_TEXT, COMMAND_SEARCHES, AT(shard)},
    {"cache", "DIR", NULL,
     "Keep the results of searches that pass in DIR. The same search (program, arguments, "
     "libraries, "
     "options) is then not run again.",
     OPTION_TEXT, COMMAND_SEARCHES, AT(cache)},
    {"preempt-only", "FUNC|FILE|VAR", NULL,
     "Preempt threads only in this function (and what it calls), in code of this file, or at "
     "operations on this variable. Can be repeated.",
     OPTION_LIST, COMMAND_SEARCHES, AT(preempt_only)},
    {"no-preempt", "FUNC|FILE|VAR", NULL,
     "Never preempt a thread in this function, in code of this file, or at operations on this "
     "variable. Can be repeated.",
     OPTION_LIST, COMMAND_SEARCHES, AT(no_preempt)},
    {"visible", "FUNCTION", NULL,
     "Treat every memory access of this function as an operation, even in assembly and in code "
     "without instrumentation. A library (libgomp.so.1) or a source file stands for all its "
     "functions. Can be repeated.",
     OPTION_LIST, COMMAND_SEARCHES, AT(visible)},
    {"compiler", "NAME", NULL,
     "C compiler for check, cc and c++ (gcc or clang, any path); also MAZUR_CC, MAZUR_CXX.",
     OPTION_TEXT, COMMAND_CHECK | COMMAND_CC, AT(compiler), .runs = true},
    {"ltl", "NAME", NULL, "Models: check only this formula or never claim.", OPTION_TEXT,
     COMMAND_MODEL, AT(ltl)},
    {"no-claim", NULL, NULL, "Models: ignore formulas and never claims.", OPTION_FLAG,
     COMMAND_MODEL, AT(no_claim)},
    {"acceptance", NULL, NULL, "Models: look for cycles through an accept label.", OPTION_FLAG,
     COMMAND_MODEL, AT(acceptance)},
    {"progress", NULL, NULL, "Models: look for cycles without a progress label.", OPTION_FLAG,
     COMMAND_MODEL, AT(progress)},
    {"fair", NULL, NULL,
     "Models: report only cycles in which every process that can always move does move.",
     OPTION_FLAG, COMMAND_MODEL, AT(weak_fairness)},
    {"shorten", NULL, NULL,
     "Models: find the failure with the fewest preemptions, then the fewest switches, then the "
     "fewest steps, however long that takes.",
     OPTION_FLAG, COMMAND_MODEL, AT(shorten)},
    {"por", "off|on|auto", "auto",
     "Models: partial-order reduction. auto: use it where it applies and no bound is given.",
     OPTION_CHOICE, COMMAND_MODEL, AT(por)},
    {"optimize", "off|on", "on",
     "Models: run local steps together, leave out dead variables and what nothing reads. off: "
     "visit the states of the "
     "plain semantics, one by one.",
     OPTION_CHOICE, COMMAND_MODEL, AT(optimize)},
    {"store", "exact|compact|bitstate", "exact",
     "Models: how to store visited states: whole (exact), as 64 bits each (compact), or as "
     "three bits each in an array (bitstate). The last two may miss states, and the report "
     "says how many.",
     OPTION_CHOICE, COMMAND_MODEL, AT(store)},
    {"search", "dfs|bfs|fewest|swarm", "dfs",
     "Models: depth first, breadth first, by preemptions and then by length, or many small "
     "bitstate searches in different orders on all cores.",
     OPTION_CHOICE, COMMAND_MODEL, AT(search)},
    {"memory", "SIZE", NULL,
     "Models: memory limit for states, such as 4G; a search that needs more stops and says so. "
     "Default: three quarters of the memory of the machine or of the control group, and no "
     "more than is available.",
     OPTION_SIZE, COMMAND_MODEL, AT(memory)},
    {"trail", "FILE", NULL,
     "Models: write the failure as a trail for `spin -t`; with --simulate, take the steps of "
     "this trail of Spin or trace file. (To check a trail of Spin instead of searching, "
     "name it after the model.)",
     OPTION_TEXT, COMMAND_MODEL, AT(trail)},
    {"simulate", NULL, NULL,
     "Models: instead of searching, run the model once, statement by statement, with random "
     "choices. With --quiet show only what it prints.",
     OPTION_FLAG, COMMAND_MODEL, AT(simulate)},
    {"interactive", NULL, NULL,
     "Models: choose the steps of the simulation by number, go back, look at values; h "
     "explains.",
     OPTION_FLAG, COMMAND_MODEL, AT(interactive)},
    {"seed", "N", "0",
     "Models: seed for the choices of the simulation; 0: a new one each time; the output names "
     "it.",
     OPTION_NUMBER, COMMAND_MODEL, AT(model_seed), .maximum = LARGE},
    {"steps", "N", "10000", "Models: end the simulation after N steps.", OPTION_NUMBER,
     COMMAND_MODEL, AT(steps), .minimum = 1, .maximum = 1000000},
    {"emit-c", "FILE", NULL, "Models: write the C code generated from the model.", OPTION_TEXT,
     COMMAND_MODEL, AT(emit_c)},
    {"checkpoint", "DIR", NULL,
     "mazur-mpi: keep what is done in this directory, so that the search can go on with "
     "--resume after a rank was killed. For models all ranks must see it. Without --resume, "
     "what is there is replaced.",
     OPTION_TEXT, COMMAND_MPI_MODEL, AT(checkpoint)},
    {"checkpoint-every", "DURATION", "10m", "mazur-mpi model: time between two checkpoints.",
     OPTION_DURATION, COMMAND_MPI_MODEL, AT(checkpoint_every)},
    {"tier", "N", "0",
     "Models: compilers to use. 0: a quick one, then an optimising one; 1: only the quick one; "
     "2: only the optimising one.",
     OPTION_NUMBER, COMMAND_MODEL, AT(tier), .maximum = 2},
#define APPENDED(name, variable)
#define FORMAT(kind, name, title, trace, also)                                                 \
    {#name,                                                                                    \
     "FILE",                                                                                   \
     NULL,                                                                                     \
     "Write the result as " title "; - is stdout.",                                            \
     OPTION_TEXT,                                                                              \
     COMMAND_RESULTS | COMMAND_MERGE | (also),                                                 \
     AT(files[FORMAT_##kind])},
#include "report/files/formats.def"
#undef FORMAT
    {"format", "text"
#define FORMAT(kind, name, title, trace, also) "|" #name
#include "report/files/formats.def"
#undef FORMAT
#undef APPENDED
     ,
     "text", "Output format for a trace file.", OPTION_CHOICE, COMMAND_SHOW, AT(format)},
    {"output", "FILE", NULL,
     "Write the page to FILE; - is stdout. Default: beside the trace file.", OPTION_TEXT,
     COMMAND_VIEW, AT(output)},
    {"no-open", NULL, NULL, "Write the page but do not open it.", OPTION_FLAG, COMMAND_VIEW,
     AT(no_open)},
    {"trace-dir", "DIR", ".", "Directory for trace files.", OPTION_TEXT, COMMAND_RESULTS,
     AT(trace_dir)},
    {"no-trace", NULL, NULL, "Do not write trace files.", OPTION_FLAG, COMMAND_RESULTS,
     AT(no_trace)},
    {"times", "N", "1", "Replay N times.", OPTION_NUMBER, COMMAND_REPLAY, AT(times),
     .minimum = 1, .maximum = 1000000},
    {"batch", NULL, NULL,
     "Run without a prompt: go to the failure, show where every thread is, and exit with the "
     "code of the failure. With gdb arguments after --, do what they say instead.",
     OPTION_FLAG, COMMAND_DEBUG, AT(batch)},
    {"directory", "DIR", NULL,
     "Where the sources or the program of the trace are now. Default: where they are as seen "
     "from "
     "the trace file; else the current directory.",
     OPTION_TEXT, COMMAND_REPLAY | COMMAND_REGRESS | COMMAND_DEBUG, AT(directory)},
    {"gdb", "NAME", "gdb", "The gdb to use.", OPTION_TEXT, COMMAND_DEBUG, AT(gdb),
     .runs = true},
    {"full", NULL, NULL, "Show every event, not just a screenful.", OPTION_FLAG,
     COMMAND_REPORTS & ~COMMAND_REGRESS, AT(full)},
    {"color", "auto|always|never", "auto",
     "Use colours. auto: only on a terminal, and not if NO_COLOR is set.", OPTION_CHOICE,
     COMMAND_REPORTS & ~COMMAND_REGRESS, AT(color)},
    {"quiet", NULL, NULL, "Print only the verdict.", OPTION_FLAG, COMMAND_REPORTS, AT(quiet)},
    {"verbose", NULL, NULL,
     "Also print the commands that are run, and where time and memory went.", OPTION_FLAG,
     COMMAND_REPORTS | COMMAND_CC, AT(verbose)},
    {"help", NULL, NULL, "Show the options of a command.", OPTION_FLAG, ~0u, AT(help)},
};

const size_t option_count = sizeof option_table / sizeof *option_table;
