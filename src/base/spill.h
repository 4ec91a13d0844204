/* A first-in first-out queue of bytes whose memory is bounded: what does not fit goes to a
 * temporary file without a name.
 *
 *   push ─▶ [ tail ] … [ in memory, up to the limit ] … [ in the file ] … [ head ] ─▶ pop
 *
 * The file is opened when the queue is made, so that forked children share it; a process that
 * does not have it (restarted after a crash) finds out by its inode and says so: spill_lost.
 * Without a place for the file the queue stays in memory. */
#ifndef MAZUR_BASE_SPILL_H
#define MAZUR_BASE_SPILL_H

#include <stdbool.h>

#include "base/pool.h"
#include "base/vector.h"

#define SPILL_CHUNK (64u << 10)
/* Out of the way of the program's own numbers. Where it is in use, the next one is taken. */
#define SPILL_DESCRIPTOR 900

struct spill_chunk {
    char *memory;    /* NULL: in the file */
    uint32_t number; /* which chunk of the file */
};

struct spill {
    struct pool *pool;
    VECTOR(struct spill_chunk) chunks; /* used from `first`: head first, tail last */
    uint32_t first;
    uint32_t read;    /* bytes taken from the head chunk */
    uint32_t written; /* bytes put into the tail chunk */
    uint64_t length;  /* bytes in the queue */
    uint32_t limit;   /* chunks in memory */
    uint32_t in_memory;
    int file; /* -1: none */
    uint64_t device, inode;
    uint32_t file_chunks;
    VECTOR(uint32_t) holes; /* chunks of the file that are free */
    bool lost;              /* a part of the queue could not be read back */
};

void spill_init(struct spill *spill, struct pool *pool, size_t memory_limit);
void spill_push(struct spill *spill, const void *bytes, size_t size);
/* Takes `size` bytes. If they can't be read, returns false and leaves the queue empty and
 * marked as lost. */
bool spill_pop(struct spill *spill, void *bytes, size_t size);
static inline uint64_t spill_length(const struct spill *spill)
{
    return spill->length;
}
/* Brings everything into memory, so that the pool holds the whole queue. False: more than
 * `limit` bytes are in the file, or they can't be read. */
bool spill_gather(struct spill *spill, size_t limit);
/* A new process has a gathered queue: give it a file of its own. */
void spill_reopen(struct spill *spill);
/* Close the file and free the chunks. */
void spill_destroy(struct spill *spill);

#endif
