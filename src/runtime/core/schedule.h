/* Visible operations: announce, be picked, execute (schedule.c). */
#ifndef MAZUR_RUNTIME_SCHEDULE_H
#define MAZUR_RUNTIME_SCHEDULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "explore/world/world.h"

struct thread;

/* Announces `op` as the current thread's next operation and waits until it is picked. */
void schedule_point(const struct op *op);
/* The same for an operation that can be disabled: ready(self) tells whether it can be
 * executed. */
void schedule_point_blocking(const struct op *op, bool (*ready)(struct thread *));
/* The operation has been executed; `op` is its final form. */
void schedule_done(const struct op *op);
/* The current thread has ended: continues with another one. */
void schedule_leave(void) __attribute__((noreturn));
/* Ends the execution and returns to the driver. */
void schedule_end(enum outcome outcome) __attribute__((noreturn));
/* Has the thread made an operation there in this execution? */
bool schedule_was_at(int tid, uint64_t pc);
/* RECORD: is the thread the next one in the given schedule? */
bool schedule_is_next(int tid);
/* Ends the execution and starts the search over with the new lesson. */
void schedule_start_over(void) __attribute__((noreturn));
/* Partial-order reduction does not cover what the program does: start over without it. */
void schedule_leave_reductions(void);
/* The same before the search starts, because preemptions are tried in some places only. */
void schedule_by_place(void);
/* A data choice 0 … n-1 inside a step. */
int schedule_choose(int n);
/* Asks the search for the next thread at a position that only main has been in so far, and
 * appends the answer, which should be 0, to the schedule (prefix.c). */
int schedule_repeat(bool alone);
/* The same as schedule_end() and a divergence, for the driver. */
void schedule_note_end(enum outcome outcome);
void schedule_note_divergence(void);
/* Right after schedule_begin: the execution goes on after `n` choices. They are on the board;
 * `known`: the last execution began with them. */
void schedule_go_on(uint32_t n, bool known);
/* Start of an execution. */
void schedule_begin(void);
/* Nothing can run, or nothing new: advances time to the nearest deadline or timer. Returns
 * false if there is none. */
bool schedule_pass_time(void);
/* A blocking operation with a deadline was picked: did it time out? Sets time.timed_out. */
bool schedule_timed_out(void);

static inline struct op op_make(int kind, int flags, const void *object, uint64_t pc)
{
    return (struct op){.kind = (uint16_t)kind,
                       .flags = (uint16_t)flags,
                       .nobjects = object != NULL,
                       .object = {(uint64_t)(uintptr_t)object},
                       .pc = pc};
}

/* The whole of an operation that never blocks and whose effect follows the call. */
static inline void schedule_visible(struct op *op)
{
    schedule_point(op);
    schedule_done(op);
}

#endif
