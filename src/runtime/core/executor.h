/* The second executor: every program thread is an OS thread (mazur debug), so that a debugger
 * sees threads, their stacks and their thread-local storage where it looks for them.
 *
 *     fibers      pick ──────────────────────────────▶ fiber_swap        search, replay
 *     OS threads  pick ─ record_switch ─ executor_switch: give the turn, wait for one's own
 *
 * Everything else is the same code: hooks, enabled sets, replay strategy, event log. With
 * fibers the donor of a slot (donors.c) only lends its thread-local storage; here it runs the
 * thread itself, on the fiber's stack. So stacks, thread-local storage and pthread_t values
 * have the same addresses under both executors, and each can follow a schedule that the other
 * found.
 *
 * Invariant: only the OS thread of rt.current runs; all others wait in the kernel, each for its
 * own seat. There is one execution per process: nothing is restored. */
#ifndef MAZUR_RUNTIME_EXECUTOR_H
#define MAZUR_RUNTIME_EXECUTOR_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"

/* Called before the donors are created, by the main thread. */
void executor_init(void);
/* The execution is about to begin in `main_address`. */
void executor_begin(uint64_t main_address);
/* Called in a new donor: runs the thread of the slot when its turn comes. *ready as in
 * fiber_park().
 */
void executor_donor(int slot, uint32_t *ready) __attribute__((noreturn));
/* Is there an OS thread for the slot? The trace lists all threads of its execution. */
bool executor_has(int slot);
/* The running thread has executed its operation. */
void executor_note_event(void);
/* Called in the handler of a genuine SIGILL, so that the debugger sees the program's frames. */
void executor_note_illegal(void);
/* `tid` was picked. Returns when the calling thread is picked, with its slot. */
int executor_switch(int tid, uint32_t reason);
/* The execution is over. */
void executor_end(enum outcome outcome) __attribute__((noreturn));

/* What the debugger's script (src/gdb/session.py) reads and writes, by offset: it must not
 * depend on the debug information of this library. */
struct debugger_view {
    uint32_t version;
    uint32_t events;  /* executed so far */
    uint32_t running; /* slot */
    uint32_t reason;  /* enum switch_reason: why control came to it */
    uint32_t stop_on; /* script: bit set of reasons at which to stop */
    uint32_t stop_at; /* script: number (from 1) of the event to stop before, 0: none */
    uint32_t failure; /* enum failure_kind, once it has failed */
    uint32_t slots;   /* entries of os_thread that are in use */
    uint64_t main;    /* address of the program's main */
    uint64_t routine; /* address of the function that the running thread starts in */
    uint64_t on;      /* address of rt.on, one byte: 0 while the debugger calls a function */
    char message[BOARD_TEXT];
    threadset enabled;
    threadset finished;
    threadset started; /* they are in their function, or have been */
    int32_t os_thread[THREADS_MAX];
};
#define DEBUGGER_VIEW_VERSION 1

#endif
