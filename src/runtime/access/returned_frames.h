/* Local variables that other threads use, and the end of their frames.
 *
 * The return of a function ends the life of its local variables, as free() ends that of a
 * block. It is no operation, so it is told in both orders of the events: a thread that comes
 * after the return accesses memory below the stack pointer of its owner (or of a thread that
 * has ended), and where it came before, the return must happen after the access (race_free).
 *
 * The end of a thread does the same to its thread-local variables, and to what is left of its
 * stack. Variables of libc, such as errno, are written by functions that do not announce it: a
 * thread that uses those of another one takes "complete" away.
 *
 * Only what other threads accessed is looked at; a function that is inlined has no frame. */
#ifndef MAZUR_RUNTIME_RETURNED_FRAMES_H
#define MAZUR_RUNTIME_RETURNED_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* The running thread is about to access an address that is on the stack of another one. */
void frames_foreign_access(uint64_t address, uint64_t size, bool write, uint64_t pc);
/* The function with frame n of the running thread returns, and others accessed its stack. */
void frames_return(struct thread *self, uint32_t n, uint64_t pc);

/* Where the thread-local variables of the program and of libc lie, of all threads of the
 * execution, among others. */
struct thread_storage {
    uint64_t low;
    uint64_t size;
    uint64_t below; /* those of one thread: as many bytes below its thread pointer */
};
extern struct thread_storage frames_storage;

void frames_init(void);
/* A new execution. */
void frames_begin(void);
/* There is a new thread, with its storage. */
void frames_thread_begins(const struct thread *thread);
/* The running thread ends. */
void frames_thread_ends(const struct thread *self);
/* Is that what a race is being reported with? */
bool frames_thread_is_ending(void);
/* The running thread is about to access an address in frames_storage that is not its own. */
void frames_foreign_storage(uint64_t address, uint64_t size, bool write, uint64_t pc);

#endif
