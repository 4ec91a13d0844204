/* Paper 002, Table 1, "Matrix": workers multiply two matrices row by row behind a barrier of their own, in which they spin, and main
 * waits for the result. The paper does not print its program; this has its shape: an assertion and two livelocks.
 *
 * -DBUG=1: rows are handed out without a lock, so that one is added twice. -DBUG=2: arriving at the barrier is not atomic, so
 * that everybody may wait for one more. -DBUG=3: two workers wait for each other's flag, each takes its own back meanwhile.
 * None: correct. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef BUG
#define BUG 0
#endif
#define ROWS 2

static const int left[ROWS][ROWS] = {{1, 2}, {3, 4}}, right[ROWS][ROWS] = {{5, 6}, {7, 8}};
static atomic_int result[ROWS][ROWS], next_row, arrived, wants[2];

static int take_row(void)
{
#if BUG == 1
    int row = atomic_load(&next_row);
    atomic_store(&next_row, row + 1);
    return row;
#else
    return atomic_fetch_add(&next_row, 1);
#endif
}

static void wait_for_all(int own)
{
    (void)own;
#if BUG == 2
    atomic_store(&arrived, atomic_load(&arrived) + 1);
#elif BUG == 3
    for (;;) {
        atomic_store(&wants[own], 1);
        sched_yield();
        if (!atomic_load(&wants[1 - own]))
            break;
        atomic_store(&wants[own], 0);
    }
    atomic_fetch_add(&arrived, 1);
    atomic_store(&wants[own], 0);
#else
    atomic_fetch_add(&arrived, 1);
#endif
    while (atomic_load(&arrived) < 2)
        sched_yield();
}

static void *multiply(void *number)
{
    int row;
    while ((row = take_row()) < ROWS)
        for (int i = 0; i < ROWS; i++) {
            int sum = 0;
            for (int k = 0; k < ROWS; k++)
                sum += left[row][k] * right[k][i];
            result[row][i] += sum;
        }
    wait_for_all((int)(intptr_t)number);
    assert(result[0][0] == 19 && result[1][1] == 50);
    return NULL;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, multiply, (void *)1);
    multiply((void *)0);
    pthread_join(worker, NULL);
    return 0;
}
