/* See help.h. */
#include "cli/commands/help.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands/commands.h"
#include "cli/options/option_table.h"
#include "cli/options/options.h"
#include "explore/search/strategies.h"
#include "host/buffer.h"
#include "host/exit_codes.h"
#include "host/say.h"

/* Print words from column `indent` to 90, starting at `column`. */
static void print_wrapped(FILE *out, const char *text, size_t indent, size_t column)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        size_t width = display_width(text, length);
        if (column + width > 90) {
            fprintf(out, "\n%*s", (int)indent, "");
            column = indent;
        }
        fprintf(out, "%.*s", (int)length, text);
        column += width + 1;
        text += length;
        if (*text) {
            text++;
            if (column <= 90)
                fputc(' ', out);
        }
    }
    fputc('\n', out);
}

/* What the option does, and which strategies accept it; malloc'd. */
static char *help_text(const struct option *option)
{
    char takers[256];
    if (!option->taken_by)
        return copy_text(option->help);
    strategy_names(option->taken_by, takers, sizeof takers);
    return format_text("%s (Only with --strategy %s.)", option->help, takers);
}

void options_print_help(FILE *out, unsigned command)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        if (!(option->commands & command))
            continue;
        int width = fprintf(out, "  --%s%s%s", option->name, option->argument ? " " : "",
                            option->argument ? option->argument : "");
        if (width < 28)
            fprintf(out, "%*s", 28 - width, "");
        else
            fprintf(out, "\n%28s", "");
        struct buffer text = {0};
        char *help = help_text(option);
        buffer_text(&text, help);
        free(help);
        if (option->initial && strcmp(option->initial, "-1") != 0)
            buffer_printf(&text, " [%s]", option->initial);
        print_wrapped(out, text.data, 28, 28);
        buffer_release(&text);
    }
}

void help_overview(FILE *out)
{
    fputs("Mazur runs a C or C++ program through its thread interleavings, simplest first.\n\n",
          out);
    for (const struct command *command = command_table; command->name; command++)
        fprintf(out, "  mazur %-8s %-34s %s\n", command->name, command->usage,
                command->summary);
    fputs("\n`mazur COMMAND --help` shows the options of a command, `man mazur` everything.\n",
          out);
}

int help_command(const char *name)
{
    for (const struct command *command = command_table; command->name; command++)
        if (strcmp(command->name, name) == 0) {
            printf("Usage: mazur %s %s\n\n", command->name, command->usage);
            print_wrapped(stdout, command->text, 0, 0);
            if (command->bit && command->bit != COMMAND_CC) {
                puts("\nOptions (also MAZUR_NAME in the environment, name = value in .mazur):");
                options_print_help(stdout, command->bit);
            }
            return 0;
        }
    complain("there is no command '%s'", name);
    return EXIT_USAGE;
}

/* --- The manual page --- */

/* Prints words as roff, in ASCII: backslashes and hyphens have a special meaning. */
static void print_words(FILE *out, const char *text)
{
    static const char ellipsis[] = "…";
    for (; *text; text++) {
        if (*text == '\\') {
            fputs("\\e", out);
        } else if (*text == '-') {
            fputs("\\-", out);
        } else if (strncmp(text, ellipsis, sizeof ellipsis - 1) == 0) {
            fputs("...", out);
            text += sizeof ellipsis - 2;
        } else {
            fputc(*text, out);
        }
    }
}

/* Prints a paragraph: a leading dot or quote has a special meaning, too. */
static void print_roff(FILE *out, const char *text)
{
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    print_words(out, text);
    fputc('\n', out);
}

static void man_commands(FILE *out)
{
    fputs(".SH COMMANDS\n", out);
    for (const struct command *command = command_table; command->name; command++) {
        fprintf(out, ".TP\n.B mazur %s \\fR", command->name);
        print_roff(out, command->usage);
        print_roff(out, command->text);
    }
}

static void man_option_commands(FILE *out, unsigned bits)
{
    const char *separator = "";
    fputs("(", out);
    for (const struct command *command = command_table; command->name; command++)
        if ((command->bit & bits) && strcmp(command->name, "c++") != 0) {
            fprintf(out, "%s%s", separator, command->name);
            separator = ", ";
        }
    fputs(")\n", out);
}

static void options_print_man(FILE *out)
{
    fputs(
        ".SH OPTIONS\nEvery option can also be set in the environment, as\n.B MAZUR_NAME\n"
        "(MAZUR_KEEP_GOING=yes), and in a file\n.B .mazur\nin the current directory, as lines\n"
        ".I name = value\nwith # for comments. The command line overrides the environment, and "
        "the "
        "environment overrides the file.\n",
        out);
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        fputs(".TP\n.B \\-\\-", out);
        print_words(out, option->name);
        fprintf(out, option->argument ? " \\fI%s\\fR\n" : "\n", option->argument);
        char *help = help_text(option);
        print_roff(out, help);
        free(help);
        if (option->initial && strcmp(option->initial, "-1") != 0)
            fprintf(out, "Default: %s.\n", option->initial);
        man_option_commands(out, option->commands);
    }
}

static void man_exit_codes(FILE *out)
{
    static const struct {
        int number;
        const char *meaning;
    } codes[] = {
#define EXIT_CODE(name, number, meaning) {number, meaning},
#include "host/exit_codes.def"
#undef EXIT_CODE
    };
    fputs(".SH EXIT STATUS\n", out);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        fprintf(out, ".TP\n%d\n", codes[i].number);
        print_roff(out, codes[i].meaning);
    }
    fputs(".PP\n", out);
    print_roff(out,
               "A program that starts no thread keeps its own exit status under `mazur run`.");
}

static void print_man(FILE *out)
{
    fprintf(out,
            ".\\\" Made by `mazur help --man`; do not edit.\n"
            ".TH MAZUR 1 2026-11-17 \"Mazur %s\" \"User Commands\"\n.SH NAME\nmazur \\- run a "
            "concurrent program through its thread interleavings\n.SH SYNOPSIS\n",
            MAZUR_VERSION);
    for (const struct command *command = command_table; command->name; command++) {
        fprintf(out, ".B mazur %s\n.RI \"", command->name);
        print_words(out, command->usage);
        fputs(command[1].name ? "\"\n.br\n" : "\"\n", out);
    }
    fputs(".SH DESCRIPTION\nMazur takes control of every thread of a C or C++ program, runs it "
          "through its interleavings in order of how few preemptions they need, and shows the "
          "simplest one that breaks it, or says exactly what has been proven. What it proves "
          "holds for this program on this input under sequential consistency.\n",
          out);
    man_commands(out);
    options_print_man(out);
    man_exit_codes(out);
    fputs(".SH FILES\n.TP\n.I NAME.mzt\nA failing execution as JSON, written by check, run and "
          "model, read by replay, debug, show, view and regress.\n.TP\n.I .mazur\nOptions for "
          "this directory.\n.TP\n"
          ".I ~/.cache/mazur\nPrograms compiled by check, and stopped searches. It is safe to "
          "delete.\n"
          ".SH ENVIRONMENT\n.TP\n.B MAZUR_CC, MAZUR_CXX\nThe compilers to use. Default: CC and "
          "CXX, "
          "then gcc and g++, then clang.\n.TP\n.B NO_COLOR\nNo colours.\n"
          ".SH SEE ALSO\n.BR mazur.h (3),\n.BR gdb (1),\n.BR spin (1)\n",
          out);
}

static int print_strategies(void)
{
    for (int i = 0; strategy_name(i); i++)
        printf("%-10s  %s\n", strategy_name(i), strategy_help(i));
    return 0;
}

int help_main(int argc, char **argv)
{
    if (argc < 2) {
        help_overview(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--man") == 0) {
        print_man(stdout);
        return 0;
    }
    if (strncmp(argv[1], "--", 2) == 0 && completion_print(stdout, argv[1] + 2))
        return 0;
    if (strcmp(argv[1], "strategies") == 0)
        return print_strategies();
    return help_command(argv[1]);
}
