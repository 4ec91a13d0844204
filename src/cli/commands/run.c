/* mazur run: search any dynamically linked program, rebuilt with `mazur cc` or not. */
#include <stdlib.h>
#include <string.h>

#include "cli/build/elfcheck.h"
#include "cli/options/commands.h"
#include "cli/options/help.h"
#include "cli/options/options.h"
#include "cli/session/program.h"
#include "host/say.h"

int program_locate(struct program *program, const char *name)
{
    char *found = program_find(name);
    if (!found) {
        complain("there is no program '%s' on the PATH (a file here is ./%s)", name, name);
        return EXIT_USAGE;
    }
    program->path = realpath(found, NULL);
    if (!program->path)
        program->path = copy_text(found);
    const char *slash = strrchr(found, '/');
    program->name = copy_text(slash ? slash + 1 : found);
    free(found);
    return 0;
}

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
        else if (options_validate(&options))
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
