/* The runtime inside the program under test: its one global state and what its files share.
 *
 *    start.c       takes over before main, owns the driver loop
 *    schedule.c    visible operations: announce, pick, switch
 *    snapshot.c    memory back to where it was before main
 *    failure.c     what went wrong, written to the board
 *    signals.c     faults, crashes, hang reports
 *    donors.c      thread-local storage to borrow
 *    executor.c    program threads as OS threads, for mazur debug
 *    endless.c     the step limit, states that come back
 *    spin.c        idle spin loops
 *    spin_proof.c  proof that they are
 *    spin_stack.c  parts of stacks that other threads write
 *    busy_loop.c   loops that make no operation
 *    waits.c       loops that change something, and wait all the same
 *    objects.c     the memory of synchronisation objects
 *    record.c      the event log of a RECORD run
 *    hooks_*.c     the API families; each hook says which sentence of POSIX or C it implements
 *
 * Invariant: one OS thread runs; `rt.on` is true exactly while it runs code of the program
 * (a hook that does Mazur's work runs no program code until it returns or calls back).
 * Nothing here is restored by the snapshot, so whatever belongs to one execution is reset in
 * schedule_begin(). Mazur's code here uses no libc state (DESIGN 2.5). */
#ifndef MAZUR_RUNTIME_RUNTIME_H
#define MAZUR_RUNTIME_RUNTIME_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "board/board.h"
#include "explore/claim/limits.h"
#include "runtime/arch/fiber.h"

#define EXPORT      __attribute__((visibility("default")))
#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* Code address of whoever called the hook. */
#define CALLER ((uint64_t)(uintptr_t)__builtin_return_address(0))

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

extern struct runtime rt;

/* --- schedule.c --- */

/* Announce `op` as the current thread's next operation and wait until it is picked. */
void schedule_point(const struct op *op);
/* The same for one that can be disabled: ready(self) says whether it can be executed. */
void schedule_point_blocking(const struct op *op, bool (*ready)(struct thread *));
/* The operation has been executed; `op` is its final form. */
void schedule_done(const struct op *op);
/* The current thread has ended: go on with another one. */
void schedule_leave(void) __attribute__((noreturn));
/* End the execution and return to the driver. */
void schedule_end(enum outcome outcome) __attribute__((noreturn));
/* End the execution and begin the whole search again: something was learned that it builds on.
 */
/* Has the thread made an operation there in this execution? */
bool schedule_was_at(int tid, uint64_t pc);
void schedule_start_over(void) __attribute__((noreturn));
/* The program does what partial-order reduction does not cover: the search starts over without.
 */
void schedule_leave_reductions(void);
/* The same from the beginning, because preemptions are tried in some places only. */
void schedule_by_place(void);
/* A data choice 0 … n-1 inside a step. */
int schedule_choose(int n);
/* Start of an execution. */
void schedule_begin(void);
/* Nothing can run, or nothing new: time passes up to the nearest deadline or timer. False: there
 * is none. */
bool schedule_pass_time(void);
/* A blocking operation with a deadline was picked: did it time out? Sets self->timed_out. */
bool schedule_timed_out(void);

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

/* --- start.c --- */
/* exit(): handlers, then the operation PROCESS_EXIT. */
void start_program_exit(int status, uint64_t pc) __attribute__((noreturn));
/* _exit(): no handlers. */
void start_program_end(int status, uint64_t pc) __attribute__((noreturn));
/* Is this process controlled? Finds out once; safe from the first malloc on. */
void start_attach(void);

/* --- shared.c --- */
/* An operation on what libc or the kernel keeps for all threads; the effect follows the call.
 */
void shared_use(enum shared_state state, uint64_t pc);
/* The same for a call that only reads it. */
void shared_look(enum shared_state state, uint64_t pc);
/* The same for state that may be looked at in many ways: it depends on all other operations. */
void shared_change(uint64_t pc);
/* A look at state that is rarely changed, and a change of it; a use of state that every call
 * moves on. Operations once that matters (shared.c). */
void shared_look_state(enum shared_state state, uint64_t pc);
void shared_look_path(const char *path, uint64_t pc); /* a file, by its path */
void shared_change_state(enum shared_state state, uint64_t pc);
/* The same for state that each thread has its own of, and rarely looks at that of others. */
void shared_look_other(enum shared_state state, uint64_t pc);
void shared_change_own(enum shared_state state, uint64_t pc);
void shared_use_among_threads(enum shared_state state, uint64_t pc);
void zone_begin(void); /* libc_effects.c: of an execution */
/* memstream.c: memory of the program that belongs to a stream */
void memstreams_begin(void);
void memstream_use(const void *file, uint64_t pc);
void memstream_flush(const void *file, uint64_t pc);
void memstream_close(const void *file, uint64_t pc);
void settings_begin(void); /* thread_settings.c: of an execution */
/* Reading or writing a file that other threads use, too. */
void shared_use_file(uint64_t object, int flags, uint64_t pc);
void stream_use(const void *file, uint64_t pc);
void stream_read(void *file, uint64_t pc); /* a use that may fill its buffer */

/* --- libstdcxx.c --- */
void libstdcxx_take_over(void); /* before the snapshot */
/* What a race at this address is, which may be part of std::cout and its like, or the library's
 * own. */
enum race_standing { RACE_IS_FAILURE, RACE_IS_ALLOWED, RACE_IS_OPERATION };
enum race_standing libstdcxx_race(uint64_t address);
/* facets.c: does a facet of the library keep results of its own there? */
bool facets_keep(uint64_t address);
void facets_begin(void); /* of an execution */
/* Effects in libstdcxx.def: argument 2 is a std::string; 2 and 3 are the ends of a text. */
void cxx_reads_string(const uint64_t *argument, uint64_t pc);
void cxx_reads_range(const uint64_t *argument, uint64_t pc);
void shared_begin(void);   /* of an execution */
void holders_begin(void);  /* cxx.c: of an execution */
void mappings_begin(void); /* mapping.c: of an execution */
/* exit(3p) is called: returns for the first thread that does. */
void shared_begin_exit(uint64_t pc);
/* The search learns that threads share something, and begins again. */
void shared_learn(enum lesson_kind kind, uint64_t value);
void process_restore(void); /* what the execution changed that is not memory */

/* --- annotate.c: what the program says about itself --- */
void annotations_begin(void);
/* Is a plain access of the running thread to be left alone? */
bool annotations_ignore(bool write);
/* Are races in this memory benign? */
bool annotations_allow_race(uint64_t address, uint64_t size);

/* --- modules.c --- */
/* Put the modules that are loaded on the board, but for those that are there. */
void modules_note(void);
/* A hash of where they lie. */
uint64_t modules_layout(void);
/* Does pc lie in a module that was compiled with instrumentation? */
bool module_instrumented(uint64_t pc);

/* --- donors.c --- */
void donors_init(void);
/* A donor for the slot: fills in handle and tls. False: the system has no more threads. */
bool donors_lend(struct thread *thread);

/* --- failure.c --- */
/* The type of the C++ exception that nobody caught, mangled; NULL: there is none. */
const char *exception_in_flight(void);
struct failure_details {
    uint64_t pc;
    uint64_t address;
    int signal;
    int status;
    int line; /* of an assertion, as it says itself */
};
/* Report a failure of the current thread and end the execution. */
void failure_raise(enum failure_kind kind, const struct failure_details *details,
                   const char *format, ...) __attribute__((noreturn, format(printf, 3, 4)));
/* Fill in the board's entry only; the caller ends the execution. */
void failure_note(enum failure_kind kind, const struct failure_details *details,
                  const char *format, ...) __attribute__((format(printf, 3, 4)));
void failure_memory(const char *what, uint64_t address, uint64_t size, bool write, uint64_t pc);
void failure_leaks(void);
/* Before main nothing can be explored: say why and end. */
void failure_before_main(const char *what) __attribute__((noreturn));
void failure_deadlock(void) __attribute__((noreturn));
/* The state of `period` steps ago has come back, and every thread that could run took part; 0:
 * a fair bound does not end the execution. */
void failure_endless(uint32_t period) __attribute__((noreturn));
/* Are there threads that can never go on, although the process is about to end: waiting for each
 * other's locks, or for one whose owner has ended? */
bool failure_stuck_for_ever(void);
void failure_threads(void);
/* After search_end: keep the failure of the execution that just ended. */
void failure_keep(void);
/* What failed in the execution that just ended, as a number: the same for the same kind of
 * failure at the same place. 0: nothing. */
uint64_t failure_identity(void);
struct board_failure *failure_current(void);

/* --- Store buffers (store_buffers.c) --- */

void store_buffers_init(void);
void store_buffers_begin(void);
void store_buffers_fence(void);
/* The current thread has executed the operation; does not return if it must fail. */
void store_buffers_done(const struct op *op);

void failure_stack_here(struct board_stack *out);
void failure_access_context(struct board_access *access);
/* Something that a claim must not hide: a row of explore/claim/claim_reasons.def; `detail` may be
 * NULL. */
void raise_reason(enum claim_reason reason, const char *detail);
void failure_uncontrolled(const char *name); /* REASON_UNCONTROLLED */
void limit_reached(enum limit limit);        /* a row of explore/claim/limits.def */
void stack_capture(struct thread *thread, uint64_t pc, struct board_stack *out);

/* --- record.c --- */
void record_begin(void);
/* `tid` was picked: remember why control came to it. The thread to go on with: the picked one,
 * or the calling one where the executor has already switched there and back. */
int record_switch(int tid);
void record_event(const struct op *op);
/* The running thread is about to announce an operation. */
void record_pending(const struct op *op);
/* The stack of a thread that has announced the operation at `pc`, where it is known. */
bool record_pending_stack(int tid, uint64_t pc, struct board_stack *out);
/* Facts about the operation being executed, for its event: set after it was picked. */
struct record_facts {
    uint64_t address;
    uint64_t before;
    uint64_t after;
    bool has_values;
    int result;
    int other;
    threadset woken;
};
extern struct record_facts record_facts;
void record_label(const char *text);
void record_name(uint64_t address, uint64_t size, const char *text);

/* --- access.c: plain and atomic accesses --- */
void access_init(void *table);
uint64_t access_table_bytes(void);
/* Is the memory live? A failure if not. */
void access_check(uint64_t address, uint64_t size, bool write, uint64_t pc);
void access_begin(void); /* of an execution */
/* A new racing location whose accesses are to be operations; the search starts over. */
void access_add_racy(uint64_t address, uint64_t size);
void access_read(uint64_t address, uint64_t size, uint64_t pc);
void access_write(uint64_t address, uint64_t size, uint64_t pc);
/* The same for an instruction that was interrupted: no hook stands for it. */
void access_read_trapped(uint64_t address, uint64_t size, uint64_t pc);
void access_write_trapped(uint64_t address, uint64_t size, uint64_t pc);
/* --races=explore: a call that makes several accesses in one step. Those of them that are to
 * racing locations become the operands of one operation, which is then picked; false: there are
 * none. The accesses follow in the same step, by access_*_picked(). */
bool access_is_racing(uint64_t address);
struct op access_operation(uint64_t size, uint64_t pc);
void access_add_operand(struct op *op, uint64_t address, uint64_t size, bool write);
bool access_point(struct op *op);
void access_read_picked(uint64_t address, uint64_t size, uint64_t pc);
void access_write_picked(uint64_t address, uint64_t size, uint64_t pc);
/* Canonical object of an atomic access; checks that the memory is live. */
uint64_t access_atomic_object(uint64_t address, uint32_t size, bool write, uint64_t pc);
/* The same where the address only names the object: its memory need not be there. */
uint64_t access_object_name(uint64_t address, uint32_t size, uint64_t pc);

/* --- string.c: accesses that a function of libc makes for its caller. They count for
 * races only where the caller's atomics are seen, and not between the point of an operation and
 * its end. --- */
/* Is the code at pc instrumented, or the C++ library's? */
bool caller_counts(uint64_t pc);
void caller_reads(const void *from, size_t size, uint64_t pc);
void caller_writes(void *to, size_t size, uint64_t pc);
/* A write that libc orders among its own: it races with the program's accesses only. */
void caller_writes_guarded(void *to, size_t size, uint64_t pc);

/* --- spin.c --- */
/* schedule_point() for a visible read at pc. When the thread has come full circle without doing
 * anything, `op` becomes a read (OP_SPINS) of everything that the cycle reads, which waits
 * until one of those locations has another value. */
void spin_point(struct op *op, uint64_t pc);
/* The read has happened and changed nothing. */
void spin_note_read(uint64_t pc, uint64_t address, uint64_t object, uint64_t value,
                    uint32_t size);
/* A plain write is about to happen: progress, unless it turns out to store what was there. */
void spin_note_write(struct thread *thread, uint64_t address, uint64_t size);
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

/* --- waits.c: loops that change something, taken for waits once the step limit has cut one ---
 */
void waits_begin(void);
/* The current thread comes to `op`, which can be executed when ready() is true, NULL: always.
 * Returns what it waits as, or NULL where it does not. */
const struct op *waits_for_change(const struct op *op, bool (*ready)(struct thread *));
bool waits_ready(struct thread *thread);
void waits_over(void);
void waits_done(const struct op *op);
/* The objects that were waited for belong to the final form, too. */
void waits_add_awaited(struct op *done);
/* An execution is cut. True: the search should start over. */
bool waits_learn_from_cut(void);
void waits_yielded(void);
uint64_t waits_hash(const struct thread *thread, uint64_t hash);
/* Have loops been taken for waits? */
bool waits_learned(void);

/* --- spin_proof.c --- */
uint64_t spin_proof_bytes(void);
void spin_proof_init(void *memory);
enum spin_verdict { SPIN_BUSY, SPIN_IDLE, SPIN_ON_TRIAL };
/* The thread is back at self->read[from]. `unchanged`: the reads would give the same again. */
enum spin_verdict spin_judge(uint32_t from, bool unchanged);
/* On trial: the thread is at a read, has read, is at an operation, has executed it. */
void spin_trial_read(uint64_t pc, uint64_t state);
void spin_trial_value(uint64_t value);
void spin_trial_point(const struct op *op);
void spin_trial_done(const struct op *op);
/* What the program has printed to its streams is out of sight, and is put back. */
void streams_hide(void);
void streams_show(void);
/* A hash of data, heap and stacks; of the current thread's stack from `own_low` on. */
uint64_t spin_memory_hash(uint64_t own_low);
/* On trial: it is no idle cycle. */
void spin_trial_fail(void) __attribute__((noreturn));

/* --- fingerprint.c --- */
void fingerprint_note_entry(struct thread *self, uint64_t pc);
uint64_t fingerprint_state(const struct position *pos);
/* The same to compare states of one execution, from the first call on: time counts only as far
 * as the program looks at it, and what it prints does not. 0: it can't be told here. */
uint64_t fingerprint_cycle(void);
/* A search begins: states may be compared. */
void fingerprint_start(struct pool *pool);

/* --- api.c --- */
void invariants_begin(void);
void invariants_check(void);

/* --- signals.c --- */
void signals_init(void);
/* What to say to someone whose thread loops at pc without an operation. */
const char *hang_text(uint64_t pc);
/* --- signal.c --- */
void signals_begin(void);
/* The interrupted thread was picked: runs its handlers; its operation is announced again. */
void signals_deliver(void);
void signals_thread_started(void);
/* --- process.c --- */
void process_begin(void);

/* --- snapshot.c --- */
void snapshot_take(void);
void snapshot_restore(void);
/* Add the mapping that contains `address` (it is in its initial state). */
void snapshot_add_mapping(uint64_t address);
/* A write fault: true when it hit a protected page, which is now writable and hot. */
bool snapshot_fault(uint64_t address);
/* Make [address, address + size) writable before the kernel writes to it. */
void snapshot_touch(const void *address, size_t size);
/* The program is about to change the mappings in the range: keeps what is part of the snapshot,
 * to be mapped and filled again after the execution. How many bytes of it that were. */
uint64_t snapshot_keep(uint64_t start, uint64_t end);
bool snapshot_has(uint64_t address);
uint64_t snapshot_hot_pages(void);
/* Hash of the pages that differ from the snapshot. */
uint64_t snapshot_hash(uint64_t seed);
/* Make snapshot_hash() see what is written from now on, also where memory is not restored. */
void snapshot_watch(void);

/* --- hooks_*.c: what other files need of them --- */
void hooks_begin(void);    /* start of an execution */
void hooks_snapshot(void); /* the state at the snapshot is the initial one */
void keys_run_destructors(void);
void keys_begin(void);
void keys_begin_uses(void);
/* Is it a key that is deleted while another thread may use it? Then that has been seen to. */
bool keys_race(uint64_t address);
void keys_snapshot(void);
void semaphores_begin(void);
void thread_local_destructors(void);
int thread_of_handle(pthread_t handle);
/* A name or the like of the thread is given, or asked for. */
void thread_setting_changes(int target, uint64_t pc);
void thread_setting_asked(int target, uint64_t pc);
/* The picked operation of `call` uses the thread's ID. A failure where the ID's lifetime is over. */
void thread_check_lifetime(int target, const char *call, uint64_t pc);
/* Does the call come from the language's support libraries, about their own affairs? */
bool is_language_support(uint64_t pc);
void thread_reset(struct thread *thread, int slot);
/* Call function(argument) so that pthread_exit inside it comes back here (false). */
bool thread_call(int (*function)(void *), void *argument, int *result);
/* The current thread's work is done: destructors, the operation THREAD_EXIT, another thread. */
void thread_end(void) __attribute__((noreturn));
void threads_reserve_stacks(void);
void unwinder_warm_up(void);
/* The thread whose stack the address is in, or -1. */
int thread_of_stack(uint64_t address);
/* Where GLib is loaded, its locks become Mazur's (glib.c). */
void glib_take_over(void);
uint64_t time_deadline(clockid_t clock, const struct timespec *when, uint64_t pc);
void time_fix_date(void); /* the program starts a thread */
/* futex(2); the six arguments after the call's number. */
long futex_call(const long *argument, uint64_t pc);
void lock_note_taken(uint64_t address, uint64_t pc, bool shared);
void lock_note_released(uint64_t address);
bool mappings_changed(void); /* has this execution mapped anything? */
bool files_touched(void);    /* has it touched descriptors? */
void mappings_restore(void); /* unmap what the execution mapped */
void files_note_blocking(const char *name, int fd);
void files_note_stream(int fd); /* stdio reads from it */
/* A call that is known and not modelled: an error that names it and says why. */
void refuse_call(const char *call, const char *why, uint64_t pc);
/* syscall(2) with a number that must not go through: an error that names it. */
void refuse_syscall(long number, uint64_t pc);
void files_init(void);    /* note the descriptors that exist before main */
void files_restore(void); /* close what the execution opened, reopen what it closed */

static inline struct op op_make(int kind, int flags, const void *object, uint64_t pc)
{
    return (struct op){.kind = (uint16_t)kind,
                       .flags = (uint16_t)flags,
                       .nobjects = object != NULL,
                       .object = {(uint64_t)(uintptr_t)object},
                       .pc = pc};
}

/* The whole of an operation that never blocks and whose effect follows the call. */
static inline void visible(struct op *op)
{
    schedule_point(op);
    schedule_done(op);
}

#endif
