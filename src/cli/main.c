/* The command: one table of subcommands, and dispatch. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/say.h"
#include "cli/toolchain.h"

/* Parts of their own, linked in where they exist. */
extern int model_main(int argc, char **argv) __attribute__((weak));
extern int selftest_main(int argc, char **argv) __attribute__((weak));

static const struct command commands[] = {
    {"check", "[options] FILE.c … [compiler flags] [-- arguments]",
     "compile with instrumentation and search",
     "Compiles C and C++ sources with instrumentation (-O1 -g unless told otherwise) and "
     "searches the program's interleavings. -I, -D, -l and other compiler flags go to the "
     "compiler; what follows -- goes to the program.",
     COMMAND_CHECK, check_main},
    {"run", "[options] PROGRAM [arguments]", "search a program as it is",
     "Searches any dynamically linked program. One that was not built with mazur cc shows its "
     "synchronisation calls only: no atomics, no data races. A program that starts no thread "
     "runs as if Mazur were not there, with its own output and exit status.",
     COMMAND_RUN, run_main},
    {"cc", "[--compiler NAME] compiler arguments", "the C compiler, with instrumentation",
     "A drop-in C compiler: objects are compiled with instrumentation, programs are linked "
     "with "
     "Mazur's runtime. A program built this way runs normally outside Mazur.",
     COMMAND_CC, cc_main},
    {"c++", "[--compiler NAME] compiler arguments", "the same for C++",
     "A drop-in C++ compiler; see mazur cc.", COMMAND_CC, cc_main},
    {"replay", "[options] FILE.mzt", "run a failing execution again",
     "Runs the execution of a trace file once more, with the program's output shown, and says "
     "whether it failed in the same way. A program of mazur check is compiled again first if "
     "its sources changed. Exits with the code of the failure.",
     COMMAND_REPLAY, replay_main},
    {"show", "[options] FILE.mzt", "show a trace file",
     "Prints the report of a trace file without running anything.", COMMAND_SHOW, show_main},
    {"regress", "[options] DIRECTORY|FILE.mzt …", "replay saved traces: still failing?",
     "Replays every trace file given or found in the directories, each in a fresh process, and "
     "says whether it still fails, is fixed, or took another way. Exits with 0 only when none "
     "still fails.",
     COMMAND_REGRESS, regress_main},
    {"model", "FILE.pml [options]", "check a Promela model",
     "Checks a Promela model; mazur model --help shows its own options.", 0, NULL},
    {"selftest", "", "check Mazur's search against brute force",
     "Runs every strategy on random synthetic programs and compares with an oracle that "
     "enumerates all interleavings.",
     0, NULL},
    {"help", "[COMMAND|strategies|--man]", "this text, or a command's", "Prints help.", 0,
     help_main},
    {NULL, NULL, NULL, NULL, 0, NULL},
};

const struct command *const command_table = commands;

/* A closed stdin, stdout or stderr would be given to the next file that is opened. */
static void open_standard_files(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", O_RDWR) != descriptor)
            _exit(EXIT_INTERNAL);
}

static int part_main(const char *name, int (*part)(int, char **), int argc, char **argv)
{
    if (part)
        return part(argc, argv);
    complain("%s is not available in this build", name);
    return EXIT_USAGE;
}

static int unknown_command(const char *name)
{
    const char *names[sizeof commands / sizeof *commands];
    size_t count = 0;
    for (const struct command *command = commands; command->name; command++)
        names[count++] = command->name;
    names[count] = NULL;
    const char *nearest = nearest_text(name, names);
    if (name[0] != '-' && toolchain_classify(name) == WORD_SOURCE)
        complain("there is no command '%s'; did you mean `mazur check %s`?", name, name);
    else if (nearest)
        complain("there is no command '%s'; the nearest is %s", name, nearest);
    else
        complain("there is no command '%s'; `mazur help` lists them", name);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    open_standard_files();
    if (argc < 2) {
        help_overview(stderr);
        return EXIT_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0) {
        puts("mazur " MAZUR_VERSION);
        return 0;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help_main(1, argv);
    if (strcmp(name, "model") == 0)
        return part_main(name, model_main, argc - 1, argv + 1);
    if (strcmp(name, "selftest") == 0)
        return part_main(name, selftest_main, argc - 1, argv + 1);
    for (const struct command *command = commands; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command->main(argc - 1, argv + 1);
    return unknown_command(name);
}
