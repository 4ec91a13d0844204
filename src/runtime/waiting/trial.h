/* Where a read leads: the thread continues in a trial (trial.c). */
#ifndef MAZUR_RUNTIME_TRIAL_H
#define MAZUR_RUNTIME_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#define TRIAL_KEPT_STACK (UINT64_C(256) << 10) /* deeper stacks are not tried */

struct thread;

/* A read, and the value that it returns. */
struct ahead_read {
    uint64_t address;
    uint64_t value;
    uint32_t size;
};

/* Where it leads. */
struct ahead_answer {
    uint64_t key;     /* hash of thread, pc, local state and the read; 0: none */
    uint64_t pc;      /* the next operation, and the thread's state before it … */
    uint64_t state;   /* … 0: unknown */
    uint64_t address; /* of the next read */
    uint8_t size;
    bool reads;   /* it is a read, in the same function */
    bool yields;  /* on the way */
    bool stores;  /* what is there */
    bool assumes; /* it makes an assumption fail */
};

uint64_t trial_bytes(void);
void trial_init(void *memory);

/* Makes the key of an answer: the thread, which waits in spin.ahead, makes a read in a local
 * state. */
uint64_t trial_key(const struct thread *thread, uint64_t pc, uint64_t state,
                   const struct ahead_read *read);
/* What the thread would read now. */
struct ahead_read trial_pending_read(const struct thread *thread);
/* Finds out where this read leads. Also returns during the trial (rt.looking_ahead), with a key
 * of 0.
 */
struct ahead_answer trial_find_next(struct thread *thread, uint64_t key);
/* The same of the last of `count` reads that the thread makes from the kept beginning of its
 * attempt (attempt.c), if these are their values. A key of 0: it makes other reads. */
struct ahead_answer trial_find_fed(struct thread *thread, uint64_t key,
                                   const struct ahead_read *reads, uint32_t count);
/* Does it still lead where the thread's record says? Also returns during the trial. */
bool trial_confirms(struct thread *thread);
/* Would the thread, if it ran alone from here, do more than repeat its round for ever? Also
 * returns during the trial. */
bool trial_finds_way_out(struct thread *thread);
/* Keeps the place where the current thread is as the beginning of an attempt. Returns again
 * during a trial. */
void trial_keep_beginning(struct thread *self);

#endif
