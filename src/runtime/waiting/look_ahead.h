/* Reads that would close an idle round wait instead (look_ahead.c). */
#ifndef MAZUR_RUNTIME_LOOK_AHEAD_H
#define MAZUR_RUNTIME_LOOK_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/world/world.h"

struct thread;

void look_ahead_begin(void);

/* The thread has completed a round, which began with self->read[from], and its next read would
 * begin the round again: from now on the read that closes it looks ahead. */
void look_ahead_learn(struct thread *self, uint32_t from);
/* The thread is at the read at pc again, in another state: does it retry an attempt? */
void look_ahead_learn_retry(struct thread *self, uint64_t pc);
/* An assumption of the thread has failed: does that depend only on its last read? */
void look_ahead_learn_assume(const struct thread *self);
/* The trial of the thread's read has changed something that can't be restored. */
void look_ahead_forget(const struct thread *thread) __attribute__((noreturn));
/* Can a round of a waiting loop close at this read? */
bool look_ahead_waits_at(uint64_t pc);
/* Is the read at pc one that looks ahead? self->spin.state is the local state before it. */
bool look_ahead_applies(const struct thread *self, const struct op *op, uint64_t pc);
/* schedule_point() for such a read of `address`. */
void look_ahead_point(struct op *op, uint64_t address, uint64_t pc);

/* --- Trials (trial.c) --- */

/* A thread accesses another thread's stack. */
void look_ahead_foreign(uint64_t address, uint64_t size);

/* The thread arrives at an atomic operation, which stores or compares with the operand. Returns
 * if the trial continues past it. */
void look_ahead_at_atomic(uint64_t address, uint32_t size, bool reads, uint64_t operand,
                          uint64_t pc);
/* The thread's function has returned. */
void look_ahead_at_end(int result) __attribute__((noreturn));
/* The thread arrives at another operation. Returns if the trial continues past it. */
void look_ahead_at_operation(const struct op *op);
/* A plain access. Returns if the trial continues. */
void look_ahead_at_access(uint64_t address, uint64_t size, bool write);
/* The atomic operation has stored a value, perhaps the one that was there. */
void look_ahead_at_store(bool same);
/* An assumption does not hold with what was read. */
void look_ahead_at_assume(void) __attribute__((noreturn));
/* The thread is about to do more than read: the trial ends before that. */
void look_ahead_stop(void) __attribute__((noreturn));

/* No thread can run. Ends the execution if a thread waits for what an assumption asks for. */
void look_ahead_judge_assumed(void);
/* No thread can run. Ends the execution if a thread waits in a round that it began too early:
 * another execution shows how it continues. Returns otherwise, or during a trial. */
void look_ahead_judge(void);
/* The execution fails. Returns if the number of its preemptions is right; otherwise the search
 * starts over. */
void look_ahead_at_failure(void);

#endif
