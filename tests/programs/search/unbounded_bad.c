/* EXPECT verdict=assertion exit=1 location=HERE -- --strategy auto --time 6s
 * Seven preemptions are needed, and bounds do not get that far in the time: the search
 * without a bound beside them finds the failure, and it is reported when the time is up. */
#ifndef WORKERS
#define WORKERS 3
#define MOST    8
#endif
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
