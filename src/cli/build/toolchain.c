/* See toolchain.h. */
#define _GNU_SOURCE
#include "cli/build/toolchain.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/paths.h"
#include "host/say.h"
#include "host/tool.h"

bool toolchain_on_path(const char *name)
{
    char *file = find_on_path(name);
    bool found = file && access(file, X_OK) == 0;
    free(file);
    return found;
}

/* The C++ compiler that goes with a C compiler: gcc-12 → g++-12, clang → clang++, cc → c++. */
static char *cplusplus_name(const char *compiler)
{
    static const char *const pairs[][2] = {{"clang++", "clang++"}, {"g++", "g++"},
                                           {"c++", "c++"},         {"clang", "clang++"},
                                           {"gcc", "g++"},         {"cc", "c++"}};
    const char *base = base_name(compiler);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const char *at = strstr(base, pairs[i][0]);
        if (at)
            return format_text("%.*s%s%s", (int)(at - compiler), compiler, pairs[i][1],
                               at + strlen(pairs[i][0]));
    }
    return copy_text(compiler);
}

/* In a build started as make CC="mazur cc", CC is "mazur cc" itself; and it may contain
 * arguments that belong to that build. */
static const char *compiler_from_environment(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value && !strstr(value, "mazur") && !strpbrk(value, " \t") ? value : NULL;
}

static char *choose_compiler(const char *wanted, bool cplusplus)
{
    static const char *const c_names[] = {"gcc", "clang", "cc"};
    static const char *const cplusplus_names[] = {"g++", "clang++", "c++"};
    if (wanted)
        return cplusplus ? cplusplus_name(wanted) : copy_text(wanted);
    const char *own = compiler_from_environment(cplusplus ? "MAZUR_CXX" : "MAZUR_CC");
    if (!own)
        own = compiler_from_environment(cplusplus ? "CXX" : "CC");
    if (own)
        return copy_text(own);
    const char *const *names = cplusplus ? cplusplus_names : c_names;
    for (size_t i = 0; i < 3; i++)
        if (toolchain_on_path(names[i]))
            return copy_text(names[i]);
    return copy_text(names[0]);
}

/* `cc` and `c++` may be either compiler: ask. */
static bool is_clang(const char *compiler)
{
    const char *base = base_name(compiler);
    if (strstr(base, "clang"))
        return true;
    if (strstr(base, "gcc") || strstr(base, "g++"))
        return false;
    struct text_list command = {0};
    struct buffer output = {0};
    list_add(&command, compiler);
    list_add(&command, "--version");
    int status = toolchain_run(&command, NULL, &output, true);
    bool clang = status == 0 && output.data && strstr(output.data, "clang");
    list_release(&command);
    buffer_release(&output);
    return clang;
}

const char *toolchain_folder(void)
{
    static char self[PATH_MAX];
    if (self[0])
        return self;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = 0;
    /* without /proc: the path with which we were started, relative to the directory at that
     * time */
    if (length <= 0 && !realpath((const char *)getauxval(AT_EXECFN), self))
        self[0] = 0;
    char *slash = strrchr(self, '/');
    if (slash)
        *slash = 0;
    return self[0] ? self : NULL;
}

/* The first of these that exists, relative to the directory of this executable. */
static char *find_beside(const char *const *candidates)
{
    const char *folder = toolchain_folder();
    for (; folder && *candidates; candidates++) {
        char *path = format_text("%s/%s", folder, *candidates);
        char *real = realpath(path, NULL);
        free(path);
        if (real)
            return real;
    }
    return NULL;
}

char *toolchain_runtime(void)
{
    static const char *const candidates[] = {"../lib/libmazur.so", "../lib/mazur/libmazur.so",
                                             "../lib64/libmazur.so", NULL};
    char *library = find_beside(candidates);
    if (!library)
        complain("cannot find the runtime libmazur.so in ../lib beside this command; `make` "
                 "builds it, `make install` installs it");
    return library;
}

char *toolchain_gdb_scripts(void)
{
    static const char *const candidates[] = {"../share/mazur/gdb", "../src/gdb", NULL};
    char *scripts = find_beside(candidates);
    if (!scripts)
        complain("cannot find the scripts for gdb in ../share/mazur/gdb beside this command; "
                 "`make install` installs them");
    return scripts;
}

bool toolchain_find(struct toolchain *toolchain, const char *wanted, bool cplusplus)
{
    static const char *const headers[] = {"../include/mazur.h", NULL};
    *toolchain = (struct toolchain){0};
    toolchain->library = toolchain_runtime();
    if (!toolchain->library)
        return false;
    toolchain->library_dir = directory_of(toolchain->library);
    char *header = find_beside(headers);
    if (header)
        toolchain->include_dir = directory_of(header);
    free(header);
    toolchain->compiler = choose_compiler(wanted, cplusplus);
    if (!toolchain_on_path(toolchain->compiler)) {
        complain("the compiler %s is not installed (--compiler NAME chooses another)",
                 toolchain->compiler);
        toolchain_release(toolchain);
        return false;
    }
    toolchain->clang = is_clang(toolchain->compiler);
    return true;
}

void toolchain_release(struct toolchain *toolchain)
{
    free(toolchain->compiler);
    free(toolchain->library);
    free(toolchain->library_dir);
    free(toolchain->include_dir);
    *toolchain = (struct toolchain){0};
}

/* gcc expands calls of these with constant arguments, either after it has instrumented the code
 * or so that a variable that only they write disappears. The accesses would be invisible. As
 * calls they reach the runtime's hooks. */
static const char *const kept_calls[] = {
#define EXPANDED(name, type, parameters) #name,
#include "runtime/hooks/def/hooks.def"
};

static void keep_calls(const struct toolchain *toolchain, struct text_list *arguments)
{
    for (size_t i = 0; i < sizeof kept_calls / sizeof *kept_calls; i++)
        list_take(arguments, format_text("-fno-builtin-%s", kept_calls[i]));
    if (toolchain->include_dir) {
        list_add(arguments, "-imacros");
        list_take(arguments, format_text("%s/mazur/calls.h", toolchain->include_dir));
    }
    /* gcc also turns loops into such calls */
    list_add(arguments, "-fno-tree-loop-distribute-patterns");
}

void toolchain_compile_flags(const struct toolchain *toolchain, struct text_list *arguments)
{
    list_add(arguments, "-fsanitize=thread");
    /* names and lines of the report, and local variables (docs/manual.md); the user's own -g0
     * or -g3 comes later, and wins */
    list_add(arguments, "-g");
    /* Stacks of the report come from function entries, volatile accesses from calls of their
     * own; frame pointers let the runtime walk a stack without the unwinder's tables. */
    list_add(arguments, "-fno-omit-frame-pointer");
    /* A loop that only waits for a plain variable is a race; compilers may assume that it ends,
     * and remove it together with its reads. */
    list_add(arguments, "-fno-finite-loops");
    if (toolchain->clang) {
        list_add(arguments, "-mllvm");
        list_add(arguments, "-tsan-distinguish-volatile=1");
        /* also the read in x++: for --races=explore it is a separate step */
        list_add(arguments, "-mllvm");
        list_add(arguments, "-tsan-instrument-read-before-write=1");
        /* in the debug information, as gcc does: machine/unseen.c looks for the instrumentation
         */
        list_add(arguments, "-grecord-command-line");
    } else {
        list_add(arguments, "--param=tsan-instrument-func-entry-exit=1");
        list_add(arguments, "--param=tsan-distinguish-volatile=1");
        list_add(arguments, "-Wno-tsan"); /* fences, which ThreadSanitizer does not know */
        keep_calls(toolchain, arguments);
        /* otherwise gcc finds functions that write nothing by itself (mazur/calls.h) */
        list_add(arguments, "-fno-ipa-pure-const");
    }
    list_add(arguments, "-pthread");
    /* Instrument the templates that the C++ library has compiled already:
     * include/mazur/cxx/bits/c++config.h; libc++ (clang's) has a macro. No effect on C. */
    if (toolchain->clang)
        list_add(arguments, "-D_LIBCPP_DISABLE_EXTERN_TEMPLATE");
    if (toolchain->include_dir) {
        list_take(arguments, format_text("-I%s", toolchain->include_dir));
        list_take(arguments, format_text("-isystem%s/mazur/cxx", toolchain->include_dir));
    }
}

void toolchain_link_flags(const struct toolchain *toolchain, struct text_list *arguments)
{
    /* First in link order, and kept even if nothing refers to it yet: the runtime's symbols
     * must take precedence over libc's. */
    list_add(arguments, "-Wl,--push-state,--no-as-needed");
    list_add(arguments, toolchain->library);
    list_add(arguments, "-Wl,--pop-state");
    list_take(arguments, format_text("-Wl,-rpath,%s", toolchain->library_dir));
    list_add(arguments, "-pthread");
}

static bool is_one_of(const char *word, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(word, *names) == 0)
            return true;
    return false;
}

static bool has_suffix(const char *word, const char *const *suffixes)
{
    const char *dot = strrchr(word, '.');
    return dot && dot != word && is_one_of(dot + 1, suffixes);
}

bool toolchain_is_cplusplus(const char *source)
{
    static const char *const suffixes[] = {"cc",  "cp", "cpp", "cxx", "c++",
                                           "CPP", "C",  "ii",  NULL};
    return has_suffix(source, suffixes);
}

enum word_kind toolchain_classify(const char *word)
{
    static const char *const with_argument[] = {
        "-I",      "-D",       "-U",         "-include",       "-imacros",    "-isystem",
        "-iquote", "-iprefix", "-idirafter", "-iwithprefix",   "-isysroot",   "-MF",
        "-MT",     "-MQ",      "-aux-info",  "-Xpreprocessor", "-Xassembler", "-Xclang",
        "-mllvm",  "--param",  "-target",    "-arch",          "-dumpbase",   "-B",
        NULL};
    static const char *const link_argument[] = {"-l", "-L",       "-T", "-u", "-z",
                                                "-e", "-Xlinker", "-R", "-h", NULL};
    static const char *const stages[] = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", NULL};
    static const char *const sources[] = {"c", "i", "s", "S", "sx", NULL};
    if (word[0] != '-')
        return has_suffix(word, sources) || toolchain_is_cplusplus(word) ? WORD_SOURCE
                                                                         : WORD_OBJECT;
    if (!word[1])
        return WORD_SOURCE; /* "-": stdin */
    if (is_one_of(word, stages))
        return WORD_STAGE;
    if (is_one_of(word, with_argument))
        return WORD_FLAG_ARGUMENT;
    if (is_one_of(word, link_argument))
        return WORD_LINK_ARGUMENT;
    if (strcmp(word, "-x") == 0)
        return WORD_LANGUAGE;
    if (begins_with(word, "-x"))
        return WORD_LANGUAGE_JOINED;
    if (strcmp(word, "-o") == 0)
        return WORD_OUTPUT;
    if (begins_with(word, "-o") && !begins_with(word, "-objc"))
        return WORD_OUTPUT_JOINED;
    if (strcmp(word, "-static") == 0 || strcmp(word, "-static-pie") == 0)
        return WORD_STATIC;
    /* with LTO gcc would have to instrument when it links, and it does not */
    if (strcmp(word, "-fsanitize=thread") == 0 || strcmp(word, "-flto") == 0 ||
        begins_with(word, "-flto=") || strcmp(word, "-fwhole-program") == 0)
        return WORD_DROPPED;
    if (begins_with(word, "-l") || begins_with(word, "-L") || begins_with(word, "-Wl,") ||
        strcmp(word, "-shared") == 0 || strcmp(word, "-rdynamic") == 0 ||
        strcmp(word, "-s") == 0)
        return WORD_LINK;
    return WORD_FLAG;
}

static void collect_output(int from, struct buffer *output)
{
    char chunk[65536];
    for (;;) {
        ssize_t got = read(from, chunk, sizeof chunk);
        if (got > 0)
            buffer_add(output, chunk, (size_t)got);
        else if (got == 0 || errno != EINTR)
            return;
    }
}

int toolchain_run(const struct text_list *arguments, const char *temporary,
                  struct buffer *output, bool silent)
{
    int ends[2] = {-1, -1};
    if (output && pipe2(ends, O_CLOEXEC) != 0) {
        complain("cannot make a pipe for %s: %s", arguments->item[0], strerror(errno));
        return -1;
    }
    struct tool tool = {.arguments = arguments->item,
                        .temporary = temporary,
                        .input = TOOL_SAME,
                        .output = output ? ends[1] : TOOL_SAME,
                        .errors = silent ? TOOL_NOTHING : TOOL_SAME};
    pid_t child = tool_start(&tool);
    int error = errno;
    if (output) {
        close(ends[1]);
        if (child)
            collect_output(ends[0], output);
        close(ends[0]);
    }
    if (!child) {
        complain("cannot run %s: %s", arguments->item[0], strerror(error));
        return -1;
    }
    int status;
    if (!tool_wait(child, &status))
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
