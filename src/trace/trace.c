/* See trace.h. */
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>

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

struct trace *trace_new(void)
{
    struct trace *trace = allocate(sizeof *trace);
    trace->inflection = TRACE_NO_EVENT;
    trace->simplest.inflection = UINT32_MAX;
    return trace;
}

void trace_free(struct trace *trace)
{
    if (!trace)
        return;
    arena_free(&trace->arena);
    free(trace);
}

const struct trace_place *stack_user_place(const struct trace_stack *stack)
{
    for (size_t i = 0; i < stack->count; i++)
        if (!stack->place[i].library && stack->place[i].file)
            return &stack->place[i];
    return stack->count ? &stack->place[0] : NULL;
}

/* Of threads that wait for ever, the first that waits for another one's lock tells most; the
 * main thread usually just joins. */
int trace_failing_thread(const struct trace *trace)
{
    if (trace->failure.kind != FAILURE_DEADLOCK && trace->failure.kind != FAILURE_END_STATE)
        return trace->failure.tid;
    int best = trace->failure.tid;
    for (size_t i = trace->nthreads; i-- > 0;) {
        const struct trace_thread *thread = &trace->thread[i];
        if (thread->state == THREAD_BLOCKED && thread->pending.kind != OP_JOIN)
            best = (int)i;
    }
    return best;
}

const struct trace_place *trace_location(const struct trace *trace)
{
    const struct trace_failure *failure = &trace->failure;
    int tid = trace_failing_thread(trace);
    if (tid >= 0 && tid != failure->tid && trace->thread[tid].stack.count)
        return stack_user_place(&trace->thread[tid].stack);
    if (failure->stack.count)
        return stack_user_place(&failure->stack);
    if (failure->naccesses)
        return stack_user_place(&failure->access[failure->naccesses - 1].stack);
    if (failure->tid >= 0 && (size_t)failure->tid < trace->nthreads)
        return stack_user_place(&trace->thread[failure->tid].stack);
    return NULL;
}

char *place_text(const struct trace_place *place)
{
    if (!place)
        return copy_text("?");
    if (place->file && place->line)
        return format_text("%s:%d", place->file, place->line);
    if (place->function)
        return copy_text(place->function);
    return copy_text("?");
}

char *thread_label(const struct trace *trace, int tid)
{
    if (tid < 0)
        return copy_text("?");
    if (trace->recipe.model && (size_t)tid < trace->nthreads)
        return copy_text(trace->thread[tid].name);
    if (tid == 0)
        return copy_text("main");
    if ((size_t)tid < trace->nthreads && trace->thread[tid].name[0])
        return format_text("T%d %s", tid, trace->thread[tid].name);
    return format_text("T%d", tid);
}
