/* The compiler behind `mazur cc`, `mazur c++` and `mazur check`, and where Mazur's own files
 * are.
 *
 * Instrumentation is the compiler's -fsanitize=thread; the runtime is Mazur's. So
 * objects are compiled with that flag and programs are linked without it, against libmazur.so:
 * a command that compiles and links in one go is split into its two halves. */
#ifndef MAZUR_CLI_TOOLCHAIN_H
#define MAZUR_CLI_TOOLCHAIN_H

#include <stdbool.h>

#include "host/buffer.h"

struct toolchain {
    char *compiler; /* as it is executed */
    bool clang;
    char *library;     /* path of libmazur.so */
    char *library_dir; /* its directory */
    char *include_dir; /* where mazur.h is */
};

/* `wanted`: from --compiler, or NULL for MAZUR_CC / MAZUR_CXX, CC / CXX, gcc / g++ and whatever
 * else is installed. False after a message. */
bool toolchain_find(struct toolchain *toolchain, const char *wanted, bool cplusplus);
void toolchain_release(struct toolchain *toolchain);
/* Path of libmazur.so beside this command, or NULL after a message; the caller frees it. */
char *toolchain_runtime(void);
/* The same for the directory of the scripts that `mazur debug` loads into gdb. */
char *toolchain_gdb_scripts(void);
/* Can `name` be executed, as execvp would find it? */
bool toolchain_on_path(const char *name);

/* Flags to compile with, and the words that open a link line. */
void toolchain_compile_flags(const struct toolchain *toolchain, struct text_list *arguments);
void toolchain_link_flags(const struct toolchain *toolchain, struct text_list *arguments);

/* What a word of a compiler's command line is. */
enum word_kind {
    WORD_FLAG,          /* for both halves */
    WORD_FLAG_ARGUMENT, /* the same, and the next word is its argument */
    WORD_LINK,          /* -l -L -Wl, …: for the linker */
    WORD_LINK_ARGUMENT,
    WORD_SOURCE,
    WORD_OBJECT, /* an object, archive, library or response file */
    WORD_OUTPUT, /* -o, with its argument in the next word */
    WORD_OUTPUT_JOINED,
    WORD_LANGUAGE, /* -x, language in the next word */
    WORD_LANGUAGE_JOINED,
    WORD_STAGE,   /* -c -S -E -M …: no link */
    WORD_STATIC,  /* -static, -static-pie */
    WORD_DROPPED, /* -fsanitize=thread, which is given anyway; optimisation at link time */
};
/* The directory of this executable, or NULL. Call it before the first chdir(). */
const char *toolchain_folder(void);
enum word_kind toolchain_classify(const char *word);
bool toolchain_is_cplusplus(const char *source);

/* Run a command and wait. Returns its exit status, 128 + n for a signal, or -1 after a message.
 * With `output` its stdout is collected there; with `silent` its stderr is dropped; `temporary`
 * is where its own temporary files go, or NULL. */
int toolchain_run(const struct text_list *arguments, const char *temporary,
                  struct buffer *output, bool silent);

#endif
