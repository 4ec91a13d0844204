/* Signals and cancellation of the program's threads (signal.c, cancel.c): what the hooks of
 * waiting calls need. faults/crash.c handles the kernel's own signals. */
#ifndef MAZUR_RUNTIME_SIGNALS_H
#define MAZUR_RUNTIME_SIGNALS_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "runtime/core/runtime.h"

/* Sets errno and returns -1, as libc's functions do. */
static inline long signals_fail(int error)
{
    errno = error;
    return -1;
}

/* Begins a wait that a signal handler can end with EINTR. */
static inline void signals_begin_wait(struct thread *self)
{
    self->signals.interruptible = true;
    self->signals.handled = false;
    self->signals.handled_without_restart = false;
}
static inline void signals_end_wait(struct thread *self)
{
    self->signals.interruptible = false;
}
/* Has a handler ended the wait? `always`: a handler with SA_RESTART ends it, too
 * (signal(7)). */
static inline bool signals_ended_wait(const struct thread *self, bool always)
{
    return always ? self->signals.handled : self->signals.handled_without_restart;
}
/* Start of an execution. */
void signals_begin(void);
/* The interrupted thread was picked: runs its handlers, then announces its operation again. */
void signals_deliver(void);
void signals_thread_started(void);
/* Sends a signal to the process at a virtual time; no thread is the sender. */
void signals_from_timer(int number, union sigval value, uint64_t when);
bool signals_would_kill(int number);
/* raise(3p) from inside a hook, in program context. */
void signals_raise(int number);
/* pause(3p). */
int signals_pause(uint64_t pc);
/* Sets the mask that ppoll and similar calls use while they wait (NULL: unchanged). Returns the
 * old mask. */
uint64_t signals_swap_mask(const sigset_t *mask);
void signals_restore_mask(uint64_t mask);
/* In a forked process: installs the program's dispositions in the kernel. */
void signals_after_fork(void);

/* Has the thread been cancelled, with cancellation enabled? */
static inline bool thread_is_cancelled(const struct thread *thread)
{
    return thread->cancel.asked != 0 && !thread->cancel.disabled;
}
/* A cancellation point has been picked: ends the operation, and the thread if it was cancelled.
 * The caller must hold nothing that cleanup handlers could trip over. */
void cancel_if_asked(struct op *op);

#endif
