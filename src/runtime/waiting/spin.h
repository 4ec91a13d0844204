/* Idle spin loops, and the proof that they are idle (spin.c, spin_proof.c). */
#ifndef MAZUR_RUNTIME_SPIN_H
#define MAZUR_RUNTIME_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/world/world.h"

struct thread;

/* schedule_point() for a visible read at pc. When the thread has come full circle without doing
 * anything, `op` becomes a read (OP_SPINS) of everything that the cycle reads, which waits
 * until one of those locations has another value. */
void spin_point(struct op *op, uint64_t pc);
/* The read has happened and changed nothing. */
void spin_note_read(uint64_t pc, uint64_t address, uint64_t object, uint64_t value,
                    uint32_t size);
/* A plain write is about to happen: progress, unless it turns out to store what was there. */
void spin_note_write(struct thread *thread, uint64_t address, uint64_t size);

/* --- The proof: the thread goes through the cycle once more --- */

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

#endif
