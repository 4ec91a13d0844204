/* The runtime inside the program under test: its one global state and what its files share.
 *
 * Invariant: one OS thread runs; `rt.on` is true exactly while it runs code of the program
 * (a hook that does Mazur's work runs no program code until it returns or calls back).
 * Nothing here is restored by the snapshot, so whatever belongs to one execution is reset in
 * the begin() of its component
 * (driver/components.c). Mazur's code here uses no libc state. */
#ifndef MAZUR_RUNTIME_RUNTIME_H
#define MAZUR_RUNTIME_RUNTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "board/board.h"
#include "explore/claim/limits.h"
#include "runtime/arch/compiler.h"
#include "runtime/arch/fiber.h"

#define NEVER       UINT64_MAX /* a deadline that does not come */
#define FRAMES_MAX  256        /* calls tracked per thread; deeper ones are only counted */
#define LOCKS_MAX   16
#define SPIN_READS  16
#define SPIN_WRITES 8

/* Canonical object names beside addresses: thread `slot`, the process, the clock. */
#define OBJECT_THREAD(slot) (UINT64_C(0xffff000000000000) + (uint64_t)(slot))
#define OBJECT_CLOCK        UINT64_C(0xfffe000000000000)

struct call_frame {
    uint64_t pc; /* call site in the caller */
    uint64_t sp; /* stack pointer on entry of the callee */
};

struct held_lock {
    uint64_t address;
    uint64_t pc;
    bool shared; /* others can hold it at the same time */
    bool robust; /* a mutex that outlives its owner */
};

/* Reads since the thread last changed anything: what an idle cycle would consist of. */
struct spin_read {
    uint64_t pc;
    uint64_t state; /* hash of the thread's local state before the read */
    uint64_t address;
    uint64_t object;
    uint64_t value;
    uint8_t size;
};

/* A plain write, and what was there before. */
struct spin_write {
    uint64_t address;
    uint64_t before;
    uint8_t size;
};

struct address_range {
    uint64_t start;
    uint64_t end;
};

#define INSTRUMENTED_MAX BOARD_MODULES

/* --races=explore: the last write that a hook was told of, and what was there before it. */
struct copy_target {
    uint64_t address, size, pc;
    unsigned char before[64];
};

struct thread {
    struct fiber fiber;
    int slot;
    uint32_t state; /* enum thread_state */
    int parent;
    uint32_t number;   /* it is the number-th child of parent */
    uint32_t children; /* created so far */
    void *(*routine)(void *);
    uint64_t stack_low;   /* lowest stack address seen: what is above is cleared next time */
    uint64_t routine_end; /* stack addresses from here on are Mazur's own frames */
    void *argument;
    void *result;
    pthread_t handle;
    bool detached;
    bool joined;
    int joiner;        /* slot, once it is joined */
    bool exit_by_call; /* pthread_exit, not a return */
    char name[16];

    bool (*ready)(struct thread *); /* of a pending operation that may block */
    void *wait_object;              /* what `ready` looks at */
    uint64_t wait_detail;
    const uint32_t *futex; /* word that it waits at */
    uint32_t futex_mask;
    const void *wait_condition; /* condition variable that it waits on */
    bool notified;              /* a waiter: it has been woken */
    bool may_wake_spuriously;
    uint32_t woke_spuriously; /* how often */
    uint64_t woke_state;      /* its local state when it began the wait that ended so last */
    bool wrote;               /* it has changed something since then */
    uint64_t now;             /* its virtual nanoseconds since the start */
    uint64_t deadline;        /* of the pending operation, NEVER: none */
    bool timed_out;

    uint64_t signal_mask;    /* blocked signals: bit number-1 */
    uint64_t signal_pending; /* sent to it, not yet delivered */
    uint64_t awaited;        /* by sigwait */
    bool interrupted;        /* its pending operation is the delivery of a signal */
    bool interrupted_idle;   /* a timer sent it when nobody could run */
    bool interrupted_wait;   /* it was waiting when the signal was sent */
    bool interruptible;      /* the call that it waits in can end with EINTR (signal_delivery.h) */
    bool keeps_mask;         /* … and has let signals through only for the time of the wait */
    bool handled;            /* a handler ran since the call began to wait */
    bool handled_without_restart;
    bool handled_in_spin; /* a handler ran while it waited in a spin loop (spin.c) */
    bool cancel_disabled;
    bool cancel_asynchronous;
    uint32_t cancel_asked;

    int atomic;     /* depth of mazur_atomic regions: no switch while it can run */
    int no_preempt; /* depth of mazur_no_preempt regions: no switch but at a yield */
    uint32_t nframes;
    uint32_t nlocks;
    uint32_t nreads;
    uint32_t spin_depth; /* least nframes since the last progress */
    uint32_t naps;       /* idle loops that time had to end */
    uint32_t yields;     /* in this execution */
    uint32_t busy_stretches; /* of plain reads without an operation (access.c) */
    bool saw_clock;      /* it looked at a clock since the last progress */
    bool read_since;     /* and made a visible read after that */
    uint16_t looks;      /* how often it looked */
    uint16_t idle_looks; /* … after its last operation, which was step … */
    uint32_t looks_from;
    bool set_by_other;      /* another thread gave it its name or processors */
    bool asked_own_setting; /* it asked for one of them */
    bool unproven;       /* it waits in a cycle that has not been proven idle */
    uint32_t last_event; /* RECORD: index of its last event */
    uint64_t random;     /* state of its stream of random numbers */
    uint64_t spin_state; /* local state at the read being executed, 0: unknown */
    bool only_trapped;   /* no hook ran since a trapped instruction (traps.c) */
    bool entry_known;    /* `entry` belongs to the pending operation */
    struct fiber_entry_registers entry;
    struct program_fiber *program_fiber;  /* annotate.c; NULL: it has never been asked for */
    uint16_t ignores_reads, ignores_writes; /* depth of the program's annotations */
    struct once_running *once;            /* routines of pthread_once that it runs, innermost first */
    struct exit_function *exit_functions; /* thread_local destructors, last first */
    struct call_frame frame[FRAMES_MAX];
    struct held_lock lock[LOCKS_MAX];
    struct spin_read read[SPIN_READS];
    uint32_t nwrites; /* plain writes since the reads, of which it is not known yet whether … */
    struct spin_write write[SPIN_WRITES]; /* … they change anything */
    struct copy_target copy;              /* access.c */
};

struct runtime {
    bool on;         /* program code is running under control */
    bool controlled; /* this process was started by mazur */
    bool asan;       /* ASan's runtime is in the process (asan.h) */
    bool left;       /* this is a process that the program forked: nothing is controlled */
    bool recording;
    bool simplifying;
    bool torn;       /* the search was stopped in the middle of an execution */
    bool os_threads; /* recording: program threads are OS threads (executor.h) */
    bool any_timeouts;
    bool saw_timed;         /* the program waits with a deadline */
    bool on_trial;          /* the thread goes through an idle cycle once more (spin_proof.c) */
    bool saw_unproven_loop; /* a thread waited in a cycle that could not be tried */
    bool saw_realtime;      /* the program has looked at the date */
    bool fingerprints;      /* the strategy compares states */
    bool notes_entries;     /* fingerprint_note_entry() is called */
    bool probing;           /* the execution is a probe (endless.h) */
    bool has_invariants;    /* some mazur_invariant() is in force */
    bool check_races;
    uint32_t ignorers; /* threads whose accesses are not checked (annotate.c) */
    bool has_traps;         /* --visible (traps.c) */
    bool watches_stacks;    /* accesses to local variables are not interrupted yet (traps.c) */
    bool preempts_by_place; /* --preempt-only, --no-preempt (places.c) */
    bool explore_races;     /* a race is no failure: where it is becomes a scheduling point */
    bool has_racy;          /* accesses to racing locations (lessons.h) are visible operations */
    bool volatile_atomic;   /* volatile accesses are relaxed atomics */
    bool store_buffers;     /* store_buffers.c watches */
    bool waits;             /* waits.c watches */
    bool stops_loops;       /* a thread was stopped in a loop (busy_loop.c) */
    bool shares_stacks;     /* threads write to each other's stacks (spin_stack.c) */
    bool shares_files;      /* files are used by several threads: shared.c */
    int current;
    struct thread *self;
    struct board *board;
    void *pool_segment; /* MAZUR_POOL: start.c lays it out */
    struct search *search;

    struct position pos;
    uint32_t frees;     /* of memory, so far */
    struct op done;     /* what pos.done points to, … */
    uint32_t done_step; /* … and the step that it was */
    threadset blocking; /* alive threads whose pending operation may block */
    bool stale;         /* some thread's readiness may have changed */
    bool exiting;       /* exit() has been called, and by this thread: */
    int exiting_thread;
    int exit_status;
    uint32_t plain_reads; /* since the last operation (access.c) */
    uint32_t look_at;     /* depth at which endless_look() is called next */
    uint32_t clock_looks; /* at the clock, by all threads in all executions */
    uint32_t used; /* slots used in this execution: 0 … used-1 */
    uint32_t alive;
    enum outcome outcome;

    uint64_t heap_pc; /* who called malloc or free last */
    uint64_t exit_pc; /* who called exit(), 0: main returned */
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

/* Where the frame of the outermost function ends that has run since the thread's last progress:
 * what lies above belongs to callers that were suspended all that time. 0 where it is unknown.
 */
static inline uint64_t thread_frame_end(const struct thread *thread)
{
    uint32_t n = thread->spin_depth;
    if (thread->nframes == 0 || n > FRAMES_MAX)
        return 0;
    return n >= 2 ? thread->frame[n - 2].sp : thread->routine_end;
}

/* Is it an address of the thread's stack? Programs have stacks of their own, too (swapcontext). */
static inline bool thread_owns_stack(const struct thread *thread, uint64_t address)
{
    uint64_t low = (uint64_t)(uintptr_t)thread->fiber.stack;
    return address - low < (uint64_t)(uintptr_t)thread->fiber.base - low;
}

static inline void spin_progress(struct thread *thread)
{
    thread->wrote = true;
    thread->nreads = 0;
    thread->nwrites = 0;
    thread->saw_clock = false;
    thread->looks = 0;
    thread->spin_depth = thread->nframes;
}
/* The thread has returned to a function further out: what was hashed did not cover its frame.
 */
static inline void spin_returned(struct thread *thread)
{
    if (thread->nframes < thread->spin_depth)
        spin_progress(thread);
}


#endif
