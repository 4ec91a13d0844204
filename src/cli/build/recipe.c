/* See recipe.h. */
#define _GNU_SOURCE
#include "cli/build/recipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/build/elfcheck.h"
#include "cli/build/toolchain.h"
#include "host/exit_codes.h"
#include "host/paths.h"
#include "host/say.h"
#include "host/terminal.h"
#include "report/text/text.h"
#include "trace/file/trace_sources.h"

static const char **copy_words(struct arena *arena, char *const *words, size_t count)
{
    const char **copy = arena_alloc(arena, count * sizeof *copy);
    for (size_t i = 0; i < count; i++)
        copy[i] = arena_text(arena, words[i]);
    return copy;
}

void program_recipe(const struct program *program, struct trace *trace)
{
    struct arena *arena = &trace->arena;
    struct recipe *recipe = &trace->recipe;
    char *here = program->directory ? copy_text(program->directory) : getcwd(NULL, 0);
    char *build_id = program_build_id(program->path);
    recipe->compiled = program->compiled;
    recipe->compiler = program->compiler ? arena_text(arena, program->compiler) : NULL;
    recipe->narguments = program->build.count;
    recipe->argument = copy_words(arena, program->build.item, program->build.count);
    recipe->program = arena_text(arena, program->path);
    recipe->nprogram_arguments = program->arguments.count ? program->arguments.count - 1 : 0;
    recipe->program_argument =
        copy_words(arena, program->arguments.item + 1, recipe->nprogram_arguments);
    recipe->directory = arena_text(arena, here ? here : ".");
    recipe->build_id = build_id ? arena_text(arena, build_id) : NULL;
    free(build_id);
    free(here);
}

/* Compile in the directory where the recipe's relative paths are valid. */
static int compile_in(struct program *program, const struct trace *trace, bool verbose)
{
    const struct recipe *recipe = &trace->recipe;
    struct text_list words = {0};
    for (size_t i = 0; i < recipe->narguments; i++)
        list_add(&words, recipe->argument[i]);
    int here = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int status = EXIT_USAGE;
    if (here < 0 || chdir(recipe->directory) != 0)
        complain("cannot change to %s, where the trace was made: %s", recipe->directory,
                 strerror(errno));
    else
        status = program_compile(program, &words, recipe->compiler, verbose);
    if (here >= 0 && fchdir(here) != 0)
        status = EXIT_INTERNAL;
    if (here >= 0)
        close(here);
    list_release(&words);
    return status;
}

/* --- Where the program is --- */

/* Are the sources of the recipe, its program or its model in the directory? Otherwise `missing`
 * names the first that is not. */
static bool holds_program(const struct recipe *recipe, const char *directory,
                          const char **missing)
{
    size_t count = recipe->compiled ? recipe->narguments : 1;
    *missing = NULL;
    for (size_t i = 0; i < count && !*missing; i++) {
        const char *file = recipe->compiled ? recipe->argument[i] : recipe->program;
        bool input = !recipe->compiled || toolchain_classify(file) == WORD_SOURCE ||
                     toolchain_classify(file) == WORD_OBJECT;
        char *path = join_path(directory, file);
        if (input && access(path, F_OK) != 0)
            *missing = file;
        free(path);
    }
    return !*missing;
}

static void take_directory(struct trace *trace, const char *directory)
{
    char *full = realpath(directory, NULL);
    trace->recipe.directory = arena_text(&trace->arena, full ? full : directory);
    free(full);
}

int recipe_settle(struct trace *trace, const char *given, const char **how)
{
    struct recipe *recipe = &trace->recipe;
    const char *missing;
    const char *first = given ? given : recipe->directory;
    *how = given             ? "--directory"
           : recipe->travels ? "as seen from the trace"
                             : "where the trace was made";
    if (holds_program(recipe, first, &missing)) {
        take_directory(trace, first);
        return 0;
    }
    if (!given && holds_program(recipe, ".", &missing)) {
        *how = "the current directory";
        take_directory(trace, ".");
        return 0;
    }
    complain("cannot find %s of this trace in %s%s; --directory DIR says where it is now",
             missing, first, given ? "" : ", nor in the current directory");
    return EXIT_USAGE;
}

/* --- What has changed --- */

/* Is it the very program that was searched? */
static bool is_same_build(const struct program *program, const struct recipe *recipe)
{
    char *build_id = program->path ? program_build_id(program->path) : NULL;
    bool same = build_id && recipe->build_id && strcmp(build_id, recipe->build_id) == 0;
    free(build_id);
    return same;
}

void recipe_explain(const struct program *program, const struct trace *trace,
                    struct trace *again)
{
    const struct recipe *recipe = &trace->recipe;
    if (again->failure.kind != FAILURE_NONDETERMINISM ||
        trace->failure.kind == FAILURE_NONDETERMINISM || is_same_build(program, recipe))
        return;
    char *sentence = diverged_sentence(trace, again, trace_changed_source(trace));
    again->failure.kind = FAILURE_DIVERGED;
    again->failure.message = arena_text(&again->arena, sentence);
    free(sentence);
}

/* --- The program --- */

static void say_command(const struct program *program, const struct trace *trace,
                        const char *how)
{
    struct text_list words = {0};
    list_add(&words, "mazur");
    list_add(&words, trace->recipe.compiled ? "check" : "run");
    if (trace->recipe.compiled)
        for (size_t i = 0; i < trace->recipe.narguments; i++)
            list_add(&words, trace->recipe.argument[i]);
    else
        list_add(&words, program->path);
    if (trace->recipe.nprogram_arguments && trace->recipe.compiled)
        list_add(&words, "--");
    for (size_t i = 0; i < trace->recipe.nprogram_arguments; i++)
        list_add(&words, trace->recipe.program_argument[i]);
    char *command = list_command(&words);
    complain("in %s (%s): the program of `%s`", trace->recipe.directory, how, command);
    free(command);
    list_release(&words);
}

int program_from_trace(struct program *program, const struct trace *trace, const char *how,
                       bool verbose)
{
    const struct recipe *recipe = &trace->recipe;
    int status = 0;
    if (recipe->model) {
        complain("this is the run of a model; use mazur replay, show, view or regress");
        return EXIT_USAGE;
    }
    if (recipe->compiled) {
        status = compile_in(program, trace, verbose);
    } else {
        program->path = join_path(recipe->directory, recipe->program);
        program->name = copy_text(base_name(recipe->program));
    }
    if (status)
        return status;
    program->directory = copy_text(recipe->directory);
    list_add(&program->arguments, program->name);
    for (size_t i = 0; i < recipe->nprogram_arguments; i++)
        list_add(&program->arguments, recipe->program_argument[i]);
    if (how)
        say_command(program, trace, how);
    return program_verify(program, NULL);
}
