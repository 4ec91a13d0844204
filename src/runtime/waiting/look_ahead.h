/* Reads that would close an idle round wait instead (look_ahead.c). */
#ifndef MAZUR_RUNTIME_LOOK_AHEAD_H
#define MAZUR_RUNTIME_LOOK_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/world/world.h"

struct thread;

uint64_t look_ahead_bytes(void);
void look_ahead_init(void *memory);
void look_ahead_begin(void);

/* The thread has completed a round, which began with self->read[from], and its next read would
 * begin the round again: from now on the read that closes it looks ahead. */
void look_ahead_learn(struct thread *self, uint32_t from);
/* Is the read at pc one that looks ahead? self->spin.state is the local state before it. */
bool look_ahead_applies(const struct thread *self, const struct op *op, uint64_t pc);
/* schedule_point() for such a read of `address`. */
void look_ahead_point(struct op *op, uint64_t address, uint64_t pc);

/* --- During a trial --- */

/* The thread arrives at an atomic operation. Returns if the trial goes on through it. */
void look_ahead_at_atomic(uint64_t address, uint32_t size, bool reads, uint64_t pc);
/* The thread arrives at another operation. Returns if the trial goes on through it. */
void look_ahead_at_operation(const struct op *op);
/* A plain access. Returns if the trial goes on. */
void look_ahead_at_access(uint64_t address, uint64_t size, bool write);
/* What follows is more than a read: the trial ends before it. */
void look_ahead_stop(void) __attribute__((noreturn));

/* No thread can run. Ends the execution if one of them stands in a round that it began too
 * early: another execution shows how it goes on. Returns otherwise, or on trial. */
void look_ahead_judge(void);

#endif
