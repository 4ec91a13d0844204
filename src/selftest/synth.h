/* Synthetic programs: small random concurrent programs with an exact meaning, on which every
 * strategy is checked against a brute-force oracle (oracle.h).
 *
 * A program has up to 4 threads of up to 6 operations. Each thread has one register, which
 * the operations that read set and which guards and stores use, so that what a thread does
 * depends on what it saw. A state is a small value that can be copied; a step is a pure
 * function of state, thread and data choice.
 *
 *   struct synth_state state;
 *   synth_begin(program, &state);
 *   while (!synth_ended(program, &state))
 *       pick tid with synth_enabled(program, &state, tid);
 *       pick choice < synth_choices(program, &state, tid);
 *       synth_step(program, &state, tid, choice, &done);
 */
#ifndef MAZUR_SELFTEST_SYNTH_H
#define MAZUR_SELFTEST_SYNTH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/threadset.h"
#include "explore/world/op.h"
#include "explore/world/world.h"

#define SYNTH_THREADS    4
#define SYNTH_OPS        6
#define SYNTH_VARS       3
#define SYNTH_MUTEXES    2
#define SYNTH_SEMAPHORES 2
#define SYNTH_SPINS      3 /* a thread that has yielded this often in SYNTH_SPIN is cut */
#define SYNTH_VALUES     4 /* variables and registers hold 0 … 3 */
#define SYNTH_READS      4 /* how many reads of an idle loop are remembered */

enum synth_kind {
    SYNTH_READ = 0, /* r = x */
    SYNTH_WRITE,    /* x = value, or r + value */
    SYNTH_RMW,      /* r = x; x += value */
    SYNTH_CAS,      /* if x == value { x = value + 1; r = 1 } else r = 0 */
    SYNTH_LOCK,     /* blocks while the mutex is held, by itself too; may have a time-out */
    SYNTH_UNLOCK,   /* no effect when not the owner */
    SYNTH_TRYLOCK,  /* r = success */
    SYNTH_WAIT,     /* on a condition, with the mutex of the same number; may have a time-out */
    SYNTH_SIGNAL,   /* wakes one waiter; which one is a data choice */
    SYNTH_BROADCAST, /* wakes all */
    SYNTH_YIELD,
    SYNTH_CHOOSE,  /* r = 0 … value + 1 */
    SYNTH_SPAWN,   /* starts the thread; threads that are never spawned run from the start */
    SYNTH_JOIN,    /* blocks until the thread has exited */
    SYNTH_AWAIT,   /* blocks until x == value; r = x; may have a time-out */
    SYNTH_SPIN,    /* while ((r = x) != value) yield: a cycle, cut after SYNTH_SPINS rounds */
    SYNTH_POLL,    /* idle loop: until (r = x) == value or (r = the next variable) == value */
    SYNTH_GRAB,    /* idle loop: until (r = exchange(x, 1)) == 0 */
    SYNTH_CLAIM,   /* idle loop: until x == value, then x = value + 1; r = success */
    SYNTH_CHECK,   /* r = x; the execution fails, and ends, if that is value */
    SYNTH_COPY,    /* the next variable = x: reads one object and writes another */
    SYNTH_DOWN,    /* blocks at 0; one less */
    SYNTH_UP,      /* one more, up to 3 */
    SYNTH_SHARE,   /* the read-write lock, for reading: blocks while it is held for writing */
    SYNTH_EXCLUDE, /* for writing: blocks while it is held, by itself too */
    SYNTH_RELEASE, /* no effect when it does not hold it */
    SYNTH_ARRIVE,  /* at the barrier of two; r = it is the last */
    SYNTH_DEPART,  /* blocks until the meeting that it arrived for is over */
    SYNTH_EXIT,    /* ends the process */
    SYNTH_KINDS
};

enum synth_guard { GUARD_NONE = 0, GUARD_IF_ZERO, GUARD_IF_NOT_ZERO };
/* When a time-out happens: if no other thread can run, or anywhere, as the search chooses. */
enum synth_time { TIME_NEVER = 0, TIME_IDLE, TIME_ANY };

/* A plain access after an operation: the execution ends there if another thread has touched the
 * same thing before, by a failure (a data race) or because it does not count (an assumption).
 * Nothing that the search sees shows that two such steps depend on each other. */
enum synth_touch { TOUCH_NONE = 0, TOUCH_FAILS, TOUCH_ASSUMES };

struct synth_op {
    uint8_t kind;
    uint8_t object; /* variable, mutex, condition or thread */
    uint8_t value;
    uint8_t guard; /* on r: skipped, invisibly, when it does not hold */
    uint8_t time;  /* of an operation that may have a time-out: enum synth_time */
    bool wide;     /* SYNTH_POLL: behaves as if it read more objects than an operation can
                    * name */
    bool spurious; /* SYNTH_WAIT: may end without a signal, once per thread */
    bool add_r;    /* SYNTH_WRITE: store r + value; SYNTH_POLL: r is alive in the loop */
    bool glued;    /* atomic with the thread's next operation: no other thread runs in between,
                      unless that one blocks */
    uint8_t touch; /* enum synth_touch: what follows the operation, unseen by the search */
};

struct synth_program {
    uint64_t seed; /* seed that it was made from, for messages */
    int nthreads;
    bool bare;     /* no start and exit operations: more interleaving per operation */
    bool nameless; /* a search is not told the kinds of its operations */
    int nops[SYNTH_THREADS];
    struct synth_op op[SYNTH_THREADS][SYNTH_OPS];
};

enum synth_life { LIFE_UNBORN = 0, LIFE_START, LIFE_RUNNING, LIFE_EXITING, LIFE_ENDED };
enum synth_waiting { WAITING_NONE = 0, WAITING_FOR_SIGNAL, WAITING_FOR_MUTEX };

/* A read of a loop that may turn out to be idle (synth_loop.c). */
struct synth_read {
    uint8_t place; /* in the loop, and … */
    uint8_t local; /* … the thread's local state there */
    uint8_t object;
    uint8_t value;
};

struct synth_loop {
    uint8_t place;  /* the read that comes next */
    uint8_t nreads; /* since the thread last made progress */
    uint8_t cycle;  /* 0: none is closed; else index + 1 of the read that began it */
    struct synth_read read[SYNTH_READS];
};

struct synth_state {
    uint8_t variable[SYNTH_VARS];
    int8_t owner[SYNTH_MUTEXES]; /* -1: free */
    uint8_t life[SYNTH_THREADS];
    uint8_t waiting[SYNTH_THREADS];
    uint8_t spun[SYNTH_THREADS];    /* SYNTH_SPIN: the read failed, the yield is next */
    uint8_t spins[SYNTH_THREADS];   /* how often that was */
    uint8_t expired[SYNTH_THREADS]; /* it has timed out */
    uint8_t woke[SYNTH_THREADS];    /* its spurious wake-up is used up */
    struct synth_loop loop[SYNTH_THREADS];
    uint8_t semaphore[SYNTH_SEMAPHORES];
    uint8_t readers;            /* of the read-write lock, a bit each */
    uint8_t writer;             /* thread + 1; 0: none */
    uint8_t arrived, meetings;  /* of the barrier */
    uint8_t met[SYNTH_THREADS]; /* number of the meeting it has arrived for; 0: none */
    uint8_t counter[SYNTH_THREADS];
    uint8_t r[SYNTH_THREADS];
    uint64_t history[SYNTH_THREADS]; /* hash of all values the thread has seen */
    int8_t last;                     /* thread of the last step, -1 before the first */
    bool section;                    /* that step was glued to the thread's next one, … */
    bool glued;                      /* … which can be executed: no other thread may run */
    uint8_t touched;                 /* by these threads, a bit each */
    bool exited;
    bool failed;
    bool assumed; /* wrongly: the execution does not count */
};

void synth_begin(const struct synth_program *program, struct synth_state *state);
/* The pending operation; kind OP_NONE where there is none. */
void synth_pending(const struct synth_program *program, const struct synth_state *state,
                   int tid, struct op *op);
bool synth_enabled(const struct synth_program *program, const struct synth_state *state,
                   int tid);
threadset synth_enabled_set(const struct synth_program *program,
                            const struct synth_state *state);
/* How many outcomes does the thread's next step have? 1: no data choice. */
int synth_choices(const struct synth_program *program, const struct synth_state *state,
                  int tid);
/* Executes it; *done is the operation in its final form. */
void synth_step(const struct synth_program *program, struct synth_state *state, int tid,
                int choice, struct op *done);
/* Nothing is enabled or the process has exited. */
bool synth_ended(const struct synth_program *program, const struct synth_state *state);
/* Has a thread been cut? Whatever the schedule, it stops at the same point of its program. */
bool synth_cut(const struct synth_program *program, const struct synth_state *state);
/* Ended, not cut, with a thread that is neither finished nor unborn. */
bool synth_deadlocked(const struct synth_program *program, const struct synth_state *state);
/* Is one of the threads in an idle loop? */
bool synth_spins(const struct synth_program *program, const struct synth_state *state);
/* Of the state without the history; never 0. */
uint64_t synth_fingerprint(const struct synth_state *state);

/* A random program, determined by the seed. `cyclic` allows SYNTH_SPIN. */
void synth_random(struct synth_program *program, uint64_t seed, bool cyclic);
/* Glues some operations of a program together. */
void synth_glue(struct synth_program *program, uint64_t seed);
/* Gives a time-out to operations that wait for a value, and to some others that wait. */
void synth_time_out(struct synth_program *program, uint64_t seed, enum synth_time time);
/* Lets waits for a condition end without a signal. */
void synth_spurious(struct synth_program *program);
/* Turns waits for a value, and some other operations, into idle loops. */
void synth_spin(struct synth_program *program, uint64_t seed);
/* Lets some reads check what they read. */
void synth_check(struct synth_program *program, uint64_t seed);
/* Adds a plain access after some operations. */
void synth_touch(struct synth_program *program, uint64_t seed);
/* Turns some writes into copies from one variable to another. */
void synth_copy(struct synth_program *program, uint64_t seed);
/* Turns locks, conditions and some other operations into semaphores, read-write locks and
 * barriers. */
void synth_synchronise(struct synth_program *program, uint64_t seed);
bool synth_is_loop(int kind);
bool synth_has_sections(const struct synth_program *program);
bool synth_has_checks(const struct synth_program *program);
void synth_print(const struct synth_program *program, FILE *out);

/* --- synth_loop.c --- */

/* The variable that the loop's next operation is about. */
uint8_t synth_loop_object(const struct synth_op *op, const struct synth_loop *loop);
/* The operation is pending: it waits, if it closes a cycle. */
void synth_loop_pending(const struct synth_op *next, const struct synth_loop *loop,
                        struct op *op);
bool synth_loop_enabled(const struct synth_loop *loop, const struct synth_state *state);
/* Executes it. True: the thread leaves the loop. */
bool synth_loop_step(struct synth_state *state, int tid, const struct synth_op *op,
                     struct op *done);
#define SYNTH_VARIABLE(i) (UINT64_C(0x100) + (i)) /* names of objects */

/* op.wait of a SYNTH_AWAIT, and position.must_wait. */
#define SYNTH_WAIT_NAME(value) (UINT64_C(1) + (value))
enum wait_answer synth_must_wait(uint64_t wait, uint64_t value);
/* The operation, if it writes, replaces this value. */
void synth_note_before(struct op *done, uint8_t before);

/* --- synth_sync.c --- */

bool synth_is_sync(int kind);
void synth_sync_pending(const struct synth_op *next, struct op *op);
bool synth_sync_enabled(const struct synth_op *op, const struct synth_state *state, int tid);
/* True: r has a new value that the thread has seen. */
bool synth_sync_step(struct synth_state *state, int tid, const struct synth_op *op,
                     struct op *done);
uint64_t synth_sync_hash(const struct synth_state *state);

/* Shrinks a failing program as far as possible while it still fails. */
typedef bool synth_fails(const struct synth_program *program, void *argument);
void synth_shrink(struct synth_program *program, synth_fails *fails, void *argument);

#endif
