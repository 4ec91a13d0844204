/* The parent's side of the board: creates it, and distrusts what the child writes. See
 * board.h. */
#define _GNU_SOURCE
#include "board/board.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "board/parent.h"

static int sparse_segment(const char *name, uint64_t size)
{
    int descriptor = memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0)
        return -1;
    if (ftruncate(descriptor, (off_t)size) != 0) {
        int error = errno;
        close(descriptor);
        errno = error;
        return -1;
    }
    return descriptor;
}

/* Zero would claim that bound 0 was searched, even if the child died before that. */
static void fill_in_stats(struct board *board)
{
    board->stats.bound = BOUND_NONE;
    board->stats.bound_done = -1;
}

static void fill_in(struct board *board)
{
    board->magic = BOARD_MAGIC;
    board->version = BOARD_VERSION;
    fill_in_stats(board);
    board->proven.bound_done = -1;
}

/* Maps the shared pages in place of the parent's copy, or anywhere if there is none yet. */
static bool map_shared(struct shared *shared)
{
    void *memory =
        mmap(shared->board, BOARD_BYTES, PROT_READ | PROT_WRITE,
             MAP_SHARED | MAP_NORESERVE | (shared->board ? MAP_FIXED : 0), shared->board_fd, 0);
    if (memory == MAP_FAILED)
        return false;
    shared->board = memory;
    shared->frozen = false;
    return true;
}

bool shared_open(struct shared *shared)
{
    *shared = (struct shared){.board_fd = -1, .pool_fd = -1};
    shared->board_fd = sparse_segment("mazur-board", BOARD_BYTES);
    if (shared->board_fd < 0)
        return false;
    shared->pool_fd = sparse_segment("mazur-pool", POOL_BYTES);
    if (shared->pool_fd < 0 || !map_shared(shared)) {
        int error = errno;
        shared_close(shared);
        errno = error;
        return false;
    }
    fill_in(shared->board);
    return true;
}

/* Calls `take` for every part of the board that was ever written to. */
static bool each_extent(int descriptor, bool take(void *context, off_t start, size_t length),
                        void *context)
{
    off_t at = 0;
    while ((at = lseek(descriptor, at, SEEK_DATA)) >= 0) {
        off_t end = lseek(descriptor, at, SEEK_HOLE);
        if (end < 0 || !take(context, at, (size_t)(end - at)))
            return false;
        at = end;
    }
    return errno == ENXIO; /* no more data */
}

struct copying {
    int descriptor;
    char *copy;
};

static bool read_extent(void *context, off_t start, size_t length)
{
    struct copying *copying = context;
    for (size_t done = 0; done < length;) {
        ssize_t got = pread(copying->descriptor, copying->copy + start + done, length - done,
                            start + (off_t)done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static bool write_extent(void *context, off_t start, size_t length)
{
    struct copying *copying = context;
    for (size_t done = 0; done < length;) {
        ssize_t written = pwrite(copying->descriptor, copying->copy + start + done,
                                 length - done, start + (off_t)done);
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

struct board *board_copy(const struct shared *shared)
{
    void *memory = mmap(NULL, BOARD_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct copying copying = {shared->board_fd, memory};
    if (memory == MAP_FAILED)
        return NULL;
    if (!each_extent(shared->board_fd, read_extent, &copying)) {
        int error = errno;
        munmap(memory, BOARD_BYTES);
        errno = error;
        return NULL;
    }
    struct board *board = memory;
    struct board_config config = shared->given;
    config_take(&config, &board->config);
    board->config = config;
    board_sanitize(board);
    return board;
}

void board_copy_free(struct board *board)
{
    if (board)
        munmap(board, BOARD_BYTES);
}

void shared_give(struct shared *shared)
{
    shared->given = shared->board->config;
}

bool shared_freeze(struct shared *shared)
{
    struct board *copy = board_copy(shared);
    if (!copy || mremap(copy, BOARD_BYTES, BOARD_BYTES, MREMAP_MAYMOVE | MREMAP_FIXED,
                        shared->board) == MAP_FAILED)
        return false;
    shared->frozen = true;
    return true;
}

bool shared_thaw(struct shared *shared)
{
    struct copying copying = {shared->board_fd, (char *)shared->board};
    return !shared->frozen ||
           (each_extent(shared->board_fd, write_extent, &copying) && map_shared(shared));
}

/* Pages of a sparse file read as zero after their hole is punched. */
bool shared_reset(struct shared *shared)
{
    int mode = FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE;
    if (fallocate(shared->board_fd, mode, 0, (off_t)BOARD_BYTES) != 0 ||
        fallocate(shared->pool_fd, mode, 0, (off_t)POOL_BYTES) != 0 ||
        (shared->frozen && !map_shared(shared)))
        return false;
    fill_in(shared->board);
    return true;
}

/* What belongs to one child and its search, not to the program. */
static void renew_board(struct board *board)
{
    board->stop = board->hang_check = board->start_over = 0;
    board->state = CHILD_STARTING;
    board->more = board->forked = 0;
    board->stats = (struct search_stats){0};
    fill_in_stats(board);
    board->left = LEFT_NOTHING;
    board->nfailures = board->nkept = board->nschedule = 0;
    memset(&board->work, 0, sizeof board->work);
}

/* The tables of objects in front of the searches. */
static bool copy_tables(const struct shared *to, const struct shared *from, uint64_t end)
{
    static char bytes[1 << 16];
    off_t at = POOL_TABLES;
    while ((at = lseek(from->pool_fd, at, SEEK_DATA)) >= 0 && (uint64_t)at < end) {
        size_t length = end - (uint64_t)at < sizeof bytes ? end - (uint64_t)at : sizeof bytes;
        ssize_t got = pread(from->pool_fd, bytes, length, at);
        if (got <= 0 || pwrite(to->pool_fd, bytes, (size_t)got, at) != got)
            return false;
        at += got;
    }
    return at >= 0 || errno == ENXIO;
}

bool shared_copy(struct shared *to, const struct shared *from)
{
    struct board *copy = board_copy(from);
    if (!copy)
        return false;
    struct copying copying = {to->board_fd, (char *)copy};
    bool good = shared_reset(to) && each_extent(from->board_fd, write_extent, &copying) &&
                copy_tables(to, from, copy->pool_tables);
    board_copy_free(copy);
    if (good)
        renew_board(to->board);
    to->given = from->given; /* for copies of the copy */
    return good;
}

void shared_close(struct shared *shared)
{
    if (shared->board)
        munmap(shared->board, BOARD_BYTES);
    if (shared->board_fd >= 0)
        close(shared->board_fd);
    if (shared->pool_fd >= 0)
        close(shared->pool_fd);
    *shared = (struct shared){.board_fd = -1, .pool_fd = -1};
}

static uint32_t at_most(uint32_t value, uint32_t limit)
{
    return value < limit ? value : limit;
}

uint32_t board_failing_schedule(const struct board *board, uint32_t index,
                                const uint32_t **schedule)
{
    uint32_t ends = board->failure[index].ends;
    if (board->nkept > 0) {
        uint32_t start = board->kept_start[index];
        uint32_t next =
            index + 1 < board->nfailures ? board->kept_start[index + 1] : board->nkept;
        if (start <= next && next <= board->nkept) {
            *schedule = board->kept + start;
            return ends ? at_most(ends, next - start) : next - start;
        }
    }
    *schedule = board->schedule;
    return ends ? at_most(ends, board->nschedule) : board->nschedule;
}
