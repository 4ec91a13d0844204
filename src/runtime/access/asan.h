/* Programs that were built with AddressSanitizer (`mazur run` only: it and ThreadSanitizer's
 * instrumentation exclude each other).
 *
 * Mazur's heap stays the heap of the program. What ASan's own allocator would have told its
 * shadow memory, asan.c tells it, so that the checks compiled into the program find what
 * Mazur's own check finds in programs with instrumentation: use after free and accesses beside
 * a block, and beyond that ASan's errors on stacks and globals. Each ends as a failure with its
 * interleaving. Executions are forked processes, since the shadow memory is not restored. */
#ifndef MAZUR_RUNTIME_ASAN_H
#define MAZUR_RUNTIME_ASAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* If ASan's runtime is in the process: from now on (rt.asan) its errors are failures. To be
 * called when it has set up its shadow memory. */
void asan_init(void);
/* Where rt.asan: the program has got a block, or given one back. */
void asan_allocated(void *block, size_t size);
void asan_freed(void *block, size_t size);
/* A string function that Mazur does by hand is about to read or write this. */
void asan_access(const void *address, size_t size, bool write);

#endif
