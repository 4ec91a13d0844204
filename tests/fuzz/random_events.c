/* A random multithreaded program of calls that wait, wake, cancel and interrupt: random_events
 * SEED SIZE KINDS [print]. KINDS is the name of a family below (futexes, descriptors,
 * conditions, locks, times, c11, ends, cancel, signals), "all" for those that every reduction
 * supports (all but cancel and signals), or the name of one operation.
 *
 * As in random_outcomes.c, each thread keeps a hash of everything it observes, and each
 * execution that ends reports all hashes: a reduction must give the same set as all
 * interleavings (outcomes.sh). */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <mazur.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "outcome.h"
#include "random_events.h"

static struct operation program[THREADS][OPERATIONS];
static int length[THREADS], threads;
static enum kind lowest, highest;

/* What the threads share. */
static unsigned cell[2];
static int guarded[2];
static int event[2], tube[2][2];
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_cond_t condition[2] = {PTHREAD_COND_INITIALIZER, PTHREAD_COND_INITIALIZER};
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once[2] = {PTHREAD_ONCE_INIT, PTHREAD_ONCE_INIT};
static pthread_spinlock_t spinlock;
static pthread_barrier_t barrier;
static sem_t semaphore[2];
static pthread_key_t key;
static mtx_t mtx[2];
static cnd_t cnd;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t tss;
static struct timespec beginning;
static pthread_t thread[THREADS];

struct runner {
    uint64_t seen;
    const struct operation *next;
    int count;
    pthread_t later[OPERATIONS];
    struct runner *child[OPERATIONS];
    int children;
};
static struct runner runner[THREADS];

static void make_program(unsigned size)
{
    threads = 2 + (int)draw(THREADS - 1);
    for (int t = 0; t < threads; t++) {
        length[t] = 1 + (int)draw(size);
        for (int i = 0; i < length[t]; i++) {
            struct operation *operation = &program[t][i];
            do
                operation->kind = draw(4) ? lowest + draw(highest - lowest) : draw(FIRST_FUTEX);
            while (strcmp(names[operation->kind], "futexes") == 0 ||
                   operation->kind == FIRST_DESCRIPTOR || operation->kind == FIRST_CONDITION ||
                   operation->kind == FIRST_LOCK || operation->kind == FIRST_TIME ||
                   operation->kind == FIRST_C11 || operation->kind == FIRST_END ||
                   operation->kind == FIRST_CANCEL || operation->kind == FIRST_SIGNAL ||
                   ((operation->kind == K_finish || operation->kind == K_leave) && draw(3)));
            operation->at = (uint8_t)draw(2);
            operation->value = (uint8_t)draw(3);
        }
    }
}

static void print_program(void)
{
    for (int t = 0; t < threads; t++) {
        printf("thread %d:", t);
        for (int i = 0; i < length[t]; i++)
            printf(" %s(%d,%d)", names[program[t][i].kind], program[t][i].at,
                   program[t][i].value);
        printf("\n");
    }
}

static void see(struct runner *self, long value)
{
    self->seen = outcome_mix(self->seen, (uint64_t)value);
}

/* What a call returned: its result and, if that is -1, the error. */
static void see_call(struct runner *self, long result)
{
    see(self, result == -1 ? -errno : result);
}

static struct timespec after(const struct operation *op, clockid_t clock)
{
    struct timespec when;
    clock_gettime(clock, &when);
    when.tv_sec += 1 + op->value;
    return when;
}

static void with_cells(struct runner *self, const struct operation *op)
{
    unsigned *at = &cell[op->at], expected = op->value;
    switch (op->kind) {
    case K_load:
        see(self, __atomic_load_n(at, __ATOMIC_ACQUIRE));
        break;
    case K_store:
        __atomic_store_n(at, op->value, __ATOMIC_RELEASE);
        break;
    case K_add:
        see(self, __atomic_fetch_add(at, 1, __ATOMIC_SEQ_CST));
        break;
    case K_compare:
        see(self, __atomic_compare_exchange_n(at, &expected, 7, false, __ATOMIC_SEQ_CST,
                                              __ATOMIC_SEQ_CST));
        see(self, expected);
        break;
    default:
        see(self, mazur_choose(2));
    }
}

static long futex(unsigned *at, int what, unsigned value, const void *time, unsigned *other,
                  unsigned bits)
{
    return syscall(SYS_futex, at, what, value, time, other, bits);
}

static void with_futexes(struct runner *self, const struct operation *op)
{
    unsigned *at = &cell[op->at], *other = &cell[!op->at];
    struct timespec time = {1 + op->value, 0};
    switch (op->kind) {
    case K_futex_wait:
        see_call(self, futex(at, FUTEX_WAIT_PRIVATE, op->value % 2, NULL, NULL, 0));
        break;
    case K_futex_timed:
        see_call(self, futex(at, FUTEX_WAIT_PRIVATE, op->value % 2, &time, NULL, 0));
        break;
    case K_futex_wake:
        see_call(self, futex(at, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0));
        break;
    case K_futex_all:
        see_call(self, futex(at, FUTEX_WAKE_PRIVATE, 100, NULL, NULL, 0));
        break;
    case K_futex_set:
        __atomic_fetch_add(at, 1, __ATOMIC_SEQ_CST);
        see_call(self, futex(at, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0));
        break;
    case K_futex_requeue:
        see_call(self, futex(at, FUTEX_CMP_REQUEUE_PRIVATE, 1, (void *)1L, other, op->value));
        break;
    case K_futex_bits:
        time = after(op, CLOCK_MONOTONIC);
        see_call(self, futex(at, FUTEX_WAIT_BITSET_PRIVATE, 0, &time, NULL, 1u << op->value));
        break;
    default:
        see_call(self, futex(at, FUTEX_WAKE_BITSET_PRIVATE, 1, NULL, NULL, 1u << op->value));
    }
}

static void wait_for_pipe(struct runner *self, const struct operation *op)
{
    int reader = tube[op->at][0], end = tube[op->at][1];
    struct pollfd both[2] = {{reader, POLLIN, 0}, {event[0], POLLIN, 0}};
    struct timeval time = {op->value, 0};
    fd_set set;
    struct epoll_event ready = {.events = EPOLLIN};
    switch (op->kind) {
    case K_pipe_look:
        see_call(self, poll(both, 1, 0));
        see(self, both[0].revents);
        break;
    case K_pipe_poll:
        see_call(self, poll(both, 2, op->value == 2 ? -1 : 1000));
        see(self, both[0].revents * 100 + both[1].revents);
        break;
    case K_pipe_select:
        FD_ZERO(&set);
        FD_SET(reader, &set);
        see_call(self, select(reader + 1, &set, NULL, NULL, op->value == 2 ? NULL : &time));
        break;
    case K_pipe_epoll: {
        int poller = epoll_create1(0);
        epoll_ctl(poller, EPOLL_CTL_ADD, reader, &ready);
        see_call(self, epoll_wait(poller, &ready, 1, op->value == 2 ? -1 : op->value * 1000));
        close(poller);
        break;
    }
    default: /* close the other end, but once: its number may be given out again */
        if (!__atomic_exchange_n(&guarded[op->at], 1, __ATOMIC_SEQ_CST))
            see_call(self, close(end));
    }
}

static void with_descriptors(struct runner *self, const struct operation *op)
{
    uint64_t number = 1 + op->value;
    char byte = (char)('a' + op->value);
    switch (op->kind) {
    case K_event_add:
        see_call(self, write(event[op->at], &number, sizeof number));
        break;
    case K_event_take:
        see_call(self, read(event[0], &number, sizeof number));
        see(self, (long)number);
        break;
    case K_event_try:
        see_call(self, read(event[1], &number, sizeof number));
        see(self, (long)number);
        break;
    case K_pipe_put:
        see_call(self, write(tube[op->at][1], &byte, 1));
        break;
    case K_pipe_get:
        see_call(self, read(tube[0][0], &byte, 1));
        see(self, byte);
        break;
    case K_pipe_try:
        see_call(self, read(tube[1][0], &byte, 1));
        see(self, byte);
        break;
    default:
        wait_for_pipe(self, op);
    }
}

static void with_conditions(struct runner *self, const struct operation *op)
{
    struct timespec when =
        after(op, op->kind == K_cond_clock ? CLOCK_MONOTONIC : CLOCK_REALTIME);
    pthread_cond_t *at = &condition[op->at];
    pthread_mutex_lock(&mutex[0]);
    switch (op->kind) {
    case K_cond_wait:
        see(self, pthread_cond_wait(at, &mutex[0]));
        break;
    case K_cond_until:
        while (guarded[0] < 1)
            pthread_cond_wait(at, &mutex[0]);
        guarded[0]--;
        break;
    case K_cond_timed:
        see(self, pthread_cond_timedwait(at, &mutex[0], &when));
        break;
    case K_cond_clock:
        see(self, pthread_cond_clockwait(at, &mutex[0], CLOCK_MONOTONIC, &when));
        break;
    case K_cond_set:
        guarded[0]++;
        break;
    case K_cond_under:
        guarded[0]++;
        pthread_cond_signal(at);
        break;
    default:
        break;
    }
    see(self, guarded[0]);
    pthread_mutex_unlock(&mutex[0]);
    if (op->kind == K_cond_signal || op->kind == K_cond_set)
        see(self, pthread_cond_signal(at));
    else if (op->kind == K_cond_all)
        see(self, pthread_cond_broadcast(at));
}

static void first_time(void)
{
    __atomic_fetch_add(&cell[0], 3, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&cell[1], 3, __ATOMIC_SEQ_CST);
}

static void second_time(void)
{
    pthread_mutex_lock(&mutex[1]);
    guarded[1] += 5;
    pthread_mutex_unlock(&mutex[1]);
}

static void with_rwlock(struct runner *self, const struct operation *op)
{
    struct timespec when = after(op, CLOCK_REALTIME);
    int result = 0;
    switch (op->kind) {
    case K_read_lock:
        pthread_rwlock_rdlock(&rwlock);
        break;
    case K_write_lock:
        pthread_rwlock_wrlock(&rwlock);
        break;
    case K_try_read:
        result = pthread_rwlock_tryrdlock(&rwlock);
        break;
    case K_timed_read:
        result = pthread_rwlock_timedrdlock(&rwlock, &when);
        break;
    default:
        result = pthread_rwlock_timedwrlock(&rwlock, &when);
    }
    see(self, result);
    if (result)
        return;
    if (op->value)
        see(self, __atomic_fetch_add(&cell[op->at], 1, __ATOMIC_RELAXED));
    pthread_rwlock_unlock(&rwlock);
}

static void with_mutexes(struct runner *self, const struct operation *op)
{
    switch (op->kind) {
    case K_again:
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        see(self, __atomic_fetch_add(&cell[op->at], 2, __ATOMIC_RELAXED));
        pthread_mutex_unlock(&recursive);
        see(self, pthread_mutex_trylock(&recursive));
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
        break;
    case K_checked:
        see(self, pthread_mutex_lock(&checking));
        see(self, pthread_mutex_lock(&checking));
        see(self, pthread_mutex_unlock(&checking));
        break;
    default: /* the order may cause a deadlock */
        pthread_mutex_lock(&mutex[op->at]);
        pthread_mutex_lock(&mutex[!op->at]);
        see(self, guarded[1]++);
        pthread_mutex_unlock(&mutex[op->at]);
        pthread_mutex_unlock(&mutex[!op->at]);
    }
}

static void with_locks(struct runner *self, const struct operation *op)
{
    struct timespec when = after(op, CLOCK_REALTIME);
    switch (op->kind) {
    case K_meet:
        see(self, pthread_barrier_wait(&barrier));
        break;
    case K_sem_down:
        see_call(self, sem_wait(&semaphore[op->at]));
        break;
    case K_sem_up:
        see_call(self, sem_post(&semaphore[op->at]));
        break;
    case K_sem_try:
        see_call(self, sem_trywait(&semaphore[op->at]));
        break;
    case K_sem_timed:
        see_call(self, sem_timedwait(&semaphore[op->at], &when));
        break;
    case K_once_only:
        see(self, pthread_once(&once[op->at], op->at ? second_time : first_time));
        break;
    case K_spin_lock:
        pthread_spin_lock(&spinlock);
        see(self, __atomic_fetch_add(&cell[op->at], 2, __ATOMIC_RELAXED));
        pthread_spin_unlock(&spinlock);
        break;
    case K_spin_try:
        if (pthread_spin_trylock(&spinlock)) {
            see(self, 1);
            break;
        }
        see(self, __atomic_load_n(&cell[op->at], __ATOMIC_RELAXED));
        pthread_spin_unlock(&spinlock);
        break;
    case K_again:
    case K_checked:
    case K_two_locks:
        with_mutexes(self, op);
        break;
    default:
        with_rwlock(self, op);
    }
}

static void with_times(struct runner *self, const struct operation *op)
{
    struct timespec time = {op->value, 5};
    switch (op->kind) {
    case K_nap:
        see_call(self, nanosleep(&time, NULL));
        break;
    case K_sleep_until:
        time = beginning;
        time.tv_sec += op->value;
        see(self, clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, NULL));
        break;
    case K_now:
        clock_gettime(CLOCK_REALTIME, &time);
        see(self, time.tv_sec - beginning.tv_sec);
        break;
    case K_yield:
        sched_yield();
        break;
    case K_spin_yield:
        while (__atomic_load_n(&cell[op->at], __ATOMIC_ACQUIRE) == 0)
            sched_yield();
        break;
    case K_spin_nap:
        while (__atomic_load_n(&cell[op->at], __ATOMIC_ACQUIRE) == 0)
            usleep(1000);
        break;
    case K_spin_rounds:
        for (int i = 0; i < 3 && __atomic_load_n(&cell[op->at], __ATOMIC_ACQUIRE) == 0; i++)
            sched_yield();
        see(self, __atomic_load_n(&cell[op->at], __ATOMIC_ACQUIRE));
        break;
    default: /* polls under a lock */
        while (pthread_mutex_trylock(&mutex[op->at]))
            sched_yield();
        see(self, guarded[op->at]++);
        pthread_mutex_unlock(&mutex[op->at]);
    }
}

static void first_c11(void)
{
    __atomic_fetch_add(&cell[1], 2, __ATOMIC_SEQ_CST);
}

static int c11_child(void *argument)
{
    tss_set(tss, argument);
    return (int)__atomic_fetch_add((unsigned *)argument, 1, __ATOMIC_SEQ_CST);
}

static void with_cnd(struct runner *self, const struct operation *op)
{
    struct timespec when = after(op, CLOCK_REALTIME);
    mtx_lock(&mtx[1]);
    if (op->kind == K_cnd_wait_)
        see(self, cnd_wait(&cnd, &mtx[1]));
    else if (op->kind == K_cnd_timed_)
        see(self, cnd_timedwait(&cnd, &mtx[1], &when));
    see(self, guarded[1]++);
    mtx_unlock(&mtx[1]);
    if (op->kind == K_cnd_signal_)
        see(self, cnd_signal(&cnd));
    else if (op->kind == K_cnd_all_)
        see(self, cnd_broadcast(&cnd));
}

static void with_c11(struct runner *self, const struct operation *op)
{
    struct timespec when = after(op, CLOCK_REALTIME), time = {op->value, 0};
    thrd_t made;
    int result = thrd_success;
    switch (op->kind) {
    case K_mtx_plain_:
    case K_mtx_try:
    case K_mtx_timed_:
        if (op->kind == K_mtx_plain_)
            mtx_lock(&mtx[0]);
        else if (op->kind == K_mtx_try)
            result = mtx_trylock(&mtx[0]);
        else
            result = mtx_timedlock(&mtx[0], &when);
        see(self, result);
        if (result == thrd_success) {
            see(self, guarded[0]++);
            mtx_unlock(&mtx[0]);
        }
        break;
    case K_call_once_:
        call_once(&flag, first_c11);
        break;
    case K_tss_:
        see(self, tss_set(tss, &cell[op->at]));
        see(self, tss_get(tss) == &cell[0]);
        break;
    case K_thrd_:
    case K_thrd_detached:
        thrd_create(&made, c11_child, &cell[op->at]);
        if (op->kind == K_thrd_) {
            thrd_join(made, &result);
            see(self, result);
        } else {
            thrd_detach(made);
        }
        break;
    case K_thrd_yield_:
        thrd_yield();
        break;
    case K_thrd_sleep_:
        see(self, thrd_sleep(&time, NULL));
        break;
    default:
        with_cnd(self, op);
    }
}

static void *run(void *argument);

static void at_end_of_thread(void *value)
{
    __atomic_fetch_add((unsigned *)value, 1, __ATOMIC_SEQ_CST);
}

static void at_exit(void)
{
    report('a', __atomic_load_n(&cell[0], __ATOMIC_ACQUIRE));
}

static void with_ends(struct runner *self, const struct operation *op)
{
    struct runner *made;
    pthread_t child;
    pthread_attr_t attributes;
    switch (op->kind) {
    case K_key_value:
        see(self, pthread_getspecific(key) == &cell[op->at]);
        pthread_setspecific(key, &cell[op->at]);
        break;
    case K_detached:
    case K_later:
        made = calloc(1, sizeof *made);
        made->next = op + 1;
        made->count = op + 1 < self->next + self->count && op[1].kind < FIRST_END ? 1 : 0;
        pthread_attr_init(&attributes);
        if (op->kind == K_detached)
            pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_create(&child, &attributes, run, made);
        if (op->kind == K_later) {
            self->later[self->children] = child;
            self->child[self->children++] = made;
        }
        break;
    case K_leave:
        pthread_exit(NULL);
    case K_quick:
        see(self, atexit(at_exit));
        break;
    default:
        report('x', self->seen);
        exit(0);
    }
}

static void clean(void *argument)
{
    struct runner *self = argument;
    see(self, __atomic_fetch_add(&cell[0], 1, __ATOMIC_SEQ_CST));
    pthread_mutex_unlock(&mutex[0]);
}

/* A thread that certainly exists: made before the caller, or the caller itself. */
static pthread_t another(const struct runner *self, const struct operation *op)
{
    if (self == runner)
        return pthread_self();
    return thread[op->at ? self - runner - 1 : 0];
}

static void with_cancellation(struct runner *self, const struct operation *op)
{
    struct timespec time = {1, 0};
    int before;
    switch (op->kind) {
    case K_cancel:
        see(self, pthread_cancel(another(self, op)));
        break;
    case K_test:
        pthread_testcancel();
        break;
    case K_shielded:
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
        see_call(self, sem_timedwait(&semaphore[op->at], &(struct timespec){0}));
        see_call(self, nanosleep(&time, NULL));
        pthread_setcancelstate(before, NULL);
        break;
    case K_cleaned:
        pthread_mutex_lock(&mutex[0]);
        pthread_cleanup_push(clean, self);
        if (op->value)
            see(self, pthread_cond_wait(&condition[0], &mutex[0]));
        else
            see(self, guarded[0]++);
        pthread_cleanup_pop(1);
        break;
    case K_sleeper:
        see_call(self, nanosleep(&time, NULL));
        break;
    default:
        see_call(self, sem_wait(&semaphore[0]));
    }
}

static void on_signal(int number)
{
    (void)number;
    __atomic_fetch_add(&cell[0], 1, __ATOMIC_RELAXED);
}

static void with_signals(struct runner *self, const struct operation *op)
{
    struct timespec time = {1, 0};
    sigset_t set, old;
    int got = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    switch (op->kind) {
    case K_kill_thread:
        see(self, pthread_kill(another(self, op), op->value ? SIGUSR2 : SIGUSR1));
        break;
    case K_kill_all:
        see_call(self, kill(getpid(), op->value ? SIGUSR2 : SIGUSR1));
        break;
    case K_sig_wait:
        see(self, sigwait(&set, &got));
        see(self, got);
        break;
    case K_sig_timed:
        see_call(self, sigtimedwait(&set, NULL, &time));
        break;
    case K_sig_pending:
        sigpending(&set);
        see(self, sigismember(&set, SIGUSR2) * 2 + sigismember(&set, SIGUSR1));
        break;
    default:
        sigemptyset(&set);
        sigaddset(&set, SIGUSR1);
        pthread_sigmask(SIG_BLOCK, &set, &old);
        see(self, __atomic_load_n(&cell[0], __ATOMIC_SEQ_CST));
        see(self, __atomic_load_n(&cell[0], __ATOMIC_SEQ_CST));
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
}

static void *run(void *argument)
{
    struct runner *self = argument;
    for (int i = 0; i < self->count; i++) {
        const struct operation *op = &self->next[i];
        if (op->kind < FIRST_FUTEX)
            with_cells(self, op);
        else if (op->kind < FIRST_DESCRIPTOR)
            with_futexes(self, op);
        else if (op->kind < FIRST_CONDITION)
            with_descriptors(self, op);
        else if (op->kind < FIRST_LOCK)
            with_conditions(self, op);
        else if (op->kind < FIRST_TIME)
            with_locks(self, op);
        else if (op->kind < FIRST_C11)
            with_times(self, op);
        else if (op->kind < FIRST_END)
            with_c11(self, op);
        else if (op->kind < FIRST_CANCEL)
            with_ends(self, op);
        else if (op->kind < FIRST_SIGNAL)
            with_cancellation(self, op);
        else
            with_signals(self, op);
    }
    for (int i = 0; i < self->children; i++) {
        pthread_join(self->later[i], NULL);
        see(self, (long)self->child[i]->seen);
    }
    return NULL;
}

static void choose_kinds(const char *kinds)
{
    static const enum kind family[] = {
        FIRST_FUTEX, FIRST_DESCRIPTOR, FIRST_CONDITION, FIRST_LOCK,   FIRST_TIME,
        FIRST_C11,   FIRST_END,        FIRST_CANCEL,    FIRST_SIGNAL, KINDS};
    lowest = 0;
    highest = FIRST_CANCEL;
    for (enum kind kind = 0; kind < KINDS; kind++)
        if (strcmp(kinds, names[kind]) == 0)
            lowest = kind, highest = kind + 1;
    for (int i = 0; family[i] < KINDS; i++)
        if (lowest == family[i])
            highest = family[i + 1];
}

static void set_up(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    if (lowest >= FIRST_SIGNAL) {
        signal(SIGUSR1, on_signal);
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    }
    clock_gettime(CLOCK_REALTIME, &beginning);
    event[0] = eventfd(0, 0);
    event[1] = eventfd(0, EFD_NONBLOCK | EFD_SEMAPHORE);
    if (pipe(tube[0]) || pipe2(tube[1], O_NONBLOCK))
        exit(6);
    sem_init(&semaphore[0], 0, 0);
    sem_init(&semaphore[1], 0, 1);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE);
    pthread_key_create(&key, at_end_of_thread);
    mtx_init(&mtx[0], mtx_timed);
    mtx_init(&mtx[1], mtx_plain);
    cnd_init(&cnd);
    tss_create(&tss, at_end_of_thread);
}

int main(int argc, char **argv)
{
    struct runner all = {0};
    void *result;
    if (!outcome_program(argc, argv, OPERATIONS, choose_kinds, make_program, print_program))
        return 0;
    set_up();
    for (int t = 0; t < threads; t++) {
        runner[t].next = program[t];
        runner[t].count = length[t];
        pthread_create(&thread[t], NULL, run, &runner[t]);
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(thread[t], &result);
        see(&all, (long)runner[t].seen);
        see(&all, result == PTHREAD_CANCELED);
    }
    see(&all, __atomic_load_n(&cell[0], __ATOMIC_RELAXED));
    see(&all, __atomic_load_n(&cell[1], __ATOMIC_RELAXED));
    see(&all, guarded[0] * 100 + guarded[1]);
    report('e', all.seen);
    return 0;
}
