/* mazur check: compile sources with instrumentation, then search. */
#include "cli/build/program.h"
#include "cli/commands/commands.h"
#include "cli/commands/help.h"
#include "cli/options/options.h"
#include "cli/search/search_program.h"
#include "cli/search/write_reports.h"
#include "host/exit_codes.h"

int check_main(int argc, char **argv)
{
    struct options options;
    struct text_list words = {0}, rest = {0};
    struct program program = {0};
    int status = EXIT_USAGE;
    if (options_defaults(&options) &&
        options_scan(&options, COMMAND_CHECK, SCAN_MIXED, argc, argv, &words, &rest)) {
        if (options.help)
            status = help_command("check");
        else if (options_validate(&options) && try_report_files(&options)) {
            options_say_configured(&options, COMMAND_CHECK);
            status = program_compile(&program, &words, options.compiler, options.verbose);
        }
        if (status == 0 && !options.help) {
            list_add(&program.arguments, program.name);
            list_copy(&program.arguments, &rest);
            status = search_program(&options, &program, false);
        }
    }
    program_release(&program);
    list_release(&words);
    list_release(&rest);
    options_release(&options);
    return status;
}
