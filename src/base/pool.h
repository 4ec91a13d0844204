/* A pool: memory for everything that a search keeps.
 *
 * Inside the program under test Mazur must not use libc's malloc (its state is restored with
 * the rest of the program), and the search must survive a crash of that program, so its memory
 * is one reserved range, given by the owner: a shared mapping at a fixed address in the child,
 * any anonymous mapping in tests. Freed blocks go to lists by power-of-two size.
 *
 * Invariant: pointers into the pool are stable; the pool's own header lies at its start. */
#ifndef MAZUR_BASE_POOL_H
#define MAZUR_BASE_POOL_H

#include <stddef.h>
#include <stdint.h>

struct pool;

/* Turn [memory, memory + size) into a pool. The memory must read as zero and may be reserved
 * lazily by the kernel. */
struct pool *pool_create(void *memory, size_t size);
/* A pool in a mapping of its own, for tests and tools. If address space is limited (ulimit -v),
 * it may be smaller than `size`. NULL when the kernel has no memory. */
struct pool *pool_create_private(size_t size);
void pool_destroy_private(struct pool *pool);

/* Zeroed memory, 16-byte aligned. Running out ends the process through pool_exhausted(). */
void *pool_alloc(struct pool *pool, size_t size);
void pool_free(struct pool *pool, void *block, size_t size);
/* Grow an array: the old contents are kept, the rest is zero. `old` may be NULL with size 0. */
void *pool_grow(struct pool *pool, void *old, size_t old_size, size_t new_size);
size_t pool_used(const struct pool *pool);
/* Bytes from the pool's start that were ever in use: what lies beyond still reads as zero. */
size_t pool_extent(const struct pool *pool);

/* Called when a pool is full; must not return. Set by the owner of the process. */
extern void (*pool_exhausted)(struct pool *pool, size_t wanted);

#endif
