/* The command: dispatch to its subcommands (commands.c). */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/build/toolchain.h"
#include "cli/commands/commands.h"
#include "cli/commands/help.h"
#include "host/exit_codes.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "host/terminal.h"

#define COMMANDS_MAX 32

/* The next file opened would get the number of a closed stdin, stdout or stderr. What takes the
 * place of stdout can't be written to, so that output which is lost is noticed. */
static void open_standard_files(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++) {
        int how = descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR;
        if (fcntl(descriptor, F_GETFD) < 0 && open("/dev/null", how) != descriptor)
            _exit(EXIT_INTERNAL);
    }
}

static int unknown_command(const char *name)
{
    const char *names[COMMANDS_MAX + 1] = {0};
    size_t count = 0;
    for (const struct command *command = command_table; command->name && count < COMMANDS_MAX;
         command++)
        names[count++] = command->name;
    const char *nearest = nearest_text(name, names);
    if (name[0] != '-' && toolchain_classify(name) == WORD_SOURCE)
        complain("there is no command '%s'; did you mean `mazur check %s`?", name, name);
    else if (strchr(name, '/') && access(name, X_OK) == 0)
        complain("there is no command '%s'; did you mean `mazur run %s`?", name, name);
    else if (nearest)
        complain("there is no command '%s'; the nearest is %s", name, nearest);
    else
        complain("there is no command '%s'; `mazur help` lists them", name);
    return EXIT_USAGE;
}

/* Make sure that the output was written: a report that nobody can read is not a result. */
static int check_output(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    complain("cannot write to stdout: %s",
             strerror(terminal_error() ? terminal_error() : errno));
    return code ? code : EXIT_INTERNAL;
}

static int run_command(int argc, char **argv)
{
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
    for (const struct command *command = command_table; command->name; command++)
        if (strcmp(command->name, name) == 0)
            return command->main(argc - 1, argv + 1);
    return unknown_command(name);
}

int main(int argc, char **argv)
{
    open_standard_files();
    if (!limits_open())
        return EXIT_INTERNAL;
    toolchain_folder();
    return check_output(run_command(argc, argv));
}
