/* Paper 002, Table 1, "NQueens": workers take the columns of the first row one by one and count the solutions behind each; main
 * waits in a loop for all of them, so the state space is cyclic. The paper does not print its program; this has its shape: three bugs,
 * two assertions and a livelock.
 *
 * -DBUG=1: solutions are added without a lock. -DBUG=2: a worker says that it has ended without a lock, so that main may wait
 * for ever. -DBUG=3: a worker says so before it has added what it found. None: correct. */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#ifndef BUG
#define BUG 0
#endif
#define QUEENS  4
#define WORKERS 2

static atomic_int next_column, ended, solutions;

static int count_from(int row, const int *column)
{
    int at[QUEENS], found = 0;
    if (row == QUEENS)
        return 1;
    for (int i = 0; i < row; i++)
        at[i] = column[i];
    for (at[row] = 0; at[row] < QUEENS; at[row]++) {
        int free = 1;
        for (int i = 0; i < row; i++)
            free &= at[i] != at[row] && at[i] - at[row] != row - i && at[row] - at[i] != row - i;
        if (free)
            found += count_from(row + 1, at);
    }
    return found;
}

static void say_ended(void)
{
#if BUG == 2
    atomic_store(&ended, atomic_load(&ended) + 1);
#else
    atomic_fetch_add(&ended, 1);
#endif
}

static void *work(void *unused)
{
    int found = 0, column;
    while ((column = atomic_fetch_add(&next_column, 1)) < QUEENS)
        found += count_from(1, &column);
#if BUG == 3
    say_ended();
#endif
#if BUG == 1
    atomic_store(&solutions, atomic_load(&solutions) + found);
#else
    atomic_fetch_add(&solutions, found);
#endif
#if BUG != 3
    say_ended();
#endif
    return unused;
}

int main(void)
{
    pthread_t worker[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&worker[i], NULL, work, NULL);
    while (atomic_load(&ended) != WORKERS)
        sched_yield();
    assert(atomic_load(&solutions) == 2);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(worker[i], NULL);
    return 0;
}
