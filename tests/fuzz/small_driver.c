/* Runs a small program (small.h) with real calls: small_driver CODE. $OUTCOMES: the file to
 * which each execution that ends adds a line (outcome.h).
 *
 * A thread writes what it observed before it sets its mark, and only threads that have seen the
 * mark read it: the driver itself adds no data race. With SILENT it reports no outcomes, and
 * makes no call that Mazur does not control. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "outcome.h"
#include "small.h"

static struct program program;
static atomic_int atomics[ATOMICS];
static int plains[PLAINS];
static pthread_mutex_t mutexes[MUTEXES];
static pthread_cond_t conditions[CONDITIONS];
static sem_t *semaphores[SEMAPHORES]; /* a block each */
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t keys[KEYS];
static atomic_int marks;

static uint32_t told_by[THREADS];

struct self {
    int thread;
    int value; /* last told */
    uint32_t told;
    uint8_t held[MUTEXES];
    uint8_t rwlock_held;
    uint8_t created[THREADS]; /* and neither joined nor detached */
    pthread_t id[THREADS];
};

/* Sets the thread's mark; returns the marks that were set before, one bit each. */
static int set_mark(const struct self *self)
{
    told_by[self->thread] = self->told;
    return atomic_fetch_or(&marks, 1 << self->thread);
}

#ifdef SILENT
static void report_outcome(const struct self *self, int ended)
{
    (void)self;
    (void)ended;
}
#else
static void report_outcome(const struct self *self, int ended)
{
    uint32_t told[THREADS] = {0};
    uint8_t has_ended[THREADS] = {0};
    for (int thread = 0; thread < THREADS; thread++)
        if (thread == self->thread || ended >> thread & 1) {
            told[thread] = told_by[thread];
            has_ended[thread] = 1;
        }
    report('o', small_outcome(self->thread, told, has_ended));
}
#endif

static void tell(struct self *self, int value)
{
    self->value = value;
    self->told = small_mix(self->told, (uint32_t)value);
}

static void initialise(void)
{
    atomic_fetch_add(&atomics[1], 1);
}

static void destructor(void *value)
{
    (void)value;
    atomic_fetch_add(&atomics[0], 2);
}

static void *worker(void *argument);

static void end_process(struct self *self, int status)
{
    report_outcome(self, set_mark(self));
    exit(status);
}

static void run_memory(struct self *self, const struct instruction *one)
{
    int expected = one->b;
    switch (one->kind) {
    case LOAD:
        return tell(self, atomic_load(&atomics[one->a]));
    case STORE:
        return atomic_store(&atomics[one->a], one->b);
    case ADD:
        return tell(self, atomic_fetch_add(&atomics[one->a], one->b));
    case EXCHANGE:
        return tell(self, atomic_exchange(&atomics[one->a], one->b));
    case CAS:
        return tell(self,
                    atomic_compare_exchange_strong(&atomics[one->a], &expected, one->b + 1));
    case READ:
        return tell(self, plains[one->a]);
    default:
        plains[one->a] = one->b;
    }
}

static void run_mutex(struct self *self, const struct instruction *one)
{
    pthread_mutex_t *mutex = &mutexes[one->a];
    int failed;
    switch (one->kind) {
    case LOCK:
        failed = pthread_mutex_lock(mutex) != 0;
        self->held[one->a] += !failed;
        return tell(self, failed);
    case TRYLOCK:
        failed = pthread_mutex_trylock(mutex) != 0;
        self->held[one->a] += !failed;
        return tell(self, !failed);
    case UNLOCK:
        if (self->held[one->a]) {
            self->held[one->a]--;
            pthread_mutex_unlock(mutex);
        }
        return;
    case RAW_UNLOCK:
        failed = pthread_mutex_unlock(mutex) != 0;
        self->held[one->a] -= !failed;
        return tell(self, failed);
    case WAIT:
        if (self->held[0])
            pthread_cond_wait(&conditions[one->a], &mutexes[0]);
        return;
    case SIGNAL:
        pthread_cond_signal(&conditions[one->a]);
        return;
    default:
        pthread_cond_broadcast(&conditions[one->a]);
    }
}

static void run_rwlock(struct self *self, const struct instruction *one)
{
    if (one->kind == RELEASE) {
        if (self->rwlock_held) {
            self->rwlock_held = 0;
            pthread_rwlock_unlock(&rwlock);
        }
        return;
    }
    if (self->rwlock_held)
        return;
    bool worked = true;
    if (one->kind == READLOCK)
        pthread_rwlock_rdlock(&rwlock);
    else if (one->kind == WRITELOCK)
        pthread_rwlock_wrlock(&rwlock);
    else
        worked = (one->kind == TRYREAD ? pthread_rwlock_tryrdlock(&rwlock)
                                       : pthread_rwlock_trywrlock(&rwlock)) == 0;
    self->rwlock_held = worked;
    if (one->kind == TRYREAD || one->kind == TRYWRITE)
        tell(self, worked);
}

static void run_semaphore(struct self *self, const struct instruction *one)
{
    int value;
    switch (one->kind) {
    case DOWN:
        sem_wait(semaphores[one->a]);
        return;
    case TRYDOWN:
        return tell(self, sem_trywait(semaphores[one->a]) == 0);
    case UP:
        sem_post(semaphores[one->a]);
        return;
    default:
        sem_getvalue(semaphores[one->a], &value);
        tell(self, value);
    }
}

static void run_thread(struct self *self, const struct instruction *one)
{
    void *result;
    if (one->kind == CREATE) {
        pthread_create(&self->id[one->a], NULL, worker, (void *)(intptr_t)one->a);
        self->created[one->a] = 1;
        return;
    }
    if (!self->created[one->a])
        return;
    self->created[one->a] = 0;
    if (one->kind == DETACH) {
        pthread_detach(self->id[one->a]);
        return;
    }
    pthread_join(self->id[one->a], &result);
    tell(self, (int)(intptr_t)result & 1);
}

static void run_one(struct self *self, const struct instruction *one)
{
    switch (one->kind) {
    case LOAD ... WRITE:
        return run_memory(self, one);
    case LOCK ... BROADCAST:
        return run_mutex(self, one);
    case DOWN ... VALUE:
        return run_semaphore(self, one);
    case READLOCK ... RELEASE:
        return run_rwlock(self, one);
    case MEET:
        return tell(self, pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD);
    case ONCE:
        pthread_once(&once, initialise);
        return;
    case SET:
        pthread_setspecific(keys[one->a], (void *)(intptr_t)one->b);
        return;
    case GET:
        return tell(self, (int)(intptr_t)pthread_getspecific(keys[one->a]));
    case EXIT:
        end_process(self, one->b);
        return;
    case CHECK:
        assert(self->value != one->b);
        return;
    case CREATE ... DETACH:
        return run_thread(self, one);
    case DESTROY:
        pthread_mutex_destroy(&mutexes[one->a]);
        return;
    case FREE:
        free(semaphores[one->a]);
        return;
    default:
        sched_yield();
    }
}

/* Runs all instructions, then releases what is still held. */
static void run_all(struct self *self)
{
    for (int i = 0; i < program.count[self->thread]; i++) {
        const struct instruction *one = &program.code[self->thread][i];
        if (one->when == '.' || (one->when == '0') == (self->value == 0))
            run_one(self, one);
    }
    for (uint8_t mutex = 0; mutex < MUTEXES; mutex++)
        while (self->held[mutex])
            run_mutex(self, &(struct instruction){'.', UNLOCK, mutex, 0});
    run_rwlock(self, &(struct instruction){'.', RELEASE, 0, 0});
}

static void *worker(void *argument)
{
    struct self self = {.thread = (int)(intptr_t)argument};
    run_all(&self);
    set_mark(&self);
    return (void *)(intptr_t)self.told;
}

static void set_up(void)
{
    static const int types[MUTEXES] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE,
                                       PTHREAD_MUTEX_ERRORCHECK};
    for (int i = 0; i < MUTEXES; i++) {
        pthread_mutexattr_t attributes;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, types[i]);
        pthread_mutex_init(&mutexes[i], &attributes);
    }
    for (int i = 0; i < CONDITIONS; i++)
        pthread_cond_init(&conditions[i], NULL);
    for (int i = 0; i < SEMAPHORES; i++)
        sem_init(semaphores[i] = malloc(sizeof(sem_t)), 0, (unsigned)i);
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < KEYS; i++)
        pthread_key_create(&keys[i], i ? destructor : NULL);
}

int main(int argc, char **argv)
{
    struct self self = {0};
    if (argc != 2 || small_decode(argv[1], &program) != 0)
        return 64;
    outcome_file = getenv("OUTCOMES");
    set_up();
    run_all(&self);
    end_process(&self, 0);
}
