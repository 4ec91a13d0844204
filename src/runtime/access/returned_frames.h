/* Local variables that other threads use, and the end of their frames.
 *
 * The return of a function ends the life of its local variables, as free() ends that of a
 * block. It is no operation, so it is told in both orders of the events: a thread that comes
 * after the return accesses memory below the stack pointer of its owner (or of a thread that
 * has ended), and where it came before, the return must happen after the access (race_free).
 *
 * The end of a thread does the same to its thread-local variables, and to what is left of its
 * stack.
 *
 * Only what other threads accessed is looked at; a function that is inlined has no frame. Where
 * the frames can't be told (longjmp(), several stacks, a library's function in between),
 * nothing is reported, and nothing is called complete. */
#ifndef MAZUR_RUNTIME_RETURNED_FRAMES_H
#define MAZUR_RUNTIME_RETURNED_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The running thread is about to access an address that is on the stack of another one. */
void frames_foreign_access(uint64_t address, uint64_t size, bool write, uint64_t pc);
/* Where a function calls the hook before it returns, and its stack pointer there. */
struct frame_exit {
    uint64_t pc;
    uint64_t sp;
};
/* The running thread, whose stack others accessed, returns from a function; its innermost frame
 * has been taken away. */
void frames_return(struct thread *self, struct frame_exit at);

/* Where thread-local variables of threads that have ended lie, among others. */
struct ended_storage {
    uint64_t low;
    uint64_t size;
};
extern struct ended_storage frames_ended;

/* A new execution. */
void frames_begin(void);
/* The running thread ends. */
void frames_thread_ends(const struct thread *self);
/* Is that what a race is being reported with? */
bool frames_thread_is_ending(void);
/* The running thread is about to access an address in frames_ended. */
void frames_ended_access(uint64_t address, uint64_t size, bool write, uint64_t pc);

#endif
