/* A random multithreaded program, chosen by its seed: random_program SEED SIZE KINDS [print].
 * KINDS is "basic", "wide" (with the rarer calls, too), "loops" (mostly idle loops and regions)
 * or "times" (mostly waits with deadlines).
 *
 * The native counterpart of the synthetic worlds of `mazur selftest`. There an oracle checks
 * the strategies; here all strategies together, which must agree, check the runtime's
 * operations: what each one depends on, and when it is enabled (native.sh). One binary runs all
 * programs: it interprets lists of operations that are made before the threads start. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mazur.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS    3
#define OPERATIONS 8
#define VARIABLES  3

enum kind {
    LOAD,
    STORE,
    ADD,
    EXCHANGE,
    COMPARE,
    LOCKED,    /* lock, add to a plain variable, unlock */
    TRY,       /* trylock, unlock if it succeeded */
    TIMED,     /* timedlock */
    WAIT,      /* with the mutex: wait until the variable is not 0 */
    WAKE,      /* with the mutex: set it and signal */
    WAKE_BARE, /* signal without the mutex */
    POST,
    DOWN,
    TRY_DOWN,
    READ_LOCKED,
    WRITE_LOCKED,
    SPIN, /* until the variable is not 0 */
    YIELD,
    SLEEP,
    CHOOSE,
    CHECK, /* assertion about a variable, or assumption */
    MEET,  /* barrier for two */
    ONCE,
    SPAWN, /* a thread that adds, joined at once */
    BASIC_KINDS,
    TIMED_WAIT = BASIC_KINDS, /* for a condition that may never hold */
    TIMED_DOWN,
    TRY_READ,
    TRY_WRITE,
    RECURSIVE, /* lock twice */
    DETACH,    /* a thread that adds, detached */
    QUIT,      /* pthread_exit */
    EXIT,      /* the process ends */
    SEND,      /* a byte into the pipe */
    RECEIVE,   /* a byte out of it */
    POLL,      /* is there one? */
    REGION,    /* two additions as one step */
    CALM,      /* two additions without a preemption in between */
    FENCE,
    WAIT_VALUE,    /* futex-like: wait on a condition without a predicate, with a deadline */
    PLAIN,         /* an access without protection */
    SPIN_TWO,      /* until one of two variables is not 0 */
    GRAB,          /* a lock made of exchange, taken and released */
    CLAIM,         /* compare and exchange until it succeeds, and release */
    TRY_SPIN,      /* trylock until it succeeds */
    LOCKED_REGION, /* a region that may block in the middle */
    CHOOSE_REGION, /* a region with a data choice */
    KINDS
};

struct operation {
    enum kind kind;
    int which;
    int value;
};

static struct operation program[THREADS][OPERATIONS];
static int length[THREADS];
static int threads;

static atomic_int variable[VARIABLES], busy;
static int plain[2];
static pthread_mutex_t mutex[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t semaphore;
static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int channel[2];
static int ready; /* protected by mutex[0] */
static bool wide, mostly_loops, mostly_times;

static uint64_t state;

static unsigned draw(unsigned below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % below;
}

/* Blocking operations are rare; otherwise nearly every program would deadlock at once. */
static enum kind draw_kind(void)
{
    static const enum kind often[] = {LOAD,   STORE, ADD, EXCHANGE, COMPARE, LOCKED,
                                      LOCKED, TRY,   ADD, STORE,    LOAD};
    static const enum kind timed[] = {TIMED,     TIMED_WAIT, TIMED_DOWN, WAIT_VALUE, WAKE,
                                      WAKE_BARE, SLEEP,      POST,       LOCKED};
    if (mostly_times && draw(2))
        return timed[draw(sizeof timed / sizeof *timed)];
    if (mostly_loops && draw(2))
        return (enum kind)(SPIN_TWO + draw(KINDS - SPIN_TWO));
    return draw(3) ? often[draw(sizeof often / sizeof *often)]
                   : (enum kind)draw(wide ? KINDS : BASIC_KINDS);
}

static void make_program(unsigned size)
{
    threads = 2 + (int)draw(THREADS - 1);
    for (int t = 0; t < threads; t++) {
        length[t] = 1 + (int)draw(size);
        for (int i = 0; i < length[t]; i++)
            program[t][i] = (struct operation){draw_kind(), (int)draw(2), (int)draw(3)};
    }
}

static void print_program(void)
{
    static const char *const names[KINDS] = {
        "load",       "store",      "add",           "exchange",     "compare",   "locked",
        "try",        "timed",      "wait",          "wake",         "wake_bare", "post",
        "down",       "try_down",   "read_locked",   "write_locked", "spin",      "yield",
        "sleep",      "choose",     "check",         "meet",         "once",      "spawn",
        "timed_wait", "timed_down", "try_read",      "try_write",    "recursive", "detach",
        "quit",       "exit",       "send",          "receive",      "poll",      "region",
        "calm",       "fence",      "wait_value",    "plain",        "spin_two",  "grab",
        "claim",      "try_spin",   "locked_region", "choose_region"};
    for (int t = 0; t < threads; t++) {
        printf("thread %d:", t);
        for (int i = 0; i < length[t]; i++)
            printf(" %s(%d,%d)", names[program[t][i].kind], program[t][i].which,
                   program[t][i].value);
        printf("\n");
    }
}

static struct timespec soon(const struct operation *operation)
{
    struct timespec when;
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_sec += 1 + (mostly_times ? operation->value : 0);
    return when;
}

static void initialise(void)
{
    atomic_fetch_add(&variable[2], 1);
}

static void *child(void *argument)
{
    atomic_fetch_add((atomic_int *)argument, 1);
    return NULL;
}

static void with_mutex(const struct operation *operation)
{
    pthread_mutex_t *lock = &mutex[operation->which];
    struct timespec when;
    switch (operation->kind) {
    case LOCKED:
        pthread_mutex_lock(lock);
        plain[operation->which] += operation->value;
        pthread_mutex_unlock(lock);
        break;
    case TRY:
        if (pthread_mutex_trylock(lock) == 0) {
            plain[operation->which]++;
            pthread_mutex_unlock(lock);
        }
        break;
    case TIMED:
        when = soon(operation);
        if (pthread_mutex_timedlock(lock, &when) == 0)
            pthread_mutex_unlock(lock);
        break;
    case WAIT:
        pthread_mutex_lock(&mutex[0]);
        while (!ready)
            pthread_cond_wait(&condition, &mutex[0]);
        pthread_mutex_unlock(&mutex[0]);
        break;
    case WAKE:
        pthread_mutex_lock(&mutex[0]);
        ready = 1;
        if (operation->value)
            pthread_cond_broadcast(&condition);
        else
            pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex[0]);
        break;
    default:
        pthread_cond_signal(&condition);
    }
}

static void other(const struct operation *operation)
{
    pthread_t thread;
    switch (operation->kind) {
    case POST:
        sem_post(&semaphore);
        break;
    case DOWN:
        sem_wait(&semaphore);
        break;
    case TRY_DOWN:
        sem_trywait(&semaphore);
        break;
    case READ_LOCKED:
        pthread_rwlock_rdlock(&rwlock);
        atomic_load(&variable[operation->which]);
        pthread_rwlock_unlock(&rwlock);
        break;
    case WRITE_LOCKED:
        pthread_rwlock_wrlock(&rwlock);
        atomic_store(&variable[operation->which], operation->value);
        pthread_rwlock_unlock(&rwlock);
        break;
    case YIELD:
        sched_yield();
        break;
    case SLEEP:
        usleep(mostly_times ? 700000u * (unsigned)operation->value : 10);
        break;
    case MEET:
        pthread_barrier_wait(&barrier);
        break;
    case ONCE:
        pthread_once(&once, initialise);
        break;
    default:
        pthread_create(&thread, NULL, child, &variable[operation->which]);
        pthread_join(thread, NULL);
    }
}

static void with_variable(const struct operation *operation)
{
    atomic_int *at = &variable[operation->which];
    int expected = operation->value;
    switch (operation->kind) {
    case LOAD:
        atomic_load(at);
        break;
    case STORE:
        atomic_store(at, operation->value);
        break;
    case ADD:
        atomic_fetch_add(at, operation->value);
        break;
    case EXCHANGE:
        atomic_exchange(at, operation->value);
        break;
    case COMPARE:
        atomic_compare_exchange_strong(at, &expected, operation->value + 1);
        break;
    case SPIN:
        while (!atomic_load(at)) {
        }
        break;
    case CHOOSE:
        atomic_store(at, mazur_choose(2));
        break;
    default:
        if (operation->value == 0)
            mazur_assume(atomic_load(at) != 1);
        else
            assert(atomic_load(at) != operation->value + 2);
    }
}

static void rarer_locks(const struct operation *operation)
{
    struct timespec when = soon(operation);
    switch (operation->kind) {
    case TIMED_WAIT:
        pthread_mutex_lock(&mutex[0]);
        while (!ready && pthread_cond_timedwait(&condition, &mutex[0], &when) == 0) {
        }
        pthread_mutex_unlock(&mutex[0]);
        break;
    case WAIT_VALUE:
        pthread_mutex_lock(&mutex[0]);
        pthread_cond_timedwait(&condition, &mutex[0], &when);
        pthread_mutex_unlock(&mutex[0]);
        break;
    case TIMED_DOWN:
        sem_timedwait(&semaphore, &when);
        break;
    case TRY_READ:
        if (pthread_rwlock_tryrdlock(&rwlock) == 0)
            pthread_rwlock_unlock(&rwlock);
        break;
    case TRY_WRITE:
        if (pthread_rwlock_trywrlock(&rwlock) == 0)
            pthread_rwlock_unlock(&rwlock);
        break;
    default:
        pthread_mutex_lock(&recursive);
        pthread_mutex_lock(&recursive);
        pthread_mutex_unlock(&recursive);
        pthread_mutex_unlock(&recursive);
    }
}

static void rarer(const struct operation *operation)
{
    atomic_int *at = &variable[operation->which];
    struct pollfd poll_one = {.fd = channel[0], .events = POLLIN};
    char byte = 1;
    pthread_t thread;
    switch (operation->kind) {
    case DETACH:
        pthread_create(&thread, NULL, child, at);
        pthread_detach(thread);
        break;
    case QUIT:
        pthread_exit(NULL);
    case EXIT:
        exit(0);
    case SEND:
        assert(write(channel[1], &byte, 1) == 1);
        break;
    case RECEIVE:
        assert(read(channel[0], &byte, 1) == 1);
        break;
    case POLL:
        poll(&poll_one, 1, 0);
        break;
    case REGION:
        mazur_atomic_begin();
        atomic_fetch_add(at, 1);
        atomic_fetch_add(&variable[2], 1);
        mazur_atomic_end();
        break;
    case CALM:
        mazur_no_preempt_begin();
        atomic_fetch_add(at, 1);
        atomic_fetch_add(&variable[2], 1);
        mazur_no_preempt_end();
        break;
    case PLAIN:
        plain[operation->which] = operation->value;
        break;
    default:
        atomic_thread_fence(memory_order_seq_cst);
    }
}

static void loops(const struct operation *operation)
{
    atomic_int *at = &variable[operation->which];
    int expected;
    switch (operation->kind) {
    case SPIN_TWO:
        while (!atomic_load(at) && !atomic_load(&variable[2])) {
        }
        break;
    case GRAB:
        while (atomic_exchange(&busy, 1)) {
        }
        atomic_store(&busy, 0);
        break;
    case CLAIM:
        do
            expected = 0;
        while (!atomic_compare_exchange_strong(&busy, &expected, 2) && !atomic_load(at));
        if (expected == 0)
            atomic_store(&busy, 0);
        break;
    case TRY_SPIN:
        while (pthread_mutex_trylock(&mutex[operation->which]) != 0) {
        }
        pthread_mutex_unlock(&mutex[operation->which]);
        break;
    case LOCKED_REGION:
        mazur_atomic_begin();
        atomic_fetch_add(at, 1);
        pthread_mutex_lock(&mutex[operation->which]);
        pthread_mutex_unlock(&mutex[operation->which]);
        mazur_atomic_end();
        break;
    default:
        mazur_atomic_begin();
        if (mazur_choose(2))
            atomic_fetch_add(at, 1);
        else
            atomic_load(&variable[2]);
        mazur_atomic_end();
    }
}

static void *run(void *argument)
{
    int self = *(int *)argument;
    for (int i = 0; i < length[self]; i++) {
        const struct operation *operation = &program[self][i];
        switch (operation->kind) {
        case LOCKED:
        case TRY:
        case TIMED:
        case WAIT:
        case WAKE:
        case WAKE_BARE:
            with_mutex(operation);
            break;
        case LOAD:
        case STORE:
        case ADD:
        case EXCHANGE:
        case COMPARE:
        case SPIN:
        case CHOOSE:
        case CHECK:
            with_variable(operation);
            break;
        case TIMED_WAIT:
        case WAIT_VALUE:
        case TIMED_DOWN:
        case TRY_READ:
        case TRY_WRITE:
        case RECURSIVE:
            rarer_locks(operation);
            break;
        default:
            if (operation->kind < BASIC_KINDS)
                other(operation);
            else if (operation->kind < SPIN_TWO)
                rarer(operation);
            else
                loops(operation);
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    static int number[THREADS];
    pthread_t thread[THREADS];
    unsigned size = argc > 2 ? (unsigned)atoi(argv[2]) : 4;
    state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2654435761u + 1 : 1;
    draw(2);
    mostly_times = argc > 3 && strcmp(argv[3], "times") == 0;
    mostly_loops = argc > 3 && strcmp(argv[3], "loops") == 0;
    wide = argc > 3 && strcmp(argv[3], "basic") != 0;
    make_program(size > OPERATIONS ? OPERATIONS : size);
    if (argc > 4) {
        print_program();
        return 0;
    }
    if (wide && pipe(channel) != 0)
        return 1;
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    for (int t = 0; t < threads; t++) {
        number[t] = t;
        pthread_create(&thread[t], NULL, run, &number[t]);
    }
    for (int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    return 0;
}
