/* Streams whose contents are memory of the program (open_memstream(3p), fmemopen(3p)), and
 * buffers that the program gives to a stream (setvbuf(3p)).
 *
 * stdio reads and writes that memory in later calls on the stream, even at the end of the
 * program. It does so under the stream's lock, so two such calls do not race with each other,
 * but they can race with the program's own accesses to the memory. So each use of the stream is
 * announced as a guarded access (string.c) to the stream's memory. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "runtime/access/caller.h"
#include "runtime/arch/compiler.h"
#include "runtime/core/failure.h"
#include "runtime/hooks/files/file_hooks.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/memory/snapshot.h"

#define STREAMS_MAX 256

struct memory_stream {
    const FILE *file;
    void *memory; /* the text, or a buffer */
    size_t size;
    void *pointer; /* open_memstream: where a flush stores the text and its size */
    void *length;
};

static struct {
    uint32_t count;
    struct memory_stream stream[STREAMS_MAX];
} streams;

void memstreams_begin(void)
{
    streams.count = 0;
}

static void add_stream(struct memory_stream stream)
{
    for (uint32_t i = 0; i < streams.count; i++)
        if (streams.stream[i].file == stream.file) {
            streams.stream[i] = stream;
            return;
        }
    if (streams.count == STREAMS_MAX) {
        failure_uncontrolled("more than 256 open memory streams");
        return;
    }
    streams.stream[streams.count++] = stream;
}

static const struct memory_stream *stream_of(const FILE *file)
{
    for (uint32_t i = 0; i < streams.count; i++)
        if (streams.stream[i].file == file)
            return &streams.stream[i];
    return NULL;
}

void memstream_use(const void *file, uint64_t pc)
{
    const struct memory_stream *stream = streams.count ? stream_of(file) : NULL;
    if (stream && stream->memory)
        caller_writes_guarded(stream->memory, stream->size, pc);
}

/* fflush(), fclose() and the calls that move the position: "the variables pointed to shall be
 * updated". */
void memstream_flush(const void *file, uint64_t pc)
{
    const struct memory_stream *stream = streams.count ? stream_of(file) : NULL;
    if (!stream || !stream->pointer)
        return;
    caller_writes(stream->pointer, sizeof(void *), pc);
    caller_writes(stream->length, sizeof(size_t), pc);
}

void memstream_close(const void *file, uint64_t pc)
{
    memstream_use(file, pc);
    memstream_flush(file, pc);
    for (uint32_t i = 0; i < streams.count; i++)
        if (streams.stream[i].file == file) {
            streams.stream[i] = streams.stream[--streams.count];
            return;
        }
}

#define OPENS(name, type)                                                                      \
    FORWARD_RESULT(FILE *, name, (type * *text, size_t * size), (text, size),                  \
                   caller_writes(text, sizeof *text, CALLER);                                  \
                   caller_writes(size, sizeof *size, CALLER),                                  \
                   if (result) add_stream((struct memory_stream){                              \
                       .file = result, .pointer = text, .length = size}))

OPENS(open_memstream, char)
OPENS(open_wmemstream, wchar_t)

FORWARD_RESULT(FILE *, fmemopen, (void *memory, size_t size, const char *mode),
               (memory, size, mode), caller_reads(mode, rawmem_length(mode) + 1, CALLER);
               if (memory && size > 0 && *mode == 'w') /* fmemopen(3p): a null byte */
               caller_writes(memory, 1, CALLER),
               if (result && memory)
                   add_stream((struct memory_stream){result, memory, size, NULL, NULL}))

/* A page that was made writable for the kernel stays writable: once per buffer is enough. */
static void give_buffer(FILE *file, void *buffer, size_t size)
{
    if (!buffer)
        return;
    snapshot_touch(buffer, size);
    add_stream((struct memory_stream){file, buffer, size, NULL, NULL});
}

FORWARD(int, setvbuf, (FILE *restrict file, char *restrict buffer, int mode, size_t size),
        (file, buffer, mode, size), stream_use(file, CALLER);
        give_buffer(file, buffer, size))
FORWARD(void, setbuf, (FILE *restrict file, char *restrict buffer), (file, buffer),
        stream_use(file, CALLER);
        give_buffer(file, buffer, BUFSIZ))
FORWARD(void, setbuffer, (FILE *restrict file, char *restrict buffer, size_t size),
        (file, buffer, size), stream_use(file, CALLER);
        give_buffer(file, buffer, size))
