/* The states of a small program (small_interpreter.h) and its steps (small_steps.c): what the
 * two files of the interpreter share.
 *
 * Invariant: a state has no bytes that were not set, so that states are compared as bytes. A
 * thread of a state stands before a visible operation: what follows a step invisibly is done in
 * the step (small_run_on). */
#ifndef MAZUR_FUZZ_SMALL_STATE_H
#define MAZUR_FUZZ_SMALL_STATE_H

#include "small_interpreter.h"

enum life { UNBORN, AT_START, RUNNING, ENDED };
/* Operations that are no instructions. */
enum {
    START = KINDS,
    MARK,
    DESTRUCTOR,
    THREAD_EXIT,
    PROCESS_EXIT,
    WAKE,
    LEAVE,
    BODY,
    ONCE_END
};

typedef uint8_t clock_vector[THREADS];

struct thread {
    uint32_t told;
    uint8_t life, pc, stage, value;
    uint8_t held[MUTEXES];
    uint8_t rwlock;  /* 0, or 1: reads, 2: writes */
    uint8_t created; /* threads that can be joined, a bit each */
    uint8_t key[KEYS];
    uint8_t round; /* of the barrier, that it has arrived in */
    uint8_t ended; /* its mark is set */
    uint8_t padding;
    clock_vector clock;
};

struct plain {
    uint8_t value;
    uint8_t writer, written; /* last write: thread + 1, time */
    clock_vector read;
};

struct state {
    struct thread thread[THREADS];
    uint8_t last; /* thread + 1 that ran last */
    uint8_t atomic[ATOMICS];
    struct plain plain[PLAINS];
    uint8_t owner[MUTEXES], depth[MUTEXES]; /* owner: thread + 1 */
    uint8_t semaphore[SEMAPHORES];
    uint8_t readers, writer; /* of the read-write lock; a bit each; thread + 1 */
    uint8_t arrived, round;
    uint8_t destroyed, freed; /* mutexes, semaphores: a bit each */
    uint8_t once;             /* 0 fresh, 1 running, 2 done */
    clock_vector atomic_clock[ATOMICS], mutex_clock[MUTEXES], semaphore_clock[SEMAPHORES];
    clock_vector write_clock, read_clock, round_clock[2], once_clock, mark_clock;
    clock_vector used[SEMAPHORES]; /* by each thread, when last */
};

struct operation {
    int kind, a, b;
};

struct search {
    const struct program *program;
    uint8_t visible; /* plain variables whose accesses are steps, a bit each */
    uint8_t racing;  /* those of the others that were in a data race */
    struct result *result;
    int preemptions; /* of the state being expanded */
    struct state *states;
    uint8_t *least; /* preemptions with which it was first reached, by state */
    int count, most;
    int *table; /* index + 1 */
    uint32_t mask;
    int *now, *next; /* states to expand */
    int nnow, nnext;
};

/* A failure that an execution with so many preemptions has. */
void small_found(struct search *search, enum verdict verdict, int preemptions);
/* The next visible operation of a thread: its instruction, a later part of that, or what comes
 * after the last one. */
struct operation small_operation(const struct search *search, const struct state *state, int t);
bool small_is_enabled(const struct search *search, const struct state *state, int t);
/* How many threads wait for a signal of the condition? */
int small_waiters(const struct search *search, const struct state *state, int condition);
/* The step itself. True: the thread goes on; *next: to its next instruction. `choice`: which
 * waiter a signal wakes. */
bool small_execute(struct search *search, struct state *state, int t, struct operation op,
                   int choice, int preemptions, bool *next);
/* Go on, invisibly, to the next visible operation. False: the execution has failed. */
bool small_run_on(struct search *search, struct state *state, int t, int preemptions);

#endif
