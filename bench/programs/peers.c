/* Small programs with known numbers of traces, on which checkers are compared (bench/peers.sh).
 * Written for any tool that takes C11 atomics and pthreads.
 *
 *      32,880   -DCASW -DN=5     each of N threads tries 0 -> 1 (compare-exchange), then stores
 *      13,824   -DCINC -DN=4     each of N threads increments three counters
 *      69,112   -DBIG            two readers and two writers of four locations
 *     218,243   -DFIB            two threads add up Fibonacci numbers, a third looks
 *         216   -DRMW -DP=100    three threads, three increments each, after P private stores
 *         120   -DTICKET -DN=5   N threads take a ticket lock once
 *         576   -DTTAS -DN=4     N threads take a test-and-test-and-set lock once
 *         256   -DASSUME         a thread assumes what only the last of 42 stores makes true
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 4
#endif
#ifndef P
#define P 0
#endif

#define READ(place)         atomic_load_explicit(&(place), memory_order_acquire)
#define WRITE(place, value) atomic_store_explicit(&(place), (value), memory_order_release)

#if defined CASW
static atomic_int cell;

static void *work(void *number)
{
    int expected = 0;
    atomic_compare_exchange_strong(&cell, &expected, 1);
    WRITE(cell, (int)(size_t)number + 3);
    return NULL;
}

#elif defined CINC
static atomic_int first, second, third;

static void *work(void *number)
{
    (void)number;
    atomic_fetch_add(&first, 1);
    atomic_fetch_add(&second, 1);
    atomic_fetch_add(&third, 1);
    return NULL;
}

#elif defined BIG
#undef N
#define N 4
static atomic_int a, b, c, d;

static void write_twice(atomic_int *left, atomic_int *right)
{
    for (int i = 1; i <= 3; i++) {
        WRITE(*left, i);
        WRITE(*right, i);
    }
}

static void *work(void *number)
{
    switch ((size_t)number) {
    case 0:
        READ(a), READ(b), READ(c), READ(d), READ(a), READ(b), READ(c);
        break;
    case 1:
        READ(a), READ(b), READ(c);
        break;
    case 2:
        write_twice(&a, &b);
        break;
    default:
        write_twice(&c, &d);
    }
    return NULL;
}

#elif defined FIB
#undef N
#define N 3
static atomic_int a = 1, b = 1;

static void *work(void *number)
{
    if ((size_t)number == 2) {
        if (READ(a) > 144 || READ(b) > 144)
            assert(0);
        return NULL;
    }
    for (int i = 0; i < 5; i++) {
        int left = READ(a);
        int right = READ(b);
        if ((size_t)number == 0)
            WRITE(a, left + right);
        else
            WRITE(b, left + right);
    }
    return NULL;
}

#elif defined RMW
#undef N
#define N 3
static atomic_int shared[3], own[3];

static void *work(void *number)
{
    for (int i = 0; i < P; i++)
        WRITE(own[(size_t)number], i);
    for (int i = 0; i < 3; i++)
        atomic_fetch_add(&shared[i], 1);
    return NULL;
}

#elif defined TICKET
static atomic_int next, serving;
static int inside;

static void *work(void *number)
{
    (void)number;
    int ticket = atomic_fetch_add(&next, 1);
    while (READ(serving) != ticket) {
    }
    inside++;
    WRITE(serving, ticket + 1);
    return NULL;
}

#elif defined TTAS
static atomic_int taken;
static int inside;

static void *work(void *number)
{
    (void)number;
    do
        while (READ(taken)) {
        }
    while (atomic_exchange(&taken, 1));
    inside++;
    WRITE(taken, 0);
    return NULL;
}

#elif defined ASSUME
#undef N
#define N 4
#ifdef MAZUR
#include <mazur.h>
#define ASSUMING(condition) mazur_assume(condition)
#else
#ifdef NIDHUGG /* GenMC's <assert.h> declares it */
void __VERIFIER_assume(int);
#endif
#define ASSUMING(condition) __VERIFIER_assume(condition)
#endif
static atomic_int value, cells[8];

static void *work(void *number)
{
    switch ((size_t)number) {
    case 0:
        for (int i = 1; i <= 42; i++)
            WRITE(value, i);
        break;
    case 1:
        ASSUMING(READ(value) == 42);
        break;
    case 2:
        for (int i = 0; i < 8; i++)
            WRITE(cells[i], 1);
        break;
    default:
        for (int i = 0; i < 8; i++)
            READ(cells[i]);
    }
    return NULL;
}
#else
#error "which program? See the head of this file"
#endif

int main(void)
{
    pthread_t thread[N];
    for (size_t i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (size_t i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
