/* Compile and link in two halves: objects with instrumentation, the program without. */
#ifndef MAZUR_CLI_BUILD_H
#define MAZUR_CLI_BUILD_H

#include "cli/build/toolchain.h"

struct build {
    const struct toolchain *toolchain; /* links, and compiles */
    const struct toolchain *for_c;     /* compiles *.c, if that is a different one; or NULL */
    const struct text_list *words;     /* the compiler's arguments */
    const char *directory;             /* for objects */
    bool verbose;
    bool links_nothing_else; /* but the runtime and the standard libraries */
};

/* Compiles every source to an object in `directory`, then links once, with the objects in place
 * of their sources. Returns the compiler's exit status; `linked` (may be NULL) says whether
 * every source compiled. */
int build_split(const struct build *build, bool *linked);
/* The command that compiles (or preprocesses, as `stage` says) one source. */
void build_compile_command(const struct build *build, const char *source, const char *language,
                           const char *stage, struct text_list *command);

#endif
