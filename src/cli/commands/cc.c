/* mazur cc, mazur c++: drop-in compilers.
 *
 * A command that only compiles, or only links, becomes one compiler command with our flags
 * first, so that the user's flags override them. A command that does both is split (build.h).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/build/build.h"
#include "cli/build/toolchain.h"
#include "cli/commands/commands.h"
#include "cli/options/options.h"
#include "host/exit_codes.h"
#include "host/say.h"
#include "host/temporary.h"
#include "host/terminal.h"

struct request {
    struct text_list words; /* the compiler's arguments, without ours */
    size_t sources;
    size_t objects; /* anything else to link */
    bool stage;     /* a stage flag: nothing is linked */
    bool linked_static;
};

static void survey_request(struct request *request)
{
    for (size_t i = 0; i < request->words.count; i++)
        switch (toolchain_classify(request->words.item[i])) {
        case WORD_SOURCE:
            request->sources++;
            break;
        case WORD_OBJECT:
            request->objects++;
            break;
        case WORD_STAGE:
            request->stage = true;
            break;
        case WORD_STATIC:
            request->linked_static = true;
            break;
        case WORD_LINK:
            request->objects += strncmp(request->words.item[i], "-l", 2) == 0;
            break;
        case WORD_FLAG_ARGUMENT:
        case WORD_LINK_ARGUMENT:
        case WORD_OUTPUT:
        case WORD_LANGUAGE:
            i++;
            break;
        default:
            break;
        }
}

/* Replace this process by the compiler: the user gets its exit status and output. */
static int exec_compiler(struct text_list *command, bool verbose)
{
    if (verbose) {
        char *text = list_command(command);
        complain("%s", text);
        free(text);
    }
    execvp(command->item[0], command->item);
    complain("cannot run %s: %s", command->item[0], strerror(errno));
    return EXIT_USAGE;
}

static int compile_and_link(const struct toolchain *toolchain, const struct request *request,
                            bool verbose)
{
    char *directory = temporary_make(temporary_parent(), "mazur-cc-");
    int status = EXIT_INTERNAL;
    if (directory) {
        struct build build = {.toolchain = toolchain,
                              .words = &request->words,
                              .directory = directory,
                              .verbose = verbose};
        status = build_split(&build, NULL);
        temporary_remove(directory);
    } else {
        complain("cannot make a directory for objects in %s: %s", temporary_parent(),
                 strerror(errno));
    }
    free(directory);
    return status;
}

static int single_command(const struct toolchain *toolchain, const struct request *request,
                          bool verbose)
{
    struct text_list command = {0};
    list_add(&command, toolchain->compiler);
    if (request->stage)
        toolchain_compile_flags(toolchain, &command);
    else if (request->objects && !list_has(&request->words, "-r"))
        toolchain_link_flags(toolchain, &command);
    for (size_t i = 0; i < request->words.count; i++)
        if (toolchain_classify(request->words.item[i]) != WORD_DROPPED)
            list_add(&command, request->words.item[i]);
    int status = exec_compiler(&command, verbose);
    list_release(&command);
    return status;
}

/* --compiler NAME is ours wherever it appears; every other word goes to the compiler. */
static bool read_words(int argc, char **argv, struct options *options, struct request *request)
{
    for (int i = 1; i < argc; i++) {
        const char *value = NULL;
        if (strncmp(argv[i], "--compiler=", 11) == 0) {
            value = argv[i] + 11;
        } else if (strcmp(argv[i], "--compiler") == 0) {
            if (++i == argc) {
                complain("--compiler needs an argument");
                return false;
            }
            value = argv[i];
        }
        if (!value)
            list_add(&request->words, argv[i]);
        else if (!options_set(options, "compiler", value, "--"))
            return false;
    }
    return true;
}

static int compile_request(struct request *request, const struct options *options,
                           bool cplusplus)
{
    struct toolchain toolchain;
    survey_request(request);
    if (request->linked_static && !request->stage) {
        complain("-static: Mazur's runtime is a shared library and cannot take control of a "
                 "statically linked program; link dynamically");
        return EXIT_USAGE;
    }
    options_say_configured(options, COMMAND_CC);
    if (!toolchain_find(&toolchain, options->compiler, cplusplus))
        return EXIT_USAGE;
    int status = request->sources && !request->stage
                     ? compile_and_link(&toolchain, request, options->verbose)
                     : single_command(&toolchain, request, options->verbose);
    toolchain_release(&toolchain);
    return status;
}

int cc_main(int argc, char **argv)
{
    struct options options;
    struct request request = {0};
    int status = EXIT_USAGE;
    if (options_defaults(&options) && read_words(argc, argv, &options, &request))
        status = compile_request(&request, &options, strcmp(argv[0], "c++") == 0);
    list_release(&request.words);
    options_release(&options);
    return status;
}
