/* What a thread waits for (schedule.c, the hooks of calls that block). */
#ifndef MAZUR_RUNTIME_THREAD_WAIT_H
#define MAZUR_RUNTIME_THREAD_WAIT_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

struct thread_wait {
    bool (*ready)(struct thread *); /* of a pending operation that may block */
    void *object;                   /* what `ready` checks */
    uint64_t detail;
    const uint32_t *futex; /* the word that it waits on */
    uint32_t futex_mask;
    const void *condition; /* condition variable that it waits on */
    bool notified;         /* a waiter: it has been woken */
    bool may_wake_spuriously;
    uint32_t woke_spuriously; /* how often */
    uint64_t woke_state;      /* its local state before its last spurious wakeup */
};

#endif
