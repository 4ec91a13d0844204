/* EXPECT verdict=passed exit=0 complete=true executions=416 distinct=416 -- --strategy auto
 * The same with fewer workers, where nothing fails: the search without a bound runs each trace
 * once, and that is all that is counted. */
#define WORKERS 2
#define MOST    11
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int ball, others[4];

/* Passes the ball on each time that it is this thread's turn. */
static void *play(void *first)
{
    for (int i = (int)(size_t)first; i < 10; i += 2)
        if (atomic_load(&ball) == i)
            atomic_store(&ball, i + 1);
    return NULL;
}

static void *work(void *unused)
{
    for (int i = 0; i < 4; i++)
        atomic_fetch_add(&others[i], 1);
    return unused;
}

int main(void)
{
    pthread_t worker[WORKERS], player[2];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&worker[i], NULL, work, NULL);
    for (size_t i = 0; i < 2; i++)
        pthread_create(&player[i], NULL, play, (void *)i);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(worker[i], NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(player[i], NULL);
    assert(ball < MOST); /* HERE */
    return 0;
}
