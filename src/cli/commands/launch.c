/* Between gdb and the program: what gdb runs in place of the program, as its exec-wrapper.
 *
 *     mazur debug ── gdb ── sh ── mazur debug --launch … ── program with libmazur.so
 *          ▲                               │
 *          └──────── "a fresh board" ──────┘
 *
 * gdb starts the program again at each `run`, also to go back, and each time the program needs
 * a fresh board, which the first mazur process provides. The shell and gdb never see the
 * preloaded library, and the program gets the same arguments and environment as under `mazur
 * replay` (LINES and COLUMNS, which gdb adds, are removed). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands/debug.h"
#include "cli/watch/supervise.h"
#include "host/exit_codes.h"
#include "host/say.h"

/* The program must not read the debugger's input, which is the user's commands. `run <file`
 * gives it another one. */
static void keep_input_apart(void)
{
    char path[40];
    struct stat ours, theirs;
    snprintf(path, sizeof path, "/proc/%d/fd/0", (int)getppid());
    if (fstat(STDIN_FILENO, &ours) == 0 && stat(path, &theirs) == 0 &&
        (ours.st_dev != theirs.st_dev || ours.st_ino != theirs.st_ino))
        return;
    supervise_empty_input();
}

/* Ask for a fresh board, and wait until it is there. */
static bool ask_for_board(int wire)
{
    char byte = LAUNCH_REQUEST;
    ssize_t got;
    if (write(wire, &byte, 1) != 1)
        return false;
    while ((got = read(wire, &byte, 1)) < 0 && errno == EINTR)
        ;
    return got == 1 && byte == LAUNCH_REQUEST;
}

static void clean_environment(void)
{
    const char *shell = getenv(LAUNCH_SHELL);
    if (shell && *shell)
        setenv("SHELL", shell, 1);
    else
        unsetenv("SHELL");
    unsetenv(LAUNCH_SHELL);
    unsetenv("LINES");
    unsetenv("COLUMNS");
}

int launch_main(int argc, char **argv)
{
    if (argc <= LAUNCH_PROGRAM) {
        complain("only mazur debug starts this");
        return EXIT_USAGE;
    }
    int wire = atoi(argv[LAUNCH_WIRE]);
    if (!ask_for_board(wire)) {
        complain("the mazur debug that started gdb is gone");
        return EXIT_INTERNAL;
    }
    close(wire);
    clean_environment();
    if (setenv("MAZUR_BOARD", argv[LAUNCH_BOARD], 1) != 0 ||
        setenv("MAZUR_POOL", argv[LAUNCH_POOL], 1) != 0 ||
        (*argv[LAUNCH_DIRECTORY] && chdir(argv[LAUNCH_DIRECTORY]) != 0)) {
        complain("cannot change to %s: %s", argv[LAUNCH_DIRECTORY], strerror(errno));
        return EXIT_USAGE;
    }
    keep_input_apart();
    int before = personality(0xffffffff);
    if (before != -1)
        personality((unsigned long)before | ADDR_NO_RANDOMIZE);
    supervise_preload(argv[LAUNCH_RUNTIME], argv[LAUNCH_PROGRAM]);
    const char *program = argv[LAUNCH_PROGRAM];
    argv[LAUNCH_PROGRAM] = argv[LAUNCH_NAME];
    execv(program, argv + LAUNCH_PROGRAM);
    complain("cannot start %s: %s", program, strerror(errno));
    return EXIT_USAGE;
}
