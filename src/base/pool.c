/* The pool (pool.h): a bump pointer over one range, and one free list per power of two.
 *
 * Why so simple: a search allocates only to grow arrays and tables, so what matters is that
 * blocks are stable and zeroed, and that the memory of outgrown arrays is reused.
 *
 * The pages of large free blocks go back to the kernel, except for the first one, which holds
 * the link: the outgrown versions of a table are together as large as the table.
 *
 *   [ header | block | block | … | bump → … untouched, zero … | end )
 *
 * Invariant: every byte at or above `bump` has never been written, hence reads as zero;
 * a block of list k has exactly 2^k bytes. */
#include "base/pool.h"

#include <string.h>
#include <sys/mman.h>

#include "base/must.h"
#include "base/rawsyscall.h"

#define POOL_SMALLEST 4 /* 2^4: the alignment, and room for a list link */
#define POOL_CLASSES  48
#define POOL_LARGE    20 /* 2^20: free blocks from here on go back to the kernel */
#define POOL_PAGE     4096

struct free_block {
    struct free_block *next;
};

struct pool {
    uintptr_t bump;
    uintptr_t end;
    size_t used;
    struct free_block *free[POOL_CLASSES];
};

static void exhausted_by_default(struct pool *pool, size_t wanted)
{
    (void)pool;
    (void)wanted;
    __builtin_trap();
}

void (*pool_exhausted)(struct pool *pool, size_t wanted) = exhausted_by_default;

static int size_class(size_t size)
{
    if (size <= (1u << POOL_SMALLEST))
        return POOL_SMALLEST;
    return 64 - __builtin_clzll(size - 1);
}

struct pool *pool_create(void *memory, size_t size)
{
    struct pool *pool = memory;
    pool->bump = ((uintptr_t)memory + sizeof *pool + 15) & ~(uintptr_t)15;
    pool->end = (uintptr_t)memory + size;
    return pool;
}

#define LEAST_PART 16 /* of the requested size */

/* Takes no more than half of the address space that is left (ulimit -v): without the rest, the
 * stack can't grow. */
struct pool *pool_create_private(size_t size)
{
    for (size_t least = size / LEAST_PART; size >= least; size /= 2) {
        char *memory = mmap(NULL, 2 * size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory != MAP_FAILED) {
            munmap(memory + size, size);
            return pool_create(memory, size);
        }
    }
    return NULL;
}

void pool_destroy_private(struct pool *pool)
{
    munmap(pool, pool->end - (uintptr_t)pool);
}

void *pool_alloc(struct pool *pool, size_t size)
{
    int class = size_class(size);
    struct free_block *block = class < POOL_CLASSES ? pool->free[class] : NULL;
    if (block) {
        pool->free[class] = block->next;
        pool->used += (size_t)1 << class;
        return memset(block, 0, size);
    }
    if (class >= POOL_CLASSES || pool->end - pool->bump < (size_t)1 << class) {
        pool_exhausted(pool, size);
        __builtin_trap();
    }
    void *fresh = (void *)pool->bump;
    pool->bump += (size_t)1 << class;
    pool->used += (size_t)1 << class;
    return fresh;
}

/* Only MADV_REMOVE releases shared memory, and only MADV_DONTNEED private memory. */
static void release_pages(struct free_block *block, int class)
{
    long from = (long)(((uintptr_t)(block + 1) + POOL_PAGE - 1) & ~(uintptr_t)(POOL_PAGE - 1));
    long end = (long)(((uintptr_t)block + ((size_t)1 << class)) & ~(uintptr_t)(POOL_PAGE - 1));
    if (raw_syscall4(SYS_madvise, from, end - from, MADV_REMOVE, 0) != 0)
        raw_syscall4(SYS_madvise, from, end - from, MADV_DONTNEED, 0);
}

void pool_free(struct pool *pool, void *block, size_t size)
{
    if (!block)
        return;
    int class = size_class(size);
    must(class < POOL_CLASSES && pool->used >= (size_t)1 << class);
    struct free_block *freed = block;
    freed->next = pool->free[class];
    pool->free[class] = freed;
    if (class >= POOL_LARGE)
        release_pages(freed, class);
    pool->used -= (size_t)1 << class;
}

void *pool_grow(struct pool *pool, void *old, size_t old_size, size_t new_size)
{
    if (old && size_class(old_size) == size_class(new_size)) {
        memset((char *)old + old_size, 0, new_size - old_size);
        return old;
    }
    void *grown = pool_alloc(pool, new_size);
    if (old)
        memcpy(grown, old, old_size);
    pool_free(pool, old, old_size);
    return grown;
}

size_t pool_used(const struct pool *pool)
{
    return pool->used;
}

size_t pool_extent(const struct pool *pool)
{
    return pool->bump - (uintptr_t)pool;
}
