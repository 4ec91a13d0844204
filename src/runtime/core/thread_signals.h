/* Signals to a thread, and its cancellation (hooks/threads/signal.c, cancel.c). */
#ifndef MAZUR_RUNTIME_THREAD_SIGNALS_H
#define MAZUR_RUNTIME_THREAD_SIGNALS_H

#include <stdbool.h>
#include <stdint.h>

struct thread_signals {
    uint64_t mask;         /* blocked signals: bit number-1 */
    uint64_t pending;      /* sent to it, not yet delivered */
    uint64_t awaited;      /* by sigwait */
    bool interrupted;      /* its pending operation is the delivery of a signal */
    bool interrupted_idle; /* a timer sent it when no thread could run */
    bool interrupted_wait; /* it was waiting when the signal was sent */
    bool interruptible; /* the call that it waits in can fail with EINTR (signal_delivery.h) */
    bool keeps_mask;    /* … and has unblocked signals only during the wait */
    bool handled;       /* a handler ran since the call began to wait */
    bool handled_without_restart;
    bool handled_in_spin; /* a handler ran while it waited in a spin loop (spin.c) */
};

struct thread_cancel {
    bool disabled;
    bool asynchronous;
    uint32_t asked;
};

#endif
