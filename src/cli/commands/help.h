/* --help and the manual page, from the option table. */
#ifndef MAZUR_CLI_HELP_H
#define MAZUR_CLI_HELP_H

#include <stdbool.h>
#include <stdio.h>

struct command {
    const char *name;
    const char *usage; /* what follows the name */
    const char *summary;
    const char *text; /* a paragraph or more, for help and manual */
    unsigned bit;     /* enum command_bit, 0: its options are not of the table */
    int (*main)(int argc, char **argv);
};

/* commands.c: every command, ended by a NULL name. */
extern const struct command *const command_table;

/* Help of one command on stdout; returns the exit code. */
int help_command(const char *name);
void help_overview(FILE *out);

/* completion.c: a completion script for "bash", "zsh" or "fish"; false: no such shell. */
bool completion_print(FILE *out, const char *shell);

#endif
