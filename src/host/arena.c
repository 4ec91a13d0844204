/* See arena.h. */
#include "host/arena.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "host/buffer.h"

#define BLOCK_BYTES 65536

struct arena_block {
    struct arena_block *before;
    size_t used;
    size_t size;
    _Alignas(16) char memory[];
};

void *arena_alloc(struct arena *arena, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    struct arena_block *block = arena->last;
    if (!block || block->size - block->used < size) {
        size_t room = size > BLOCK_BYTES ? size : BLOCK_BYTES;
        block = allocate(sizeof *block + room);
        block->size = room;
        block->before = arena->last;
        arena->last = block;
    }
    must(block->size - block->used >= size);
    void *memory = block->memory + block->used;
    block->used += size;
    return memory;
}

char *arena_bytes(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_text(struct arena *arena, const char *text)
{
    return arena_bytes(arena, text, strlen(text));
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    struct buffer buffer = {0};
    va_list arguments;
    va_start(arguments, format);
    buffer_vprintf(&buffer, format, arguments);
    va_end(arguments);
    char *copy = arena_bytes(arena, buffer.data, buffer.length);
    buffer_release(&buffer);
    return copy;
}

void arena_free(struct arena *arena)
{
    while (arena->last) {
        struct arena_block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
}
