/* See program.h. */
#include "cli/build/program.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/build/elfcheck.h"
#include "cli/build/toolchain.h"
#include "host/exit_codes.h"
#include "host/paths.h"
#include "host/say.h"

/* Is the name not a program, but one from which we can tell what the user meant? */
static bool refuse_name(const char *name)
{
    struct stat status;
    if (stat(name, &status) != 0)
        return false;
    bool source = S_ISREG(status.st_mode) && toolchain_classify(name) == WORD_SOURCE;
    if (source)
        complain("%s is a source file; did you mean `mazur check %s`?", name, name);
    else if (S_ISDIR(status.st_mode) && strchr(name, '/'))
        complain("%s is a directory, not a program", name);
    return source || (S_ISDIR(status.st_mode) && strchr(name, '/'));
}

int program_locate(struct program *program, const char *name)
{
    if (refuse_name(name))
        return EXIT_USAGE;
    char *found = find_on_path(name);
    if (!found) {
        complain("there is no program '%s' on the PATH (a file here is ./%s)", name, name);
        return EXIT_USAGE;
    }
    program->path = realpath(found, NULL);
    if (!program->path)
        program->path = copy_text(found);
    program->name = copy_text(base_name(found));
    free(found);
    return 0;
}

int program_verify(const struct program *program, char **why)
{
    char *reason;
    enum program_check check = program_check(program->path, &reason);
    if (check == PROGRAM_GOOD)
        return 0;
    bool sentence = islower((unsigned char)reason[0]);
    complain("%s%s %s", program->name, sentence ? "" : ":", reason);
    if (why)
        *why = copy_text(reason);
    free(reason);
    return check == PROGRAM_MISSING ? EXIT_USAGE : EXIT_INVALID;
}

void program_release(struct program *program)
{
    free(program->path);
    free(program->name);
    free(program->directory);
    free(program->compiler);
    list_release(&program->arguments);
    list_release(&program->build);
    *program = (struct program){0};
}
