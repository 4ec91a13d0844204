/* The bounded queue (spill.h), and the only system calls of a search.
 *
 * The newest full chunks are written to the file, since the oldest are read next. A chunk that
 * can't be written (no space) stays in memory; the search continues as long as the pool lasts.
 *
 * Invariant: chunks [first, count) hold the queue in order; the head and the tail are always
 * in memory. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "base/spill.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/must.h"
#include "base/rawsyscall.h"

static bool file_status(int file, struct stat *status)
{
    return raw_syscall4(SYS_fstat, file, (long)status, 0, 0) == 0;
}

static int file_open(struct spill *spill)
{
    static const char *const places[] = {"/var/tmp", "/tmp", "/dev/shm"};
    for (unsigned i = 0; i < sizeof places / sizeof places[0]; i++) {
        long file = raw_syscall4(SYS_openat, AT_FDCWD, (long)places[i],
                                 O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
        if (file < 0)
            continue;
        long high = raw_syscall4(SYS_fcntl, file, F_DUPFD_CLOEXEC, SPILL_DESCRIPTOR, 0);
        if (high >= 0) {
            raw_syscall4(SYS_close, file, 0, 0, 0);
            file = high;
        }
        struct stat status;
        if (file_status((int)file, &status)) {
            spill->device = status.st_dev;
            spill->inode = status.st_ino;
            return (int)file;
        }
        raw_syscall4(SYS_close, file, 0, 0, 0);
    }
    return -1;
}

/* Is the descriptor still ours? The program may have closed it, or this may be a new process.
 */
static bool file_usable(const struct spill *spill)
{
    struct stat status;
    return spill->file >= 0 && file_status(spill->file, &status) &&
           status.st_dev == spill->device && status.st_ino == spill->inode;
}

static bool file_transfer(const struct spill *spill, long call, char *memory, uint32_t number)
{
    long offset = (long)number * SPILL_CHUNK;
    for (long done = 0; done < SPILL_CHUNK;) {
        long n = raw_syscall4(call, spill->file, (long)(memory + done), SPILL_CHUNK - done,
                              offset + done);
        if (n <= 0)
            return false;
        done += n;
    }
    return true;
}

void spill_init(struct spill *spill, struct pool *pool, size_t memory_limit)
{
    memset(spill, 0, sizeof *spill);
    spill->pool = pool;
    spill->limit = (uint32_t)(memory_limit / SPILL_CHUNK);
    spill->file = file_open(spill);
}

void spill_destroy(struct spill *spill)
{
    for (uint32_t i = spill->first; i < spill->chunks.count; i++)
        pool_free(spill->pool, spill->chunks.item[i].memory, SPILL_CHUNK);
    vector_free(spill->pool, &spill->chunks);
    vector_free(spill->pool, &spill->holes);
    if (file_usable(spill))
        raw_syscall4(SYS_close, spill->file, 0, 0, 0);
    spill->file = -1;
    spill->length = 0;
}

static void chunk_out(struct spill *spill, struct spill_chunk *chunk)
{
    if (!file_usable(spill))
        return;
    uint32_t number =
        spill->holes.count ? spill->holes.item[spill->holes.count - 1] : spill->file_chunks;
    if (!file_transfer(spill, SYS_pwrite64, chunk->memory, number))
        return;
    if (spill->holes.count)
        spill->holes.count--;
    else
        spill->file_chunks++;
    pool_free(spill->pool, chunk->memory, SPILL_CHUNK);
    chunk->memory = NULL;
    chunk->number = number;
    spill->in_memory--;
}

static bool chunk_in(struct spill *spill, struct spill_chunk *chunk)
{
    if (chunk->memory)
        return true;
    if (!file_usable(spill))
        return false;
    chunk->memory = pool_alloc(spill->pool, SPILL_CHUNK);
    spill->in_memory++;
    *vector_add(spill->pool, &spill->holes) = chunk->number;
    return file_transfer(spill, SYS_pread64, chunk->memory, chunk->number);
}

/* The tail is full: start a new one, and make room when too much is in memory. */
static void tail_add(struct spill *spill)
{
    uint32_t queued = spill->chunks.count - spill->first;
    if (queued >= 2 && spill->in_memory >= spill->limit)
        chunk_out(spill, &spill->chunks.item[spill->chunks.count - 1]);
    if (spill->first > 64 && spill->first > spill->chunks.count / 2) {
        memmove(spill->chunks.item, spill->chunks.item + spill->first,
                queued * sizeof *spill->chunks.item);
        spill->chunks.count = queued;
        spill->first = 0;
    }
    struct spill_chunk *tail = vector_add(spill->pool, &spill->chunks);
    tail->memory = pool_alloc(spill->pool, SPILL_CHUNK);
    spill->in_memory++;
    spill->written = 0;
}

void spill_push(struct spill *spill, const void *bytes, size_t size)
{
    const char *from = bytes;
    spill->length += size;
    while (size > 0) {
        if (spill->first == spill->chunks.count || spill->written == SPILL_CHUNK)
            tail_add(spill);
        size_t part = SPILL_CHUNK - spill->written;
        if (part > size)
            part = size;
        memcpy(spill->chunks.item[spill->chunks.count - 1].memory + spill->written, from, part);
        spill->written += (uint32_t)part;
        from += part;
        size -= part;
    }
}

static void head_drop(struct spill *spill)
{
    must(spill->first < spill->chunks.count);
    pool_free(spill->pool, spill->chunks.item[spill->first].memory, SPILL_CHUNK);
    spill->in_memory--;
    spill->first++;
    spill->read = 0;
}

bool spill_pop(struct spill *spill, void *bytes, size_t size)
{
    char *to = bytes;
    if (spill->lost || size > spill->length)
        return false;
    spill->length -= size;
    while (size > 0) {
        if (spill->read == SPILL_CHUNK)
            head_drop(spill);
        struct spill_chunk *head = &spill->chunks.item[spill->first];
        if (!chunk_in(spill, head)) {
            spill->lost = true;
            spill->length = 0;
            return false;
        }
        size_t part = SPILL_CHUNK - spill->read;
        if (part > size)
            part = size;
        memcpy(to, head->memory + spill->read, part);
        spill->read += (uint32_t)part;
        to += part;
        size -= part;
    }
    return true;
}

bool spill_gather(struct spill *spill, size_t limit)
{
    uint64_t outside = spill->file_chunks - spill->holes.count;
    if (outside * SPILL_CHUNK > limit)
        return false;
    for (uint32_t i = spill->first; i < spill->chunks.count; i++)
        if (!chunk_in(spill, &spill->chunks.item[i]))
            return false;
    return !spill->lost;
}

void spill_reopen(struct spill *spill)
{
    if (file_usable(spill) || spill->file_chunks > spill->holes.count)
        return;
    spill->file_chunks = spill->holes.count = 0;
    spill->file = file_open(spill);
}
