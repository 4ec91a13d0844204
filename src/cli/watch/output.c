/* See output.h. */
#define _GNU_SOURCE
#include "cli/watch/output.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/must.h"
#include "host/files.h"
#include "host/temporary.h"

#define MEMORY_MAX  (1u << 20)  /* HOLD: more goes to a file */
#define SPOOL_MAX   (64u << 20) /* HOLD: more is shown at once */
#define CAPTURE_MAX (32u << 10) /* CAPTURE: bytes of the head, and of the tail */

struct output_chunk {
    uint32_t stream;
    uint32_t length;
};

void output_open(struct program_output *output, enum output_mode mode, bool may_pass)
{
    *output = (struct program_output){.mode = mode, .spool = -1, .may_pass = may_pass};
}

static bool open_spool(struct program_output *output)
{
    output->spool = open(temporary_parent(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    return output->spool >= 0;
}

static bool hold_bytes(struct program_output *output, int stream, const char *bytes,
                       size_t length)
{
    struct output_chunk chunk = {(uint32_t)stream, (uint32_t)length};
    if (output->spool < 0 && output->chunks.length + length <= MEMORY_MAX) {
        buffer_add(&output->chunks, &chunk, sizeof chunk);
        buffer_add(&output->chunks, bytes, length);
        return true;
    }
    if (output->spooled + length > SPOOL_MAX || (output->spool < 0 && !open_spool(output)))
        return false;
    off_t before = (off_t)output->spooled;
    if (!write_all(output->spool, (const char *)&chunk, sizeof chunk) ||
        !write_all(output->spool, bytes, length)) {
        if (ftruncate(output->spool, before) != 0)
            output->spooled = 0;
        return false;
    }
    output->spooled += sizeof chunk + length;
    return true;
}

/* Keep the head and the tail of long output: the tail buffer is cut when it has doubled. */
static void capture_bytes(struct program_output *output, const char *bytes, size_t length)
{
    size_t room = CAPTURE_MAX - output->head.length;
    size_t first = length < room ? length : room;
    buffer_add(&output->head, bytes, first);
    buffer_add(&output->tail, bytes + first, length - first);
    if (output->tail.length > 2 * CAPTURE_MAX) {
        size_t cut = output->tail.length - CAPTURE_MAX;
        memmove(output->tail.data, output->tail.data + cut, CAPTURE_MAX + 1);
        output->tail.length = CAPTURE_MAX;
        output->skipped += cut;
    }
}

void output_take(struct program_output *output, int stream, const char *bytes, size_t length)
{
    must(stream >= 1 && stream <= OUTPUT_STREAMS);
    switch (output->mode) {
    case OUTPUT_HOLD:
        if (!output->cut && hold_bytes(output, stream, bytes, length))
            return;
        if (!output->may_pass) {
            output->cut += length;
            return;
        }
        output_replay(output);
        output->mode = OUTPUT_PASS;
        write_all(stream, bytes, length);
        return;
    case OUTPUT_DROP:
        return;
    case OUTPUT_CAPTURE:
        capture_bytes(output, bytes, length);
        return;
    case OUTPUT_SHOW:
        capture_bytes(output, bytes, length);
        write_all(stream, bytes, length);
        return;
    case OUTPUT_PASS:
        write_all(stream, bytes, length);
    }
}

void output_drop(struct program_output *output)
{
    output_close(output);
    output->mode = OUTPUT_DROP;
}

static void replay_memory(const struct program_output *output)
{
    struct output_chunk chunk;
    for (size_t at = 0; at + sizeof chunk <= output->chunks.length;) {
        memcpy(&chunk, output->chunks.data + at, sizeof chunk);
        at += sizeof chunk;
        write_all((int)chunk.stream, output->chunks.data + at, chunk.length);
        at += chunk.length;
    }
}

static void replay_spool(const struct program_output *output)
{
    char *bytes = allocate(MEMORY_MAX);
    struct output_chunk chunk;
    off_t at = 0;
    while ((size_t)at < output->spooled &&
           pread(output->spool, &chunk, sizeof chunk, at) == (ssize_t)sizeof chunk &&
           chunk.length <= MEMORY_MAX) {
        at += (off_t)sizeof chunk;
        ssize_t got = pread(output->spool, bytes, chunk.length, at);
        if (got <= 0)
            break;
        write_all((int)chunk.stream, bytes, (size_t)got);
        at += (off_t)chunk.length;
    }
    free(bytes);
}

void output_replay(struct program_output *output)
{
    fflush(stdout);
    replay_memory(output);
    if (output->spool >= 0)
        replay_spool(output);
    if (output->cut)
        fprintf(stderr, "\n[mazur: %zu more bytes of the program's output were not kept]\n",
                output->cut);
    output_close(output);
}

char *output_captured(struct program_output *output)
{
    struct buffer text = {0};
    buffer_add(&text, output->head.data, output->head.length);
    if (output->skipped)
        buffer_printf(&text, "\n[… %zu bytes left out …]\n", output->skipped);
    buffer_add(&text, output->tail.data, output->tail.length);
    return buffer_take(&text);
}

void output_close(struct program_output *output)
{
    buffer_release(&output->chunks);
    buffer_release(&output->head);
    buffer_release(&output->tail);
    if (output->spool >= 0)
        close(output->spool);
    output->spool = -1;
    output->spooled = 0;
    output->skipped = 0;
    output->cut = 0;
}
