/* Programs that were built with AddressSanitizer (`mazur run` only, since ASan excludes
 * ThreadSanitizer's instrumentation).
 *
 * The program keeps using Mazur's heap. asan.c updates the shadow memory as ASan's own
 * allocator would. So the checks compiled into the program find what Mazur's own check finds in
 * instrumented programs (use after free, accesses outside a block), plus ASan's errors on
 * stacks and globals. Each becomes a failure with its interleaving. Executions are forked
 * processes, since the shadow memory is not restored. */
#ifndef MAZUR_RUNTIME_ASAN_H
#define MAZUR_RUNTIME_ASAN_H

#include <stdbool.h>
#include <stddef.h>

/* If ASan's runtime is in the process, its errors are failures from now on (rt.asan). Must be
 * called after ASan has set up its shadow memory. */
void asan_init(void);
/* Only if rt.asan: the program has allocated or freed a block. */
void asan_allocated(void *block, size_t size);
void asan_freed(void *block, size_t size);
/* A string function that Mazur implements itself is about to read or write this. */
void asan_access(const void *address, size_t size, bool write);

#endif
