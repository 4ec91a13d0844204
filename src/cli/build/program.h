/* A program ready to be run under Mazur. */
#ifndef MAZUR_CLI_PROGRAM_H
#define MAZUR_CLI_PROGRAM_H

#include <stdbool.h>

#include "host/buffer.h"

struct program {
    char *path;                 /* the file to execute */
    char *name;                 /* short, for people */
    char *directory;            /* where to run it, or NULL: here */
    struct text_list arguments; /* argv, with argv[0] */
    bool compiled;              /* from sources, by `mazur check` */
    struct text_list build;     /* compiled: sources and flags as given */
    char *compiler;             /* compiled: --compiler, or NULL */
};

/* Fill path and name with what execvp would run. 0, or an exit code after a message. */
int program_locate(struct program *program, const char *name);
/* compile_program.c: compile sources into the cache and fill path, name and what it was built
 * from. `words` are sources and compiler flags as the user gave them. 0, or an exit code after
 * a message. */
int program_compile(struct program *program, const struct text_list *words,
                    const char *compiler, bool verbose);
/* Can Mazur run it? 0, or an exit code after a message; `why` (may be NULL) gets the malloc'd
 * reason. */
int program_verify(const struct program *program, char **why);
void program_release(struct program *program);

#endif
