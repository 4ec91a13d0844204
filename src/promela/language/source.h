/* The text of a model and what is said about it: arena, places, messages.
 *
 * A model is read, checked and translated once; everything made on the way lives in one arena
 * and dies with it. A mistake in the model ends the translation by source_fail(), which prints
 * file:line:column, what was expected, and the line with a caret, then jumps to the `escape`
 * that model_load() set. Invariant: every token and tree node carries the place in the user's
 * file (not in the preprocessed text). */
#ifndef MAZUR_PROMELA_SOURCE_H
#define MAZUR_PROMELA_SOURCE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/arena.h"

struct place {
    const char *file;
    int line;
    int column;
    const struct inlined *inlined; /* in which text of an inline it stands; or NULL */
};

/* Tokens of an inline's body stand in the body, and know the call. Those of an argument stand
 * where they are written, and know the place in the body that they have been put to. */
struct inlined {
    const char *name;
    struct place place; /* the call, or the parameter in the body */
    bool argument;
};

/* Where a statement stands that begins there: in the body, never in an argument. */
struct place place_in_body(struct place place);

struct source {
    struct arena arena;
    jmp_buf escape;
    char *text; /* preprocessed, ends with NUL */
    size_t length;
    int warnings;
    double seconds; /* of the processor for the preprocessor; 0: as many as ever */
    bool quiet;
    char message[512]; /* the first error, for tests */
};

void *source_alloc(struct source *source, size_t size);
char *source_copy(struct source *source, const char *text, size_t length);
char *source_format(struct source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Double an arena array when `count` reaches its capacity (a power of two, from 8). */
void *source_grow(struct source *source, void *array, int count, size_t element);
_Noreturn void source_fail(struct source *source, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void source_warn(struct source *source, struct place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Read a file through the C preprocessor, with -D definitions. Fails with a message. */
void source_read(struct source *source, const char *file, const char *const *defines,
                 int define_count);
void source_free(struct source *source);

#endif
