/* Compile sources with instrumentation, for `mazur check`.
 *
 * Programs are kept in a private cache under a name made of everything that goes into them: the
 * preprocessed text of each source (so a changed header counts), the compiler's command lines
 * and version, the directory. The name does not cover the contents of libraries (-l, -Wl);
 * programs that use them are compiled every time, and kept under a hash of the result. */
#define _GNU_SOURCE
#define XXH_INLINE_ALL
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "cli/build/build.h"
#include "cli/build/elfcheck.h"
#include "cli/build/program.h"
#include "host/exit_codes.h"
#include "host/files.h"
#include "host/paths.h"
#include "host/process_limits.h"
#include "host/say.h"
#include "host/temporary.h"

struct compilation {
    struct text_list words; /* with our defaults in front */
    struct toolchain link;
    struct toolchain for_c;
    bool both;          /* C and C++ sources: two compilers */
    const char *first;  /* first source */
    bool opaque_inputs; /* libraries that the key does not cover */
    bool by_language;   /* -x: names of sources do not decide */
    bool verbose;
};

static bool refuse_word(const char *word, enum word_kind kind)
{
    switch (kind) {
    case WORD_OUTPUT:
    case WORD_OUTPUT_JOINED:
        complain(
            "%s: check does not leave a program behind; `mazur cc` builds one for you to keep",
            word);
        return true;
    case WORD_STAGE:
        complain("%s: check compiles, links and runs; use `mazur cc %s` instead", word, word);
        return true;
    case WORD_STATIC:
        complain("%s: Mazur's runtime is a shared library and cannot take control of a "
                 "statically linked program",
                 word);
        return true;
    default:
        return false;
    }
}

static bool readable_file(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0 || access(path, R_OK) != 0) {
        complain("cannot read %s: %s", path, strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        complain("%s is a directory", path);
        return false;
    }
    return true;
}

/* Without a source there is nothing to instrument. Guess what the user meant. */
static void say_no_source(const char *input)
{
    char *reason = NULL;
    if (!input) {
        complain("no source file given: mazur check FILE.c … [-- program arguments]");
        return;
    }
    if (program_check(input, &reason) == PROGRAM_GOOD)
        complain("%s is a program, not a source file; did you mean `mazur run %s%s`?", input,
                 strchr(input, '/') ? "" : "./", input);
    else
        complain(
            "%s is not a C or C++ source; mazur check needs at least one: mazur check FILE.c … "
            "(for objects of your own build see mazur cc)",
            input);
    free(reason);
}

/* A line that only C++ has: a header without suffix, a namespace, a class, a template. */
static bool is_cplusplus_line(const char *line)
{
    static const char *const openings[] = {"using namespace ", "namespace ", "class ",
                                           "template", NULL};
    char header[64], end;
    line += strspn(line, " \t");
    if (sscanf(line, "# include <%63[^>\n]%c", header, &end) == 2 && end == '>')
        return !strchr(header, '.');
    for (const char *const *each = openings; *each; each++)
        if (begins_with(line, *each))
            return true;
    return strstr(line, "std::") != NULL;
}

/* A C source that does not compile, and the first of its lines that is C++: perhaps only its
 * name is wrong. */
static bool say_cplusplus(const char *source)
{
    FILE *file = fopen(source, "r");
    char line[512];
    bool found = false;
    for (int number = 1; file && !found && fgets(line, sizeof line, file); number++) {
        found = is_cplusplus_line(line);
        line[strcspn(line, "\n")] = 0;
        if (found)
            complain(
                "%s does not compile as C; it looks like C++ (line %d: %s): call it .cpp, or "
                "add -x c++ before it; nothing was run",
                source, number, line + strspn(line, " \t"));
    }
    if (file)
        fclose(file);
    return found;
}

static bool say_misnamed_source(const struct compilation *compilation)
{
    for (size_t i = 0; i < compilation->words.count && !compilation->by_language; i++) {
        const char *word = compilation->words.item[i];
        if (toolchain_classify(word) == WORD_SOURCE && !toolchain_is_cplusplus(word) &&
            say_cplusplus(word))
            return true;
    }
    return false;
}

/* Check every word: inputs must exist, and check must be able to do what it asks. */
static bool survey_words(struct compilation *compilation, const struct text_list *words,
                         bool *cplusplus)
{
    bool any_c = false;
    const char *input = NULL;
    *cplusplus = false;
    for (size_t i = 0; i < words->count; i++) {
        const char *word = words->item[i];
        enum word_kind kind = toolchain_classify(word);
        if (refuse_word(word, kind))
            return false;
        if ((kind == WORD_SOURCE || kind == WORD_OBJECT) && !readable_file(word))
            return false;
        if (kind == WORD_SOURCE) {
            compilation->first = compilation->first ? compilation->first : word;
            *cplusplus = *cplusplus || toolchain_is_cplusplus(word);
            any_c = any_c || !toolchain_is_cplusplus(word);
        }
        if (kind == WORD_OBJECT && !input)
            input = word;
        if (kind == WORD_LINK || kind == WORD_LINK_ARGUMENT || kind == WORD_OBJECT)
            compilation->opaque_inputs = true;
        if (kind == WORD_LANGUAGE || kind == WORD_LANGUAGE_JOINED) {
            bool apart = kind == WORD_LANGUAGE && i + 1 < words->count;
            compilation->by_language = true;
            *cplusplus |= begins_with(apart ? words->item[i + 1] : word + strlen("-x"), "c++");
        }
        if (kind == WORD_FLAG_ARGUMENT || kind == WORD_LINK_ARGUMENT || kind == WORD_LANGUAGE)
            i++;
    }
    compilation->both = *cplusplus && any_c && !compilation->by_language;
    if (compilation->first)
        return true;
    say_no_source(input);
    return false;
}

static struct build build_of(const struct compilation *compilation, const char *directory)
{
    return (struct build){.toolchain = &compilation->link,
                          .for_c = compilation->both ? &compilation->for_c : NULL,
                          .words = &compilation->words,
                          .directory = directory,
                          .verbose = compilation->verbose,
                          .links_nothing_else = !compilation->opaque_inputs};
}

static void hash_text(XXH3_state_t *state, const char *text)
{
    XXH3_128bits_update(state, text, strlen(text) + 1);
}

/* Add the preprocessed source to the hash. False: it can't be preprocessed. */
static bool hash_source(XXH3_state_t *state, const struct build *build, const char *source)
{
    struct text_list command = {0};
    struct buffer text = {0};
    build_compile_command(build, source, NULL, "-E", &command);
    int status = toolchain_run(&command, NULL, &text, true);
    for (size_t i = 0; i < command.count; i++)
        hash_text(state, command.item[i]);
    if (text.length)
        XXH3_128bits_update(state, text.data, text.length);
    list_release(&command);
    buffer_release(&text);
    return status == 0;
}

/* The compiler's version, and the runtime's own identity: either may change the program. */
static void hash_tools(XXH3_state_t *state, const struct compilation *compilation)
{
    struct text_list command = {0};
    struct buffer version = {0};
    list_add(&command, compilation->link.compiler);
    list_add(&command, "--version");
    toolchain_run(&command, NULL, &version, true);
    hash_text(state, version.data ? version.data : "");
    hash_text(state, compilation->link.library);
    list_release(&command);
    buffer_release(&version);
}

/* The name of this program in the cache; NULL when a source can't be preprocessed. */
static char *cache_key(const struct compilation *compilation)
{
    struct build build = build_of(compilation, NULL);
    XXH3_state_t *state = XXH3_createState();
    char *here = getcwd(NULL, 0);
    bool good = true;
    XXH3_128bits_reset(state);
    hash_tools(state, compilation);
    hash_text(state, here ? here : "");
    free(here);
    for (size_t i = 0; i < compilation->words.count && good; i++) {
        const char *word = compilation->words.item[i];
        hash_text(state, word);
        if (toolchain_classify(word) == WORD_SOURCE)
            good = hash_source(state, &build, word);
    }
    XXH128_hash_t hash = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return good ? format_text("%016llx%08x", (unsigned long long)hash.low64,
                              (unsigned)hash.high64)
                : NULL;
}

/* "dir/queue_test.c" → "queue_test" */
static char *short_name(const char *source)
{
    const char *base = base_name(source);
    const char *dot = strrchr(base, '.');
    return dot && dot != base ? copy_bytes(base, (size_t)(dot - base)) : copy_text(base);
}

/* Never replace an existing program: another search may be running it and need its file. It is
 * the same program, since its name covers everything it was made of. */
static int keep_program(const char *program, const char *final)
{
    if (renameat2(AT_FDCWD, program, AT_FDCWD, final, RENAME_NOREPLACE) == 0 || errno == EEXIST)
        return 0;
    if (errno == EINVAL && rename(program, final) == 0)
        return 0; /* the file system has no RENAME_NOREPLACE */
    complain("cannot write %s: %s", final, strerror(errno));
    return EXIT_INTERNAL;
}

/* Where the program is kept. Objects and libraries are unknown before linking, so a program
 * that uses them is named after its content. */
static char *place_of(const struct compilation *compilation, const char *cache, const char *key,
                      const char *program, const char *name)
{
    XXH128_hash_t hash = {0};
    bool by_content = !key || compilation->opaque_inputs;
    if (by_content)
        file_hash(program, &hash);
    char *directory = by_content
                          ? format_text("%s/%016llx", cache, (unsigned long long)hash.low64)
                          : format_text("%s/%s", cache, key);
    mkdir(directory, 0700);
    char *place = format_text("%s/%s", directory, name);
    free(directory);
    return place;
}

/* Compile into a directory of our own beside the final place, then move the program there. */
static int compile_to(struct compilation *compilation, const char *cache, const char *key,
                      struct program *made)
{
    char *directory = temporary_make(cache, "new-");
    if (!directory) {
        complain("cannot make a directory in %s: %s", cache, strerror(errno));
        return EXIT_INTERNAL;
    }
    char *program = format_text("%s/program", directory);
    list_add(&compilation->words, "-o");
    list_add(&compilation->words, program);
    struct build build = build_of(compilation, directory);
    bool linked;
    int status = build_split(&build, &linked);
    if (status != 0 && limits_starve_compilers(compilation->first)) {
        status = EXIT_INTERNAL;
    } else if (status != 0 && !linked && say_misnamed_source(compilation)) {
        status = EXIT_USAGE;
    } else if (status != 0) {
        complain(linked ? "%s compiles but does not link: a source, a library (-l) or main is "
                          "missing, or defined "
                          "twice; nothing was run%s"
                        : "%s does not compile; nothing was run%s",
                 compilation->first, limits_of_compilers());
        status = EXIT_USAGE;
    } else {
        made->path = place_of(compilation, cache, key, program, made->name);
        status = keep_program(program, made->path);
    }
    temporary_remove(directory);
    free(directory);
    free(program);
    return status;
}

static int compile_cached(struct compilation *compilation, struct program *program)
{
    char *cache = cache_directory();
    if (!cache)
        return EXIT_INTERNAL;
    char *key = cache_key(compilation);
    int status = 0;
    /* without a key the compiler will report what is wrong, and nothing is kept */
    if (key && !compilation->opaque_inputs)
        program->path = format_text("%s/%s/%s", cache, key, program->name);
    if (!program->path || access(program->path, X_OK) != 0) {
        free(program->path);
        program->path = NULL;
        status = compile_to(compilation, cache, key, program);
        cache_prune(cache);
    }
    if (program->path) { /* used now: the cache is pruned by age */
        char *directory = directory_of(program->path);
        utimensat(AT_FDCWD, directory, NULL, 0);
        free(directory);
    }
    free(key);
    free(cache);
    return status;
}

int program_compile(struct program *program, const struct text_list *words,
                    const char *compiler, bool verbose)
{
    struct compilation compilation = {.verbose = verbose};
    bool cplusplus;
    int status = EXIT_USAGE;
    list_add(&compilation.words, "-O1");
    list_copy(&compilation.words, words);
    if (survey_words(&compilation, words, &cplusplus) &&
        toolchain_find(&compilation.link, compiler, cplusplus) &&
        (!compilation.both || toolchain_find(&compilation.for_c, compiler, false))) {
        program->compiled = true;
        program->compiler = compiler ? copy_text(compiler) : NULL;
        program->name = short_name(compilation.first);
        list_copy(&program->build, words);
        status = compile_cached(&compilation, program);
    }
    toolchain_release(&compilation.link);
    toolchain_release(&compilation.for_c);
    list_release(&compilation.words);
    return status;
}
