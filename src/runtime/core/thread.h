/* A thread of the program, with the state that each part of the runtime keeps for it.
 *
 * Fields that are read in every step come first; the arrays are at the end. */
#ifndef MAZUR_RUNTIME_THREAD_H
#define MAZUR_RUNTIME_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/arch/fiber.h"
#include "runtime/core/thread_life.h"
#include "runtime/core/thread_signals.h"
#include "runtime/core/thread_spin.h"
#include "runtime/core/thread_time.h"
#include "runtime/core/thread_wait.h"

#define FRAMES_MAX 256 /* calls tracked per thread; deeper ones are only counted */
#define LOCKS_MAX  16

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

/* --races=explore: the last write that a hook announced, and the value before it. */
struct copy_target {
    uint64_t address, size, pc;
    unsigned char before[64];
};

struct thread {
    struct fiber fiber;
    int slot;
    uint32_t state;     /* enum thread_state */
    uint64_t stack_low; /* lowest stack address seen: the stack above it is cleared next time */
    uint64_t foreign_low, foreign_high; /* accessed by others, 0: none (returned_frames.c) */
    uint64_t live_low;    /* stack addresses from here on are in use until it runs again */
    uint64_t routine_end; /* stack addresses from here on are Mazur's own frames */
    struct thread_wait wait;
    struct thread_time time;
    struct thread_signals signals;
    struct thread_cancel cancel;
    int atomic;     /* depth of mazur_atomic regions: no switch while it can run */
    int no_preempt; /* depth of mazur_no_preempt regions: no switch but at a yield */
    uint32_t nframes;
    uint32_t nlocks;
    struct thread_spin spin;
    bool only_trapped; /* no hook ran since a trapped instruction (traps.c) */
    bool entry_known;  /* `entry` belongs to the pending operation */
    struct fiber_entry_registers entry;
    uint16_t ignores_reads, ignores_writes; /* depth of the program's annotations */
    uint32_t last_event;                    /* RECORD: index of its last event */
    uint64_t random;                        /* state of its stream of random numbers */
    struct program_fiber *program_fiber;    /* annotate.c; NULL: never asked for */
    struct thread_life life;
    struct call_frame frame[FRAMES_MAX];
    struct held_lock lock[LOCKS_MAX];
    struct spin_read read[SPIN_READS];
    struct spin_write write[SPIN_WRITES];
    struct copy_target copy; /* access.c */
};

/* The end of the outermost frame that has run since the thread's last progress. What is above
 * it belongs to callers that were suspended all that time. 0: unknown.
 */
static inline uint64_t thread_frame_end(const struct thread *thread)
{
    uint32_t n = thread->spin.depth;
    if (thread->nframes == 0 || n > FRAMES_MAX)
        return 0;
    return n >= 2 ? thread->frame[n - 2].sp : thread->routine_end;
}

/* Is the address on the thread's stack? Programs may have stacks of their own, too
 * (swapcontext). */
static inline bool thread_owns_stack(const struct thread *thread, uint64_t address)
{
    uint64_t low = (uint64_t)(uintptr_t)thread->fiber.stack;
    return address - low < (uint64_t)(uintptr_t)thread->fiber.base - low;
}

static inline void spin_progress(struct thread *thread)
{
    thread->spin.wrote = true;
    thread->spin.nreads = 0;
    thread->spin.lost_reads = false;
    thread->spin.nwrites = 0;
    thread->spin.rounds = 0;
    thread->spin.yielded = false;
    thread->time.saw_clock = false;
    thread->time.looks = 0;
    thread->spin.depth = thread->nframes;
}
/* The thread has returned to a function further out: the hashes so far did not cover its frame.
 */
static inline void spin_returned(struct thread *thread)
{
    if (thread->nframes < thread->spin.depth)
        spin_progress(thread);
}

#endif
