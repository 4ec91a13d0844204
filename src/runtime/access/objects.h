/* The memory of synchronisation objects: which thread still uses an object when its memory is
 * freed.
 *
 * Between its announcement and its effect an operation waits to be picked, and other threads
 * may free the object's memory meanwhile. So the memory is checked when the operation takes
 * effect, not only when it is announced.
 *
 * free() is not an operation: it happens inside a step. A reduction need not try the reverse
 * order of a free and a use of an object in the block, because every use leaves an access for
 * the race detector:
 *
 *     use … free, ordered          by a lock, a join, …: no error
 *     use … free, not ordered      in another order of independent steps the free comes first:
 *                                  the race detector reports it here, as a use after free
 *     free … use                   the use finds dead memory
 *     free while a thread waits    the use has begun: reported at the free
 *
 * If two orders of a use and a free differ by dependent operations, the strategies run both.
 * Destroying an object is an operation on it, so both orders are run in any case, and the use
 * that comes second finds the mark of a destroyed object. */
#ifndef MAZUR_RUNTIME_OBJECTS_H
#define MAZUR_RUNTIME_OBJECTS_H

#include <stddef.h>
#include <stdint.h>

/* The picked operation uses the object. Raises a failure if its memory is not live. */
void object_use(const volatile void *object, size_t size, uint64_t pc);
/* The picked operation initialises the object: no other thread may use it. */
void object_init(const volatile void *object, size_t size, uint64_t pc);
/* The memory is about to be freed or unmapped. Raises a failure if a thread waits there. */
void object_memory_ends(uint64_t base, uint64_t size, uint64_t pc);

#endif
