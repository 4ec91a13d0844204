/* Shell completion from the command and option tables: one bash function, which zsh runs too
 * (bashcompinit), and the same facts as rules for fish, which shows the help beside each word.
 *
 * A script knows, per command, its options, the choices of those that have some, and the
 * kind of its words: trace files, models, or any file. */
#include <string.h>

#include "cli/commands/help.h"
#include "cli/options/option_table.h"
#include "cli/options/options.h"
#include "explore/search/strategies.h"

static void print_commands(FILE *out)
{
    fputs("    local commands=\"", out);
    for (const struct command *command = command_table; command->name; command++)
        fprintf(out, "%s%s", command == command_table ? "" : " ", command->name);
    fputs("\"\n", out);
}

static void print_options(FILE *out)
{
    fputs("    case $command in\n", out);
    for (const struct command *command = command_table; command->name; command++) {
        if (!command->bit)
            continue;
        fprintf(out, "    %s) options=\"", command->name);
        for (size_t i = 0; i < option_count; i++)
            if (option_table[i].commands & command->bit)
                fprintf(out, "--%s ", option_table[i].name);
        fputs("\" ;;\n", out);
    }
    fputs("    esac\n", out);
}

/* "report|explore|ignore" as words, without N, which stands for a number. */
static void print_choices(FILE *out, const char *argument)
{
    while (*argument) {
        size_t length = strcspn(argument, "|");
        if (!(length == 1 && *argument == 'N'))
            fprintf(out, "%.*s ", (int)length, argument);
        argument += length + (argument[length] == '|');
    }
}

static void print_values(FILE *out)
{
    fputs("    case $previous in\n    --strategy) values=\"", out);
    for (int i = 0; strategy_name(i); i++)
        fprintf(out, "%s ", strategy_name(i));
    fputs("\" ;;\n", out);
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        if (option->type != OPTION_CHOICE && option->type != OPTION_SET &&
            option->type != OPTION_BOUND)
            continue;
        fprintf(out, "    --%s) values=\"", option->name);
        print_choices(out, option->argument);
        fputs("\" ;;\n", out);
    }
    fputs("    esac\n", out);
}

static void print_bash(FILE *out, bool zsh)
{
    if (zsh)
        fputs("#compdef mazur\nautoload -U +X bashcompinit && bashcompinit\n", out);
    fputs("# Made by `mazur help --bash` or `mazur help --zsh`.\n"
          "_mazur_words()\n"
          "{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local command=${COMP_WORDS[1]} options= values=\n"
          "    # bash takes --races=x apart at the sign\n"
          "    if [ \"$word\" = \"=\" ]; then word=; fi\n"
          "    if [ \"$previous\" = \"=\" ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n",
          out);
    print_commands(out);
    fputs("    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
          "        COMPREPLY=($(compgen -W \"$commands\" -- \"$word\"))\n"
          "        return\n"
          "    fi\n",
          out);
    print_options(out);
    print_values(out);
    fputs("    if [ -n \"$values\" ]; then\n"
          "        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
          "    elif [ \"${word:0:1}\" = - ]; then\n"
          "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
          "    elif [ \"$command\" = help ]; then\n"
          "        COMPREPLY=($(compgen -W \"$commands strategies\" -- \"$word\"))\n"
          "    else\n"
          "        case $command in\n"
          "        show|view|replay|debug)\n"
          "            COMPREPLY=($(compgen -f -X '!*.mzt' -- \"$word\") $(compgen -d -- "
          "\"$word\")) ;;\n"
          "        model)\n"
          "            COMPREPLY=($(compgen -f -X '!*.p[rm]*' -- \"$word\") $(compgen -d -- "
          "\"$word\")) ;;\n"
          "        *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n"
          "        esac\n"
          "    fi\n"
          "}\n",
          out);
    /* zsh runs an installed file as the body of _mazur at the first completion */
    fputs(zsh ? "if [ \"${funcstack[1]}\" = _mazur ]; then\n"
                "    _bash_complete -o filenames -F _mazur_words\n"
                "else\n"
                "    complete -o filenames -F _mazur_words mazur\n"
                "fi\n"
              : "complete -o filenames -F _mazur_words mazur\n",
          out);
}

/* Text in single quotes for fish, up to the end of its first sentence. */
static void print_quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text && !(text[0] == '.' && (text[1] == ' ' || !text[1])); text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}

/* The commands that take an option, as fish asks for them. */
static void print_condition(FILE *out, const struct option *option)
{
    fputs("complete -c mazur -n '__fish_seen_subcommand_from", out);
    for (const struct command *command = command_table; command->name; command++)
        if (command->bit & option->commands)
            fprintf(out, " %s", command->name);
    fputs("'", out);
}

static void print_fish(FILE *out)
{
    fputs("# Made by `mazur help --fish`.\n"
          "complete -c mazur -n __fish_use_subcommand -f\n",
          out);
    for (const struct command *command = command_table; command->name; command++) {
        fprintf(out, "complete -c mazur -n __fish_use_subcommand -a %s -d ", command->name);
        print_quoted(out, command->summary);
        fputc('\n', out);
    }
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        print_condition(out, option);
        fprintf(out, " -l %s", option->name);
        if (strcmp(option->name, "strategy") == 0) {
            fputs(" -x -a '", out);
            for (int n = 0; strategy_name(n); n++)
                fprintf(out, "%s ", strategy_name(n));
            fputc('\'', out);
        } else if (option->type == OPTION_CHOICE || option->type == OPTION_SET ||
                   option->type == OPTION_BOUND) {
            fputs(" -x -a '", out);
            print_choices(out, option->argument);
            fputc('\'', out);
        } else if (option->argument) {
            fputs(" -r", out);
        }
        fputs(" -d ", out);
        print_quoted(out, option->help);
        fputc('\n', out);
    }
    fputs("complete -c mazur -n '__fish_seen_subcommand_from show view replay debug' -k -x "
          "-a '(__fish_complete_suffix .mzt)'\n"
          "complete -c mazur -n '__fish_seen_subcommand_from model' -k -x "
          "-a '(__fish_complete_suffix .pml)'\n"
          "complete -c mazur -n '__fish_seen_subcommand_from help' -f -a strategies\n",
          out);
}

bool completion_print(FILE *out, const char *shell)
{
    if (strcmp(shell, "bash") == 0 || strcmp(shell, "zsh") == 0)
        print_bash(out, strcmp(shell, "zsh") == 0);
    else if (strcmp(shell, "fish") == 0)
        print_fish(out);
    else
        return false;
    return true;
}
