/* The one option table. A new option is a row here, a field in options.h, and nothing else. */
#include "cli/options/option_table.h"

#include "board/board.h"
#include "cli/options/options.h"
#include "explore/search/strategies.h"

#define AT(field) .offset = offsetof(struct options, field)
#define LARGE     INT64_C(1000000000000000)

const struct option option_table[] = {
    {"bound", "N|auto|none", "auto",
     "Search the executions with at most 0, 1, … N preemptions. auto: go on until every "
     "interleaving is covered or the time is up; none: no bound.",
     OPTION_BOUND, COMMAND_SEARCHES, AT(bound), .maximum = 1000000},
    {"bound", "N|auto|none", "none",
     "Models: only states that N preemptions can reach; auto: 0, 1, 2, … until a bound cut "
     "nothing off; none: every state, in one search.",
     OPTION_BOUND, COMMAND_MODEL, AT(model_bound), .maximum = 1000000},
    {"strategy", "NAME", "auto",
     "How to search; `mazur help strategies` lists the names. auto takes the best sound "
     "reduction; those that sample never claim coverage.",
     OPTION_TEXT, COMMAND_SEARCHES, AT(strategy)},
    {"time", "DURATION", "60s", "Search for so long (60, 90s, 5m, 1h); 0: no limit.",
     OPTION_DURATION, COMMAND_RESULTS, AT(time)},
    {"execs", "N", "0", "Stop after N executions; 0: no limit.", OPTION_NUMBER,
     COMMAND_SEARCHES, AT(execs), .maximum = LARGE},
    {"depth", "N", "0",
     "Step limit of one execution. Executions that reach it are cut, and the report says so. "
     "0: "
     "20000, or twice what the program needs when its threads take turns.",
     OPTION_NUMBER, COMMAND_SEARCHES, AT(depth), .minimum = 0, .maximum = BOARD_SCHEDULE},
    {"keep-going", NULL, NULL, "Go on after a failure and report all of them (up to 32).",
     OPTION_FLAG, COMMAND_RESULTS, AT(keep_going)},
    {"simplify", "N", "20000",
     "Spend up to N executions on the simplest form of a failure (fewest preemptions, "
     "switches, "
     "events) and on the point from which on nothing can save it; 0: show it as found.",
     OPTION_NUMBER, COMMAND_SEARCHES, AT(simplify), .maximum = LARGE},
    {"resume", NULL, NULL,
     "Go on with the search of this program that was stopped last, by Ctrl-C, --time or "
     "--execs, "
     "which then count from here.",
     OPTION_FLAG, COMMAND_SEARCHES, AT(resume)},
    {"require-complete", NULL, NULL,
     "Exit with 8 when nothing was found but not every interleaving was covered.", OPTION_FLAG,
     COMMAND_RESULTS, AT(require_complete)},
    {"races", "report|explore|ignore", "report",
     "What a data race is: a failure; a place to switch threads, so that every interleaving of "
     "the racy program is covered; or nothing.",
     OPTION_CHOICE, COMMAND_SEARCHES, AT(races)},
    {"timeouts", "idle|any", "idle",
     "When a timed wait may time out: only where nothing else can run, or anywhere.",
     OPTION_CHOICE, COMMAND_SEARCHES, AT(timeouts)},
    {"spurious-wakeups", NULL, NULL, "Let condition waits wake up without a signal.",
     OPTION_FLAG, COMMAND_SEARCHES, AT(spurious_wakeups)},
    {"leaks", NULL, NULL, "Heap blocks that are left at the end of an execution are failures.",
     OPTION_FLAG, COMMAND_SEARCHES, AT(leaks)},
    {"volatile-atomic", NULL, NULL, "Treat volatile accesses as relaxed atomic operations.",
     OPTION_FLAG, COMMAND_SEARCHES, AT(volatile_atomic)},
    {"volatile", "plain|atomic", "plain",
     "What a volatile access is: an ordinary one, or (atomic) the same as --volatile-atomic.",
     OPTION_CHOICE, COMMAND_SEARCHES, AT(volatile_kind)},
    {"store-buffers", NULL, NULL,
     "Executions are failures in which the store buffers of a CPU (TSO, as x86 has it) could "
     "make a difference, as far as atomics and synchronisation calls tell.",
     OPTION_FLAG, COMMAND_SEARCHES, AT(store_buffers)},
    {"isolate", "snapshot|fork", "snapshot",
     "Reset the program between executions by restoring its memory, or by a forked process "
     "for each (slower; for programs that change files or share memory).",
     OPTION_CHOICE, COMMAND_SEARCHES, AT(isolate)},
    {"scratch", "DIR", NULL,
     "Run every execution in a fresh directory made inside DIR, so that the files it writes "
     "there are undone; implies --isolate=fork.",
     OPTION_TEXT, COMMAND_SEARCHES, AT(scratch)},
    {"hang", "DURATION", "5s",
     "A thread that makes no visible operation for so long, in processor time, hangs; 0: wait "
     "for ever.",
     OPTION_DURATION, COMMAND_EXECUTES, AT(hang)},
    {"fair", "N", "-1", "Fair bound: how far yields may get out of step.", OPTION_NUMBER,
     COMMAND_SEARCHES, AT(fair), .minimum = -1, .maximum = 1000000,
     .taken_by = STRATEGY_TAKES_FAIR},
    {"delay", "N", "-1", "Delay bound; -1: 0, 1, 2, …", OPTION_NUMBER, COMMAND_SEARCHES,
     AT(delay), .minimum = -1, .maximum = 1000000, .taken_by = STRATEGY_DELAYS},
    {"csb", "N", "0", "Context-switch bound inside one phase.", OPTION_NUMBER, COMMAND_SEARCHES,
     AT(csb), .maximum = 1000000, .taken_by = STRATEGY_TAKES_CSB},
    {"cache-states", NULL, NULL,
     "Skip program states that were seen before, where they can be told apart.", OPTION_FLAG,
     COMMAND_SEARCHES, AT(cache_states), .taken_by = STRATEGY_TAKES_CACHE},
    {"pct-depth", "N", "3", "Depth of the bugs that are aimed at.", OPTION_NUMBER,
     COMMAND_SEARCHES, AT(pct_depth), .minimum = 1, .maximum = 1000,
     .taken_by = STRATEGY_TAKES_PCT_DEPTH},
    {"seed", "N", "1", "Seed of the samples.", OPTION_NUMBER, COMMAND_SEARCHES, AT(seed),
     .maximum = INT64_MAX, .taken_by = STRATEGY_TAKES_SEED},
    {"jobs", "N", "1", "Models: threads that search together (programs: only 1 so far).",
     OPTION_NUMBER, COMMAND_RESULTS, AT(jobs), .minimum = 1, .maximum = 1024},
    {"count-traces", NULL, NULL, "Say how many traces there are within each bound, exactly.",
     OPTION_FLAG, COMMAND_SEARCHES, AT(count_traces), .taken_by = STRATEGY_COUNTS},
    {"preempt-only", "FUNC|FILE|VAR", NULL,
     "Preempt threads only in this function (and what it calls), in code of this file, or at "
     "operations on this variable. May be given several times.",
     OPTION_LIST, COMMAND_SEARCHES, AT(preempt_only)},
    {"no-preempt", "FUNC|FILE|VAR", NULL,
     "Never preempt a thread there. May be given several times.", OPTION_LIST, COMMAND_SEARCHES,
     AT(no_preempt)},
    {"visible", "FUNCTION", NULL,
     "Make every access to memory of this function an operation, also in assembly and in code "
     "that is not instrumented. A library (libgomp.so.1) or a source file stands for all its "
     "functions. May be given several times.",
     OPTION_LIST, COMMAND_SEARCHES, AT(visible)},
    {"compiler", "NAME", NULL,
     "C compiler behind check, cc and c++ (gcc or clang, any path); also MAZUR_CC, MAZUR_CXX.",
     OPTION_TEXT, COMMAND_CHECK | COMMAND_CC, AT(compiler), .runs = true},
    {"ltl", "NAME", NULL, "Models: check this formula or never claim, nothing else.",
     OPTION_TEXT, COMMAND_MODEL, AT(ltl)},
    {"no-claim", NULL, NULL, "Models: leave formulas and never claims out.", OPTION_FLAG,
     COMMAND_MODEL, AT(no_claim)},
    {"acceptance", NULL, NULL, "Models: look for cycles through an accept label.", OPTION_FLAG,
     COMMAND_MODEL, AT(acceptance)},
    {"progress", NULL, NULL, "Models: look for cycles without a progress label.", OPTION_FLAG,
     COMMAND_MODEL, AT(progress)},
    {"fair", NULL, NULL,
     "Models: only cycles in which every process that could always move does move.",
     OPTION_FLAG, COMMAND_MODEL, AT(weak_fairness)},
    {"shorten", NULL, NULL,
     "Models: search as long as it takes for the failure with the fewest preemptions, then "
     "the fewest switches, then the fewest steps.",
     OPTION_FLAG, COMMAND_MODEL, AT(shorten)},
    {"por", "off|on|auto", "auto",
     "Models: partial-order reduction; auto: where it applies and no bound is given.",
     OPTION_CHOICE, COMMAND_MODEL, AT(por)},
    {"optimize", "off|on", "on",
     "Models: run local steps together and forget dead variables; off: the states of the "
     "plain semantics, one by one.",
     OPTION_CHOICE, COMMAND_MODEL, AT(optimize)},
    {"store", "exact|compact|bitstate", "exact",
     "Models: how visited states are kept: whole, as 64 bits each, or as three bits each in "
     "an array. The last two may miss states, and say how many.",
     OPTION_CHOICE, COMMAND_MODEL, AT(store)},
    {"search", "dfs|bfs|fewest", "dfs",
     "Models: depth first, breadth first, or by preemptions and then length.", OPTION_CHOICE,
     COMMAND_MODEL, AT(search)},
    {"memory", "SIZE", NULL,
     "Models: memory for states, as 4G; a search that needs more ends and says so. Else three "
     "quarters of the machine's, or of the control group's, and what is available.",
     OPTION_SIZE, COMMAND_MODEL, AT(memory)},
    {"trail", "FILE", NULL,
     "Models: write the failure as a trail that `spin -t` follows. (A trail of Spin given "
     "after "
     "the model is followed instead of a search.)",
     OPTION_TEXT, COMMAND_MODEL, AT(trail)},
    {"emit-c", "FILE", NULL, "Models: write the C that the model becomes.", OPTION_TEXT,
     COMMAND_MODEL, AT(emit_c)},
    {"tier", "N", "0",
     "Models: compilers to use: 0 a quick one, then an optimising one; 1 only the quick one; 2 "
     "only the optimising one.",
     OPTION_NUMBER, COMMAND_MODEL, AT(tier), .maximum = 2},
#define APPENDED(name, variable)
#define FORMAT(kind, name, title, trace, also)                                                 \
    {#name, "FILE", NULL, "Write the result as " title "; - is stdout.", OPTION_TEXT,           \
     COMMAND_RESULTS | (also), AT(files[FORMAT_##kind])},
#include "report/files/formats.def"
#undef FORMAT
    {"format",
     "text"
#define FORMAT(kind, name, title, trace, also) "|" #name
#include "report/files/formats.def"
#undef FORMAT
#undef APPENDED
     ,
     "text", "What to print a trace file as.", OPTION_CHOICE, COMMAND_SHOW, AT(format)},
    {"output", "FILE", NULL, "Where the page goes; - is stdout. Else beside the trace file.",
     OPTION_TEXT, COMMAND_VIEW, AT(output)},
    {"no-open", NULL, NULL, "Write the page, but do not open it.", OPTION_FLAG, COMMAND_VIEW,
     AT(no_open)},
    {"trace-dir", "DIR", ".", "Where trace files go.", OPTION_TEXT, COMMAND_RESULTS,
     AT(trace_dir)},
    {"no-trace", NULL, NULL, "Write no trace files.", OPTION_FLAG, COMMAND_RESULTS,
     AT(no_trace)},
    {"times", "N", "1", "Replay so many times.", OPTION_NUMBER, COMMAND_REPLAY, AT(times),
     .minimum = 1, .maximum = 1000000},
    {"batch", NULL, NULL,
     "Ask nothing: run to the failure, show where every thread stands, and exit with the code "
     "of the failure. With gdb arguments after --, do what they say instead.",
     OPTION_FLAG, COMMAND_DEBUG, AT(batch)},
    {"gdb", "NAME", "gdb", "The gdb to use.", OPTION_TEXT, COMMAND_DEBUG, AT(gdb),
     .runs = true},
    {"full", NULL, NULL, "Show every event instead of a screenful.", OPTION_FLAG,
     COMMAND_REPORTS & ~COMMAND_REGRESS, AT(full)},
    {"color", "auto|always|never", "auto",
     "Colours; auto: only on a terminal, and not when NO_COLOR is set.", OPTION_CHOICE,
     COMMAND_REPORTS & ~COMMAND_REGRESS, AT(color)},
    {"quiet", NULL, NULL, "Only the verdict.", OPTION_FLAG, COMMAND_REPORTS, AT(quiet)},
    {"verbose", NULL, NULL, "Also say what is run, and where time and memory went.",
     OPTION_FLAG, COMMAND_REPORTS | COMMAND_CC, AT(verbose)},
    {"help", NULL, NULL, "Show the options of a command.", OPTION_FLAG, ~0u, AT(help)},
};

const size_t option_count = sizeof option_table / sizeof *option_table;
