/* A random multithreaded program whose main does a lot before it creates a thread: random_setup
 * SEED SIZE. Executions that start at a checkpoint must do what those do that begin with main
 * (checkpoints.sh), so there is some of every kind of state here: memory of all kinds and
 * sizes, dead stack frames, locks, keys, handlers, random numbers. It writes a line to the file
 * $SETUPS each time that main comes so far. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "outcome.h"

#define THREADS    3
#define STATEMENTS 6
#define BLOCKS     6
#define BIG        60000

enum kind {
    ADD,
    LOAD,
    LOCKED,   /* changes plain memory under the lock */
    UNLOCKED, /* … without it: a race */
    RARELY,   /* the same, in some executions only: the search starts over late */
    ALLOCATE,
    RELEASE,
    LOOK_AT_BLOCK,
    LOOK_AT_BIG,
    CHANGE_BIG,
    OWN_STORAGE,
    KEY,
    NEW_KEY,
    NUMBER,
    POST,
    WAIT,
    EXPECT,
    RAISE,
    KINDS
};

struct statement {
    enum kind kind;
    unsigned cell, value;
};

static struct worker {
    unsigned count;
    struct statement statement[STATEMENTS];
    uint64_t seen;
} worker[THREADS + 1];

static atomic_int cell[2];
static int plain[4];
static int big[BIG];
static int *block[BLOCKS];
static size_t block_size[BLOCKS];
static __thread int own = 3;
static pthread_key_t key[3];
static unsigned keys;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static unsigned raised;

static void handle_signal(int number)
{
    raised += (unsigned)number;
}

static void allocate(unsigned i, unsigned value)
{
    static const size_t sizes[] = {4, 40, 400, 5000, 70000, 300000};
    if (block[i])
        return;
    block_size[i] = sizes[value % 6] / sizeof(int);
    block[i] = malloc(block_size[i] * sizeof(int));
    for (size_t at = 0; at < block_size[i]; at += 97)
        block[i][at] = (int)(value + at);
}

static void release(unsigned i)
{
    free(block[i]);
    block[i] = NULL;
}

static uint64_t sum_block(unsigned i)
{
    uint64_t sum = block[i] ? block_size[i] : 0;
    for (size_t at = 0; block[i] && at < block_size[i]; at += 97)
        sum = outcome_mix(sum, (uint64_t)block[i][at]);
    return sum;
}

/* Leaves dead frames of various depths on the stack. */
static unsigned dig(unsigned depth, unsigned value)
{
    volatile unsigned frame[64];
    for (unsigned i = 0; i < 64; i++)
        frame[i] = value * i;
    return depth == 0 ? frame[value % 64] : dig(depth - 1, value + 1) + frame[depth % 64];
}

static void rarely(const struct statement *s)
{
    if (atomic_load(&cell[s->cell]) == (int)(s->value % 4 + 1))
        plain[0]++;
}

static void execute(struct worker *self, const struct statement *s)
{
    unsigned i = s->value % BLOCKS;
    uint64_t saw = 0;
    if (s->kind == ADD)
        saw = (uint64_t)atomic_fetch_add(&cell[s->cell], (int)s->value);
    else if (s->kind == LOAD)
        saw = (uint64_t)atomic_load(&cell[s->cell]);
    else if (s->kind == UNLOCKED)
        plain[s->cell]++;
    else if (s->kind == RARELY)
        rarely(s);
    else if (s->kind == OWN_STORAGE)
        saw = (uint64_t)(own += (int)s->value);
    else if (s->kind == POST)
        sem_post(&semaphore);
    else if (s->kind == WAIT)
        sem_wait(&semaphore);
    else if (s->kind == NUMBER)
        saw = (uint64_t)rand();
    else if (s->kind == EXPECT)
        assert(atomic_load(&cell[s->cell]) != (int)s->value);
    else if (s->kind == KEY && keys > 0) {
        saw = (uint64_t)(uintptr_t)pthread_getspecific(key[s->value % keys]);
        pthread_setspecific(key[s->value % keys], (void *)(uintptr_t)(saw + s->value));
    } else if (s->kind == RAISE && self == worker)
        raise(SIGUSR1);
    else {
        pthread_mutex_lock(&lock);
        if (s->kind == LOCKED)
            saw = (uint64_t)(plain[2 + s->cell] += (int)s->value);
        else if (s->kind == ALLOCATE)
            allocate(i, s->value);
        else if (s->kind == RELEASE)
            release(i);
        else if (s->kind == LOOK_AT_BLOCK)
            saw = sum_block(i);
        else if (s->kind == NEW_KEY) {
            pthread_key_t made;
            pthread_key_create(&made, NULL);
            saw = made;
            pthread_key_delete(made);
        } else if (s->kind == LOOK_AT_BIG)
            saw = (uint64_t)big[s->value * 977 % BIG];
        else
            saw = (uint64_t)big[s->value * 977 % BIG]++;
        pthread_mutex_unlock(&lock);
    }
    self->seen = outcome_mix(self->seen, saw);
}

static void *work(void *argument)
{
    struct worker *self = argument;
    for (unsigned i = 0; i < self->count; i++)
        execute(self, &self->statement[i]);
    return NULL;
}

static void report_end(void)
{
    uint64_t all = raised;
    for (unsigned i = 0; i <= THREADS; i++)
        all = outcome_mix(all, worker[i].seen);
    for (unsigned i = 0; i < BLOCKS; i++)
        all = outcome_mix(all, sum_block(i));
    for (unsigned i = 0; i < BIG; i += 61)
        all = outcome_mix(all, (uint64_t)big[i]);
    for (unsigned i = 0; i < 4; i++)
        all = outcome_mix(all, (uint64_t)plain[i]);
    report('e', all);
}

/* One step of what main does before its first thread. */
static void set_up(unsigned what, unsigned value)
{
    switch (what) {
    case 0:
        allocate(value % BLOCKS, value);
        break;
    case 1:
        release(value % BLOCKS);
        break;
    case 2:
        for (unsigned i = 0; i < BIG; i += value + 1)
            big[i] += (int)(value ^ i);
        break;
    case 3:
        big[value * 977 % BIG] = (int)value;
        break;
    case 4:
        own += (int)value;
        break;
    case 5:
        if (keys < 3 && pthread_key_create(&key[keys], NULL) == 0)
            pthread_setspecific(key[keys++], (void *)(uintptr_t)value);
        break;
    case 6:
        worker[0].seen += (uint64_t)rand();
        break;
    case 7:
        worker[0].seen += dig(value % 40, value);
        break;
    case 8:
        pthread_mutex_lock(&lock);
        plain[2] += (int)value;
        pthread_mutex_unlock(&lock);
        break;
    case 9:
        atomic_fetch_add(&cell[value % 2], (int)value);
        break;
    case 10:
        sem_post(&semaphore);
        break;
    case 11:
        signal(SIGUSR1, value % 2 ? handle_signal : SIG_IGN);
        break;
    case 12:
        printf("%u", value);
        break;
    case 13:
        if (value % 16 == 0)
            worker[0].seen += (uint64_t)mazur_choose(2);
        break;
    default:
        if (value % 4 == 0)
            atexit(report_end);
    }
}

int main(int argc, char **argv)
{
    assert(argc > 2);
    outcome_seed(argv[1]);
    unsigned size = (unsigned)atoi(argv[2]);
    bool races = draw(3) == 0, expects = draw(3) == 0;
    sem_init(&semaphore, 0, draw(2));
    signal(SIGUSR1, SIG_IGN);
    for (unsigned t = 0; t <= THREADS; t++) {
        worker[t].count = draw(size) + (t > 0);
        for (unsigned i = 0; i < worker[t].count && i < STATEMENTS; i++) {
            struct statement *s = &worker[t].statement[i];
            *s = (struct statement){draw(KINDS), draw(2), draw(9)};
            if (((s->kind == UNLOCKED || s->kind == RARELY) && !races) ||
                (s->kind == EXPECT && !expects))
                s->kind = ADD;
        }
    }
    for (unsigned i = draw(30); i > 0; i--) {
        unsigned what = draw(15);
        set_up(what, draw(50));
    }
    outcome_file = getenv("SETUPS");
    report('s', 0);
    outcome_file = getenv("OUTCOMES");
    bool held = draw(4) == 0;
    if (held)
        pthread_mutex_lock(&lock);
    pthread_t thread[THREADS];
    for (unsigned t = 0; t < THREADS; t++)
        pthread_create(&thread[t], NULL, work, &worker[t + 1]);
    if (held)
        pthread_mutex_unlock(&lock);
    work(&worker[0]);
    for (unsigned t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    report_end();
    return 0;
}
