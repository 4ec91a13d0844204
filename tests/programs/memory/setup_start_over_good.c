/* Main does a lot before its first thread, and the search learns of the race only after it has
 * begun to start executions there: then it must begin with main again, in memory as it was
 * before main, and may start there again later.
 *
 * EXPECT verdict=passed complete=true distinct=24 -- --checkpoints=always --races=explore --strategy dpor
 * EXPECT verdict=passed complete=true distinct=24 -- --checkpoints=on --races=explore --strategy optimal
 * EXPECT verdict=nothing-found complete=false -- --checkpoints=always --races=explore --strategy random --execs 300
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define SIZE 100000

static int early[SIZE]; /* written by main before its first thread */
static int late[SIZE];  /* written by threads only */
static int *block, *gone;
static pthread_key_t key;
static atomic_int turn, ended;
static volatile int racy;

static void end(void *value)
{
    atomic_fetch_add((atomic_int *)value, 1);
}

static void *run(void *unused)
{
    for (int i = 0; i < SIZE; i += 997)
        assert(block[i] == i + 1 && early[i] == i + 2);
    pthread_setspecific(key, &ended);
    if (atomic_fetch_add(&turn, 1) == 1 && atomic_load(&turn) == 3)
        racy = 1;
    return unused;
}

static void *look(void *unused)
{
    int mine = atomic_fetch_add(&turn, 1);
    late[mine * (SIZE / 4)]++;
    if (mine == 2)
        early[0] = racy + 5;
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    for (int i = 0; i < SIZE; i++)
        assert(early[i] == 0 && late[i] == 0);
    gone = malloc(SIZE);
    block = malloc(SIZE * sizeof *block);
    for (int i = 0; i < SIZE; i++) {
        block[i] = i + 1;
        early[i] = i + 2;
    }
    free(gone);
    assert(pthread_key_create(&key, end) == 0);
    pthread_create(&thread[0], NULL, run, NULL);
    pthread_create(&thread[1], NULL, run, NULL);
    pthread_create(&thread[2], NULL, look, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(ended == 2 && early[1] == 3 && block[SIZE - 1] == SIZE);
    free(block);
    return 0;
}
