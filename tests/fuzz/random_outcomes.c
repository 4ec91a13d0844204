/* A random multithreaded program whose outcomes can be compared: random_outcomes SEED SIZE
 * KINDS [print]. KINDS is "memory" (atomics of every width on overlapping bytes, heap nodes),
 * "texts" (of those, string functions and struct copies), "locks" (the calls of pthreads, with
 * their results), "hidden" (state that threads share without naming it: clocks, random numbers,
 * descriptors, signals, thread-specific keys), "all", or the name of one operation.
 *
 * random_program.c compares verdicts and numbers of happens-before classes. If the runtime
 * wrongly treated two operations as independent, both could agree although behaviour is
 * missing. So here each thread keeps a hash of everything it observes, and each execution that
 * ends appends all hashes to the file $OUTCOMES: a reduction must give the same set of lines as
 * all interleavings (outcomes.sh). */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <mazur.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "outcome.h"

#define THREADS    3
#define OPERATIONS 8

enum kind {
    LOAD, /* these five: any width, anywhere in the cells */
    STORE,
    ADD,
    EXCHANGE,
    COMPARE,
    UPDATE,      /* load and compare-exchange until it succeeds */
    PLAIN_READ,  /* any width */
    PLAIN_WRITE, /* any width */
    COPY,        /* memcpy of half a cell */
    ASSIGN,      /* a struct of as many bytes as the width, from one cell to the other */
    BITS,        /* a bit field */
    PUBLISH,     /* a new node into the slot; the old one is freed */
    TAKE,        /* the node out of the slot, read and freed */
    PEEK,        /* the node in the slot, read; it may be freed by then */
    LOCAL,       /* through a thread-local variable */
    FIRST_TEXT,  /* these: plain accesses to two short texts */
    PUT = FIRST_TEXT,
    GET,
    MEASURE,   /* strlen */
    MATCH,     /* strcmp */
    COPY_TEXT, /* strcpy */
    PAD,       /* strncpy */
    APPEND,    /* strncat */
    MOVE,      /* memmove inside of one */
    WHOLE,     /* one becomes the other, as structs */
    LAST_TEXT = WHOLE,
    WAIT_FOR, /* until the bytes are not 0, at most two reads */
    SPIN,     /* until they are not 0 */
    FIRST_LOCK,
    LOCKED = FIRST_LOCK,
    TRY,
    TIMED,
    TIMED_WAIT,
    WAKE,
    POST,
    TRY_DOWN,
    TIMED_DOWN,
    VALUE,
    READ_LOCKED,
    WRITE_LOCKED,
    TRY_WRITE,
    MEET,
    ONCE,
    SPAWN,  /* a thread with its own operation, joined at once */
    LATER,  /* the same, joined at the end */
    DETACH, /* the same, never joined */
    LEAVE,  /* pthread_exit */
    FIRST_HIDDEN,
    CLOCK = FIRST_HIDDEN,
    SLEEP,
    YIELD,
    RANDOM,
    DESCRIPTOR, /* the lowest free one */
    KEY,        /* the next free one */
    RAISE,      /* a signal to itself, whose handler adds */
    CHOOSE,
    WORDS, /* strtok: its state belongs to the process */
    EXIT,
    KINDS
};

struct operation {
    enum kind kind;
    uint8_t at;    /* offset into the cells */
    uint8_t width; /* 1, 2, 4 or 8 */
    uint8_t value;
};

static const char *const names[KINDS] = {
    "load",         "store",       "add",      "exchange",   "compare", "update",
    "plain_read",   "plain_write", "copy",     "assign",     "bits",    "publish",
    "take",         "peek",        "local",    "put",        "get",     "measure",
    "match",        "copy_text",   "pad",      "append",     "move",    "whole",
    "wait_for",     "spin",        "locked",   "try",        "timed",   "timed_wait",
    "wake",         "post",        "try_down", "timed_down", "value",   "read_locked",
    "write_locked", "try_write",   "meet",     "once",       "spawn",   "later",
    "detach",       "leave",       "clock",    "sleep",      "yield",   "random",
    "descriptor",   "key",         "raise",    "choose",     "words",   "exit"};

static struct operation program[THREADS][OPERATIONS];
static int length[THREADS], threads;
static enum kind lowest, highest;

/* State that the threads share. */
static _Alignas(16) unsigned char cells[16];
static struct text {
    char byte[12]; /* the last two stay 0 */
} text[2] = {{"ab"}, {"abb"}};
static uint64_t *slot;
static int guarded, ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t semaphore;
static struct timespec beginning;
static char sentence[] = "a b c d e f g h i j k l m n o p";

/* A thread of the program, or one that an operation made. */
struct runner {
    uint64_t seen;
    const struct operation *next;
    int count;
    pthread_t later[OPERATIONS];
    struct runner *child[OPERATIONS];
    int children;
};
static _Thread_local uint64_t local;

static void make_program(unsigned size)
{
    threads = 2 + (int)draw(THREADS - 1);
    for (int t = 0; t < threads; t++) {
        length[t] = 1 + (int)draw(size);
        for (int i = 0; i < length[t]; i++) {
            struct operation *operation = &program[t][i];
            operation->kind = draw(3) ? lowest + draw(highest - lowest) : draw(UPDATE + 1);
            operation->width = (uint8_t)(1u << draw(4));
            operation->at =
                (uint8_t)(draw(draw(2) ? 8 : 16) / operation->width * operation->width);
            operation->value = (uint8_t)draw(3);
            if ((operation->kind == EXIT || operation->kind == LEAVE) && draw(4))
                operation->kind = LOAD;
        }
    }
}

static void print_program(void)
{
    for (int t = 0; t < threads; t++) {
        printf("thread %d:", t);
        for (int i = 0; i < length[t]; i++)
            printf(" %s(%d+%d,%d)", names[program[t][i].kind], program[t][i].at,
                   program[t][i].width, program[t][i].value);
        printf("\n");
    }
}

static void see(struct runner *self, uint64_t value)
{
    self->seen = outcome_mix(self->seen, value);
}

#define WITH_WIDTH(width, pointer, expression)                                                 \
    switch (width) {                                                                           \
    case 1: {                                                                                  \
        uint8_t *p = (uint8_t *)(pointer);                                                     \
        expression;                                                                            \
        break;                                                                                 \
    }                                                                                          \
    case 2: {                                                                                  \
        uint16_t *p = (uint16_t *)(pointer);                                                   \
        expression;                                                                            \
        break;                                                                                 \
    }                                                                                          \
    case 4: {                                                                                  \
        uint32_t *p = (uint32_t *)(pointer);                                                   \
        expression;                                                                            \
        break;                                                                                 \
    }                                                                                          \
    default: {                                                                                 \
        uint64_t *p = (uint64_t *)(pointer);                                                   \
        expression;                                                                            \
    }                                                                                          \
    }

static void with_cells(struct runner *self, const struct operation *op)
{
    unsigned char *at = cells + op->at;
    uint64_t value = UINT64_C(0x0101010101010101) * op->value, got = 0;
    int width = op->width;
    switch (op->kind) {
    case LOAD:
        WITH_WIDTH(width, at, got = __atomic_load_n(p, __ATOMIC_ACQUIRE));
        break;
    case STORE:
        WITH_WIDTH(width, at, __atomic_store_n(p, (__typeof__(*p))value, __ATOMIC_RELEASE));
        break;
    case ADD:
        WITH_WIDTH(width, at,
                   got = __atomic_fetch_add(p, (__typeof__(*p))(value + 1), __ATOMIC_SEQ_CST));
        break;
    case EXCHANGE:
        WITH_WIDTH(width, at,
                   got = __atomic_exchange_n(p, (__typeof__(*p))(value + 2), __ATOMIC_SEQ_CST));
        break;
    case COMPARE:
        WITH_WIDTH(width, at, __typeof__(*p) e = (__typeof__(*p))value;
                   got = __atomic_compare_exchange_n(p, &e, (__typeof__(*p))(value + 3), false,
                                                     __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
                   got = got << 1 ^ e << 1);
        break;
    case UPDATE:
        WITH_WIDTH(
            width, at, __typeof__(*p) e = __atomic_load_n(p, __ATOMIC_RELAXED);
            while (!__atomic_compare_exchange_n(p, &e, (__typeof__(*p))(e * 2 + 1), false,
                                                __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {} got =
                e);
        break;
    case PLAIN_READ:
        WITH_WIDTH(width, at, got = *p);
        break;
    case PLAIN_WRITE:
        WITH_WIDTH(width, at, *p = (__typeof__(*p))(value + 4));
        break;
    case COPY:
        memcpy(cells + (op->value & 1 ? 8 : 0), cells + (op->value & 1 ? 0 : 8), 4);
        break;
    case WAIT_FOR:
        for (int i = 0; i < 2 && !got; i++)
            WITH_WIDTH(width, at, got = __atomic_load_n(p, __ATOMIC_ACQUIRE));
        break;
    default:
        do {
            WITH_WIDTH(width, at, got = __atomic_load_n(p, __ATOMIC_ACQUIRE));
        } while (!got);
    }
    see(self, got);
}

struct one {
    unsigned char byte[1];
};
struct two {
    unsigned char byte[2];
};
struct four {
    int32_t word;
};
struct eight {
    int32_t word[2];
};
struct bits {
    unsigned low : 3, middle : 4, high : 9;
};

static void assign(unsigned char *to, const unsigned char *from, int width)
{
    switch (width) {
    case 1:
        *(struct one *)to = *(const struct one *)from;
        break;
    case 2:
        *(struct two *)to = *(const struct two *)from;
        break;
    case 4:
        *(struct four *)to = *(const struct four *)from;
        break;
    default:
        *(struct eight *)to = *(const struct eight *)from;
    }
}

static void with_structs(struct runner *self, const struct operation *op)
{
    struct bits *bits = (struct bits *)(cells + op->at / 4 * 4);
    if (op->kind == ASSIGN) {
        assign(cells + op->at, cells + (op->at ^ 8), op->width);
    } else {
        bits->middle = op->value + 1u;
        see(self, bits->high);
    }
}

/* At most ten bytes of a text are in use, whatever the others do meanwhile. */
static void with_texts(struct runner *self, const struct operation *op)
{
    char *one = text[op->at & 1].byte, *other = text[~op->at & 1].byte;
    switch (op->kind) {
    case PUT:
        one[op->at / 4] = "ab"[op->value]; /* or 0 */
        break;
    case GET:
        see(self, (uint64_t)one[op->at / 4]);
        break;
    case MEASURE:
        see(self, strlen(one));
        break;
    case MATCH:
        see(self, (uint64_t)strcmp(one, other));
        break;
    case COPY_TEXT:
        strcpy(one, other);
        break;
    case PAD:
        strncpy(one, other, op->width);
        break;
    case APPEND:
        if (strlen(one) < 8)
            strncat(one, "ab", op->value);
        break;
    case MOVE:
        memmove(one + op->value, one, op->width);
        break;
    default:
        text[op->at & 1] = text[~op->at & 1];
    }
}

static void with_nodes(struct runner *self, const struct operation *op)
{
    uint64_t *node = NULL, *old;
    switch (op->kind) {
    case PUBLISH:
        node = malloc(8 + op->value);
        __atomic_store_n(node, op->value, __ATOMIC_RELAXED);
        old = __atomic_exchange_n(&slot, node, __ATOMIC_ACQ_REL);
        see(self, old ? __atomic_load_n(old, __ATOMIC_RELAXED) : 99);
        free(old);
        break;
    case TAKE:
        old = __atomic_exchange_n(&slot, NULL, __ATOMIC_ACQ_REL);
        see(self, old ? __atomic_load_n(old, __ATOMIC_RELAXED) : 98);
        free(old);
        break;
    case PEEK:
        old = __atomic_load_n(&slot, __ATOMIC_ACQUIRE);
        see(self, old ? __atomic_fetch_add(old, 1, __ATOMIC_RELAXED) : 97);
        break;
    default:
        local += __atomic_load_n(cells + op->at, __ATOMIC_RELAXED) + 1u;
        see(self, __atomic_exchange_n(cells + op->at, (unsigned char)local, __ATOMIC_RELAXED));
        see(self, local);
    }
}

static void initialise(void)
{
    __atomic_fetch_add(cells, 5, __ATOMIC_SEQ_CST);
}

static struct timespec soon(const struct operation *op)
{
    struct timespec when;
    clock_gettime(CLOCK_REALTIME, &when);
    when.tv_sec += 1 + op->value;
    return when;
}

static void with_mutex(struct runner *self, const struct operation *op)
{
    struct timespec when;
    switch (op->kind) {
    case LOCKED:
        pthread_mutex_lock(&mutex);
        see(self, (uint64_t)guarded);
        guarded = guarded * 2 + op->value;
        pthread_mutex_unlock(&mutex);
        break;
    case TRY:
        if (pthread_mutex_trylock(&mutex) == 0) {
            see(self, (uint64_t)++guarded);
            pthread_mutex_unlock(&mutex);
        } else {
            see(self, 96);
        }
        break;
    case TIMED:
        when = soon(op);
        if (pthread_mutex_timedlock(&mutex, &when) == 0) {
            see(self, (uint64_t)guarded);
            pthread_mutex_unlock(&mutex);
        } else {
            see(self, 95);
        }
        break;
    case TIMED_WAIT:
        when = soon(op);
        pthread_mutex_lock(&mutex);
        see(self, (uint64_t)pthread_cond_timedwait(&condition, &mutex, &when));
        see(self, (uint64_t)ready);
        pthread_mutex_unlock(&mutex);
        break;
    default:
        pthread_mutex_lock(&mutex);
        ready += op->value;
        pthread_mutex_unlock(&mutex);
        if (op->value)
            pthread_cond_broadcast(&condition);
        else
            pthread_cond_signal(&condition);
    }
}

static void with_locks(struct runner *self, const struct operation *op)
{
    struct timespec when = {0};
    int value = 0;
    switch (op->kind) {
    case POST:
        see(self, (uint64_t)sem_post(&semaphore));
        break;
    case TRY_DOWN:
        see(self, (uint64_t)sem_trywait(&semaphore));
        break;
    case TIMED_DOWN:
        when = soon(op);
        see(self, (uint64_t)sem_timedwait(&semaphore, &when));
        break;
    case VALUE:
        sem_getvalue(&semaphore, &value);
        see(self, (uint64_t)value);
        break;
    case READ_LOCKED:
        pthread_rwlock_rdlock(&rwlock);
        see(self, (uint64_t)ready);
        pthread_rwlock_unlock(&rwlock);
        break;
    case WRITE_LOCKED:
        pthread_rwlock_wrlock(&rwlock);
        see(self, (uint64_t)__atomic_fetch_add(cells + op->at, 7, __ATOMIC_RELAXED));
        pthread_rwlock_unlock(&rwlock);
        break;
    case TRY_WRITE:
        value = pthread_rwlock_trywrlock(&rwlock);
        see(self, (uint64_t)value);
        if (value == 0)
            pthread_rwlock_unlock(&rwlock);
        break;
    case MEET:
        see(self, (uint64_t)pthread_barrier_wait(&barrier));
        break;
    default:
        pthread_once(&once, initialise);
    }
}

static void *run(void *argument);

static void with_threads(struct runner *self, const struct operation *op)
{
    pthread_t thread;
    struct runner *made = calloc(1, sizeof *made);
    made->next = op + 1; /* the child also makes its creator's next operation, once */
    made->count = op + 1 < self->next + self->count && op[1].kind < FIRST_LOCK ? 1 : 0;
    pthread_create(&thread, NULL, run, made);
    switch (op->kind) {
    case SPAWN:
        pthread_join(thread, NULL);
        see(self, made->seen);
        break;
    case LATER:
        self->later[self->children] = thread;
        self->child[self->children++] = made;
        break;
    default:
        pthread_detach(thread);
    }
}

static void on_signal(int number)
{
    (void)number;
    __atomic_fetch_add(cells + 3, 1, __ATOMIC_RELAXED);
}

static void with_hidden(struct runner *self, const struct operation *op)
{
    struct timespec now;
    pthread_key_t key;
    char *word;
    switch (op->kind) {
    case CLOCK:
        clock_gettime(CLOCK_REALTIME, &now);
        see(self, (uint64_t)(now.tv_sec - beginning.tv_sec));
        break;
    case SLEEP:
        see(self, sleep(op->value));
        break;
    case YIELD:
        sched_yield();
        break;
    case RANDOM:
        see(self, (uint64_t)rand());
        break;
    case DESCRIPTOR:
        see(self, (uint64_t)open("/dev/null", O_RDONLY));
        break;
    case KEY:
        see(self, (uint64_t)pthread_key_create(&key, NULL));
        see(self, key);
        break;
    case RAISE:
        see(self, (uint64_t)raise(SIGUSR1));
        break;
    case CHOOSE:
        see(self, (uint64_t)mazur_choose(2));
        break;
    case WORDS:
        word = strtok(NULL, " ");
        see(self, word ? (uint64_t)*word : 94);
        break;
    default:
        report('x', self->seen);
        exit(0);
    }
}

static void *run(void *argument)
{
    struct runner *self = argument;
    for (int i = 0; i < self->count; i++) {
        const struct operation *op = &self->next[i];
        if (op->kind >= SPAWN && op->kind <= DETACH)
            with_threads(self, op);
        else if (op->kind == LEAVE)
            pthread_exit(NULL);
        else if (op->kind >= FIRST_HIDDEN)
            with_hidden(self, op);
        else if (op->kind >= POST)
            with_locks(self, op);
        else if (op->kind >= LOCKED)
            with_mutex(self, op);
        else if (op->kind >= PUBLISH && op->kind <= LOCAL)
            with_nodes(self, op);
        else if (op->kind >= ASSIGN && op->kind <= BITS)
            with_structs(self, op);
        else if (op->kind >= FIRST_TEXT && op->kind <= LAST_TEXT)
            with_texts(self, op);
        else
            with_cells(self, op);
    }
    for (int i = 0; i < self->children; i++) {
        pthread_join(self->later[i], NULL);
        see(self, self->child[i]->seen);
    }
    return NULL;
}

static void choose_kinds(const char *kinds)
{
    lowest = LOAD;
    highest = KINDS;
    if (strcmp(kinds, "memory") == 0)
        highest = FIRST_LOCK;
    else if (strcmp(kinds, "texts") == 0)
        lowest = FIRST_TEXT, highest = LAST_TEXT + 1;
    else if (strcmp(kinds, "locks") == 0)
        lowest = FIRST_LOCK, highest = FIRST_HIDDEN;
    else if (strcmp(kinds, "hidden") == 0)
        lowest = FIRST_HIDDEN;
    for (enum kind kind = LOAD; kind < KINDS; kind++)
        if (strcmp(kinds, names[kind]) == 0)
            lowest = kind, highest = kind + 1;
}

int main(int argc, char **argv)
{
    static struct runner runner[THREADS];
    pthread_t thread[THREADS];
    if (!outcome_program(argc, argv, OPERATIONS, choose_kinds, make_program, print_program))
        return 0;
    signal(SIGUSR1, on_signal);
    clock_gettime(CLOCK_REALTIME, &beginning);
    strtok(sentence, " ");
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, NULL, 2);
    for (int t = 0; t < threads; t++) {
        runner[t].next = program[t];
        runner[t].count = length[t];
        pthread_create(&thread[t], NULL, run, &runner[t]);
    }
    struct runner all = {0};
    for (int t = 0; t < threads; t++) {
        pthread_join(thread[t], NULL);
        see(&all, runner[t].seen);
    }
    for (int i = 0; i < 16; i++)
        see(&all, __atomic_load_n(cells + i, __ATOMIC_RELAXED));
    for (size_t i = 0; i < 2 * sizeof text[0]; i++)
        see(&all, (uint64_t)text[i / sizeof text[0]].byte[i % sizeof text[0]]);
    report('e', all.seen);
    return 0;
}
