/* Idle spin loops, and the proof that they are idle (spin.c, spin_proof.c). */
#ifndef MAZUR_RUNTIME_SPIN_H
#define MAZUR_RUNTIME_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/world/world.h"

struct thread;

/* schedule_point() for a visible read at pc, of `address` if this is an atomic operation (0: of
 * something else). When the thread has completed a cycle without
 * changing anything, `op` becomes a read (OP_SPINS) of everything that the cycle reads, which
 * waits until one of these locations has another value. */
void spin_point(struct op *op, uint64_t address, uint64_t pc);
/* The read has happened and changed nothing. */
void spin_note_read(uint64_t pc, uint64_t address, uint64_t object, uint64_t value,
                    uint32_t size);
/* Do self->read[from] … find the values that they found? */
bool spin_reads_unchanged(const struct thread *thread, uint32_t from);
/* Makes the operation a read of everything that self->read[from] … read, too. */
void spin_add_reads(const struct thread *self, struct op *op, uint32_t from);
/* A hash of the thread's local state at a hook that was called from pc; 0: unknown. */
uint64_t spin_local_state(struct thread *self, uint64_t pc);
/* A plain write is about to happen: it is progress, unless it turns out to store the same
 * value. */
void spin_note_write(struct thread *thread, uint64_t address, uint64_t size);

/* Can the address be read and written as long as the execution lasts? */
bool spin_stays_mapped(uint64_t address, uint64_t size);

/* --- The proof: the thread goes through the cycle once more --- */

uint64_t spin_proof_bytes(void);
void spin_proof_init(void *memory);
enum spin_verdict { SPIN_BUSY, SPIN_IDLE, SPIN_ON_TRIAL };
/* The thread is back at self->read[from]. `unchanged`: the reads would return the same values
 * again. */
enum spin_verdict spin_judge(uint32_t from, bool unchanged);
/* Nothing can run: a thread that waits in a loop, and has to go through it once more before
 * this is a livelock; -1: there is none. It continues on trial. */
int spin_prove_again(void);
/* It is back at self->read[from], where its stack pointer was `sp`. */
void spin_trial_begin(uint32_t from, uint64_t sp);
/* During a trial: the thread is at a read, has read, is at an operation, has executed it. */
void spin_trial_read(uint64_t pc, uint64_t state);
void spin_trial_value(uint64_t value);
void spin_trial_point(const struct op *op);
void spin_trial_done(const struct op *op);
/* Hides what the program has printed to its streams, and restores it. */
void streams_hide(void);
void streams_show(void);
/* A hash of data, heap and stacks; of the current thread's stack from `own_low` on. */
uint64_t spin_memory_hash(uint64_t own_low);
/* During a trial: the cycle is not idle. */
void spin_trial_fail(void) __attribute__((noreturn));

#endif
