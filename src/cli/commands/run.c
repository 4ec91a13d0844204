/* mazur run: search any dynamically linked program, rebuilt with `mazur cc` or not. */
#include "cli/build/program.h"
#include "cli/commands/commands.h"
#include "cli/commands/help.h"
#include "cli/options/options.h"
#include "cli/search/search_program.h"
#include "cli/search/write_reports.h"
#include "host/exit_codes.h"
#include "host/say.h"

int run_main(int argc, char **argv)
{
    struct options options;
    struct text_list words = {0}, rest = {0};
    struct program program = {0};
    int status = EXIT_USAGE;
    if (options_defaults(&options) &&
        options_scan(&options, COMMAND_RUN, SCAN_TO_PROGRAM, argc, argv, &words, &rest)) {
        if (options.help)
            status = help_command("run");
        else if (!rest.count)
            complain("no program given: mazur run PROGRAM [arguments]");
        else if (options_validate(&options) && try_report_files(&options))
            status = program_locate(&program, rest.item[0]);
        if (status == 0 && !options.help) {
            list_copy(&program.arguments, &rest);
            status = search_program(&options, &program, true);
        }
    }
    program_release(&program);
    list_release(&words);
    list_release(&rest);
    options_release(&options);
    return status;
}
