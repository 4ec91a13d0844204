/* The runtime inside the program under test: its one global state and what its files share.
 *
 * Invariant: one OS thread runs; `rt.on` is true exactly while it runs code of the program (a
 * hook that does Mazur's work runs no program code until it returns or calls back). The
 * snapshot restores nothing of this, so the begin() of each component (driver/components.c)
 * resets its state of one execution. Mazur's code here uses no libc state. */
#ifndef MAZUR_RUNTIME_RUNTIME_H
#define MAZUR_RUNTIME_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"
#include "runtime/arch/compiler.h"
#include "runtime/arch/fiber.h"
#include "runtime/core/calls_up.h"
#include "runtime/core/thread.h"

struct address_range {
    uint64_t start;
    uint64_t end;
};

#define INSTRUMENTED_MAX BOARD_MODULES

struct runtime {
    bool on;         /* program code is running under control */
    bool controlled; /* this process was started by mazur */
    bool asan;       /* ASan's runtime is in the process (asan.h) */
    bool left;       /* the program forked this process: nothing is controlled */
    bool recording;
    bool simplifying;
    bool torn;       /* the search was stopped in the middle of an execution */
    bool os_threads; /* recording: program threads are OS threads (executor.h) */
    bool any_timeouts;
    bool saw_timed;         /* the program waits with a deadline */
    bool on_trial;          /* the thread repeats a cycle to prove it idle (spin_proof.c) */
    bool looking_ahead;     /* the trial is one of look_ahead.c: nothing may be changed */
    bool looks_ahead;       /* some reads look ahead */
    uint64_t operand;       /* of the atomic operation that is being announced (atomic.h) */
    bool saw_unproven_loop; /* a thread waited in a cycle that could not be tried */
    bool saw_realtime;      /* the program has read the date */
    bool fingerprints;      /* the strategy compares states */
    bool notes_entries;     /* fingerprint_note_entry() is called */
    bool probing;           /* the execution is a probe (endless.h) */
    bool has_invariants;    /* some mazur_invariant() is in force */
    bool check_races;
    uint32_t ignorers;      /* threads whose accesses are not checked (annotate.c) */
    bool has_traps;         /* --visible (traps.c) */
    bool watches_stacks;    /* accesses to local variables are not interrupted yet (traps.c) */
    bool preempts_by_place; /* --preempt-only, --no-preempt (places.c) */
    bool explore_races;     /* a race is not a failure: its accesses become scheduling points */
    bool has_racy;        /* accesses to racing locations (lessons.h) are visible operations */
    bool volatile_atomic; /* volatile accesses are relaxed atomics */
    bool store_buffers;   /* store_buffers.c watches */
    bool symmetric;       /* --symmetric (symmetry.c) */
    bool notes_prefix;    /* what the search sees is noted (prefix.c) */
    bool counts_rounds;   /* some loops that count are left at once (counted.c), */
    bool rushing;         /* … and the current thread is leaving one */
    bool waits;           /* waits.c watches */
    bool stops_loops;     /* a thread was stopped in a loop (busy_loop.c) */
    bool shares_stacks;   /* threads write to each other's stacks (spin_stack.c) */
    bool shares_files;    /* several threads use the same files (shared_files.c) */
    int current;
    struct thread *self;
    struct board *board;
    void *pool_segment; /* MAZUR_POOL: driver.c lays it out */
    struct search *search;

    struct position pos;
    uint32_t frees;     /* frees of memory so far */
    struct op done;     /* what pos.done points to, … */
    uint32_t done_step; /* … and the step that it was */
    threadset blocking; /* alive threads whose pending operation may block */
    bool stale;         /* the enabled set may have changed */
    bool exiting;       /* exit() has been called, and by this thread: */
    int exiting_thread;
    int exit_status;
    uint32_t plain_reads; /* since the last operation (access.c) */
    uint32_t look_at;     /* depth at which endless_look() is called next, */
    uint32_t mark_at;     /* … and path_offer() */
    uint32_t clock_looks; /* of the clock, by all threads in all executions */
    uint32_t used;        /* slots used in this execution: 0 … used-1 */
    uint32_t alive;
    enum outcome outcome;

    uint64_t heap_pc;   /* the last caller of malloc or free */
    uint64_t exit_pc;   /* the caller of exit(); 0: main returned */
    bool opens_streams; /* the program uses putc_unlocked() as a macro, which accesses the
                           stream directly */
    uint32_t ninstrumented;
    struct address_range instrumented[INSTRUMENTED_MAX]; /* modules with instrumented code */
    struct address_range own;                            /* libmazur.so itself */
    struct address_range language[2]; /* libgcc_s, libstdc++: the language's own support */
    long forked;          /* --isolate=fork: the process that runs the execution, 0 inside it */
    uint64_t image_start; /* the executable file in memory */
    uint64_t image_end;
    char *search_stack; /* top of the stack that the search runs on */
    struct fiber driver;
    struct op pending[THREADS_MAX];
    struct thread thread[THREADS_MAX];
};

extern struct runtime rt __attribute__((visibility("hidden")));

/* In a hook: is the program's code running under control? A trial that looks ahead ends before
 * the hook does anything. */
static inline bool under_control(void)
{
    if (UNLIKELY(rt.looking_ahead) && rt.on)
        calls_up.look_ahead_stop();
    return rt.on;
}

#endif
