/* The table of subcommands: dispatch, help and manual page all read it. */
#include "cli/commands/commands.h"

#include <stdio.h>

#include "cli/commands/help.h"
#include "cli/options/options.h"
#include "selftest/selftest.h"

static const struct command commands[] = {
    {"check", "[options] FILE.c … [compiler flags] [-- arguments]",
     "compile with instrumentation and search",
     "Compiles C and C++ sources with instrumentation (-O1 -g by default) and searches the "
     "interleavings of the program. -I, -D, -l and other compiler flags go to the compiler; "
     "everything after -- goes to the program.",
     COMMAND_CHECK, check_main},
    {"run", "[options] PROGRAM [arguments]", "search a program as it is",
     "Searches any dynamically linked program. Without mazur cc, Mazur sees only its "
     "synchronisation calls: no atomics, no data races. A program that starts no thread runs "
     "as if Mazur were not there, with its own output and exit status.",
     COMMAND_RUN, run_main},
    {"cc", "[--compiler NAME] compiler arguments", "the C compiler, with instrumentation",
     "A drop-in C compiler: it compiles objects with instrumentation and links programs with "
     "Mazur's runtime. A program built this way runs normally outside Mazur.",
     COMMAND_CC, cc_main},
    {"c++", "[--compiler NAME] compiler arguments", "the same for C++",
     "A drop-in C++ compiler; see mazur cc.", COMMAND_CC, cc_main},
    {"replay", "[options] FILE.mzt", "run a failing execution again",
     "Runs the execution of a trace file again, shows the output of the program, and says "
     "whether it failed in the same way. If mazur check made the program and its sources have "
     "changed, it is compiled again first. Exits with the code of the failure.",
     COMMAND_REPLAY, replay_main},
    {"debug", "[options] FILE.mzt [-- gdb arguments]", "the same under gdb",
     "Runs the execution of a trace file under gdb, with one OS thread for each thread of the "
     "program: info threads, bt and watchpoints work. It stops in main, at each preemption and "
     "at the failure. It adds commands to gdb: next-switch, prev-switch, mazur where, mazur "
     "events, mazur threads, mazur goto N, mazur stop-at N (help mazur lists them). Everything "
     "after -- goes to gdb.",
     COMMAND_DEBUG, debug_main},
    {"show", "[options] FILE.mzt", "show a trace file",
     "Prints the report of a trace file without running anything.", COMMAND_SHOW, show_main},
    {"view", "[options] FILE.mzt", "show a trace file as a web page",
     "Writes one self-contained HTML page with the interleaving, the sources and the failure, "
     "and opens it if there is a desktop. The page includes the source files that can be read.",
     COMMAND_VIEW, view_main},
    {"regress", "[options] DIRECTORY|FILE.mzt …", "replay saved traces: do they still fail?",
     "Replays every given trace file, and every one in the given directories, each in a fresh "
     "process, and says whether it still fails, is fixed, or can't be followed any more. Exits "
     "with 0 only if none still fails.",
     COMMAND_REGRESS, regress_main},
    {"merge", "[options] RESULT.json …", "add up the results of shards",
     "Reads the results (--json) of all shards of a search (--shard), and says what the whole "
     "search would have said, with the same exit code. They must be of the same program, "
     "options and division. If a shard is missing or was not finished, only those bounds "
     "are claimed that all have finished.",
     COMMAND_MERGE, merge_main},
    {"model", "[options] FILE.pml [FILE.trail] [-D NAME=VALUE]", "check a Promela model",
     "Checks a Promela model: assertions, invalid end states, never claims, ltl formulas, "
     "cycles. -D NAME=VALUE defines a macro. docs/promela.md describes the language and what a "
     "result proves.",
     COMMAND_MODEL, model_main},
    {"selftest", "", "check Mazur's search against brute force",
     "Runs every strategy on random synthetic programs and compares what it covers with an "
     "oracle that enumerates all interleavings.",
     0, selftest_main},
    {"help", "[COMMAND|strategies|--man|--bash|--zsh|--fish]",
     "show this text or the help of a command",
     "Prints help. --man prints the manual page; --bash, --zsh and --fish print the completion "
     "script "
     "for that shell.",
     0, help_main},
    {NULL, NULL, NULL, NULL, 0, NULL},
};

const struct command *const command_table = commands;
