/* Local variables that other threads use, and the end of their frames.
 *
 * The return of a function ends the life of its local variables, as free() ends that of a
 * block. It is not an operation, so both orders of the events must be detected. If the other
 * thread comes after the return, it accesses memory below the owner's stack pointer (or the
 * stack of a thread that has ended). If it comes before, the access must happen before the
 * return (race_free).
 *
 * The end of a thread ends the life of its thread-local variables, and of what is left of its
 * stack.
 *
 * Only variables that other threads accessed are checked; an inlined function has no frame. */
#ifndef MAZUR_RUNTIME_RETURNED_FRAMES_H
#define MAZUR_RUNTIME_RETURNED_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The running thread is about to access an address that is on the stack of another one. */
void frames_foreign_access(uint64_t address, uint64_t size, bool write, uint64_t pc);
/* The function with frame n of the running thread returns, and other threads accessed its
 * stack. */
void frames_return(struct thread *self, uint32_t n, uint64_t pc);

/* A range that contains the thread-local variables of all ended threads (and more). */
struct ended_storage {
    uint64_t low;
    uint64_t size;
};
extern struct ended_storage frames_ended;

/* A new execution. */
void frames_begin(void);
/* The running thread ends. */
void frames_thread_ends(const struct thread *self);
/* Is the race being reported one with the end of a thread? */
bool frames_thread_is_ending(void);
/* The running thread is about to access an address in frames_ended. */
void frames_ended_access(uint64_t address, uint64_t size, bool write, uint64_t pc);

#endif
