/* Local variables that other threads use, and the end of their frames.
 *
 * The return of a function ends the life of its local variables, as free() ends that of a
 * block. It is not an operation, so both orders of the events must be detected. If the other
 * thread comes after the return, it accesses memory below the owner's stack pointer (or the
 * stack of a thread that has ended). If it comes before, the access must happen before the
 * return (race_free).
 *
 * The end of a thread does the same to its thread-local variables, and to what is left of its
 * stack. libc's functions write variables such as errno without announcing it, so a thread that
 * uses those of another thread forbids "complete".
 *
 * Only variables that other threads accessed are checked. Inlined functions and inner blocks
 * have no frame: for their variables see used_locals.h. Where the frames are unknown
 * (longjmp(), several stacks, a library function in between), nothing is reported, and the
 * result is not "complete". */
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
 * is no longer in thread.frame. */
void frames_return(struct thread *self, struct frame_exit at);

/* A range of addresses that contains the thread-local variables of the program and of libc, of
 * all threads of the execution. */
struct thread_storage {
    uint64_t low;
    uint64_t size;
    uint64_t below; /* those of one thread begin this many bytes below its thread pointer */
};
extern struct thread_storage frames_storage;

void frames_init(void);
/* A new execution. */
void frames_begin(void);
/* There is a new thread, with its storage. */
void frames_thread_begins(const struct thread *thread);
/* The running thread ends. */
void frames_thread_ends(const struct thread *self);
/* Is the race being reported one with the end of a thread? */
bool frames_thread_is_ending(void);
/* The running thread is about to access an address in frames_storage that is not its own. */
void frames_foreign_storage(uint64_t address, uint64_t size, bool write, uint64_t pc);

#endif
