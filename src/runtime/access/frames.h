/* Local variables that other threads use, and the end of their frames.
 *
 * The return of a function ends the life of its local variables, as free() ends that of a block.
 * It is no operation, so it is told in both orders of the events: a thread that comes after the
 * return accesses memory below the stack pointer of its owner (or of a thread that has ended),
 * and where it came before, the return must happen after the access (race_free).
 *
 * Only what other threads accessed is looked at; a function that is inlined has no frame. */
#ifndef MAZUR_RUNTIME_FRAMES_H
#define MAZUR_RUNTIME_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The running thread is about to access an address that is on the stack of another one. */
void frames_foreign_access(uint64_t address, uint64_t size, bool write, uint64_t pc);
/* The function with frame n of the running thread returns, and others accessed its stack. */
void frames_return(struct thread *self, uint32_t n, uint64_t pc);

#endif
