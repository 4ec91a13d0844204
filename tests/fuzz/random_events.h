/* The kinds of operations of random_events.c, family by family, and their names. */
#ifndef MAZUR_FUZZ_RANDOM_EVENTS_H
#define MAZUR_FUZZ_RANDOM_EVENTS_H

#include <stdint.h>

#define THREADS    3
#define OPERATIONS 8

/* X(name): the enumeration and the names come from one list. A family ends at the next
 * FIRST_. */
#define BASICS(X) X(load) X(store) X(add) X(compare) X(choose)
#define FUTEXES(X)                                                                             \
    X(futex_wait)                                                                              \
    X(futex_timed)                                                                             \
    X(futex_wake) X(futex_all) X(futex_set) X(futex_requeue) X(futex_bits) X(futex_wake_bits)
#define DESCRIPTORS(X)                                                                         \
    X(event_add)                                                                               \
    X(event_take)                                                                              \
    X(event_try) X(pipe_put) X(pipe_get) X(pipe_try) X(pipe_look) X(pipe_poll) X(pipe_select)  \
        X(pipe_epoll) X(pipe_end)
#define CONDITIONS(X)                                                                          \
    X(cond_wait)                                                                               \
    X(cond_until)                                                                              \
    X(cond_timed) X(cond_clock) X(cond_signal) X(cond_all) X(cond_set) X(cond_under)
#define LOCKS(X)                                                                               \
    X(meet)                                                                                    \
    X(sem_down)                                                                                \
    X(sem_up) X(sem_try) X(sem_timed) X(read_lock) X(write_lock) X(try_read) X(timed_read)     \
        X(timed_write) X(once_only) X(spin_lock) X(spin_try) X(again) X(checked) X(two_locks)
#define TIMES(X)                                                                               \
    X(nap)                                                                                     \
    X(sleep_until) X(now) X(yield) X(spin_yield) X(spin_nap) X(spin_rounds) X(spin_lock_wait)
#define C11(X)                                                                                 \
    X(mtx_plain_)                                                                              \
    X(mtx_try)                                                                                 \
    X(mtx_timed_) X(cnd_wait_) X(cnd_timed_) X(cnd_signal_) X(cnd_all_) X(call_once_) X(tss_)  \
        X(thrd_) X(thrd_detached) X(thrd_yield_) X(thrd_sleep_)
#define ENDS(X)                                                                                \
    X(key_value)                                                                               \
    X(detached) X(later) X(leave) X(finish) X(quick)
#define CANCEL(X) X(cancel) X(test) X(shielded) X(cleaned) X(sleeper) X(joiner)
#define SIGNALS(X)                                                                             \
    X(kill_thread) X(kill_all) X(sig_wait) X(sig_timed) X(sig_pending) X(sig_hold)

#define ENUMERATOR(name) K_##name,
#define NAME(name)       #name,
enum kind {
    BASICS(ENUMERATOR) FIRST_FUTEX,
    FUTEXES(ENUMERATOR) FIRST_DESCRIPTOR,
    DESCRIPTORS(ENUMERATOR) FIRST_CONDITION,
    CONDITIONS(ENUMERATOR) FIRST_LOCK,
    LOCKS(ENUMERATOR) FIRST_TIME,
    TIMES(ENUMERATOR) FIRST_C11,
    C11(ENUMERATOR) FIRST_END,
    ENDS(ENUMERATOR) FIRST_CANCEL,
    CANCEL(ENUMERATOR) FIRST_SIGNAL,
    SIGNALS(ENUMERATOR) KINDS
};
static const char *const names[KINDS] = {BASICS(NAME) "futexes",
                                         FUTEXES(NAME) "descriptors",
                                         DESCRIPTORS(NAME) "conditions",
                                         CONDITIONS(NAME) "locks",
                                         LOCKS(NAME) "times",
                                         TIMES(NAME) "c11",
                                         C11(NAME) "ends",
                                         ENDS(NAME) "cancel",
                                         CANCEL(NAME) "signals",
                                         SIGNALS(NAME)};

struct operation {
    enum kind kind;
    uint8_t at; /* which of two objects */
    uint8_t value;
};

#endif
