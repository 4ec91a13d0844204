/* Memory for the parent process that is freed all at once: what belongs to one trace or one
 * result lives and dies together, so nothing in it is freed by itself. Memory comes zeroed. */
#ifndef MAZUR_HOST_ARENA_H
#define MAZUR_HOST_ARENA_H

#include <stddef.h>

struct arena {
    struct arena_block *last;
};

void *arena_alloc(struct arena *arena, size_t size);
char *arena_text(struct arena *arena, const char *text);
char *arena_bytes(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *arena);

#endif
