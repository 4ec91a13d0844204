/* EXPECT verdict=assertion exit=1 bound=1 says=count_==_3 -- --symmetric
 * EXPECT verdict=assertion exit=1 bound=1 says=count_==_3 -- --symmetric --strategy bpor
 * EXPECT verdict=assertion exit=1 says=count_==_3 -- --symmetric --strategy optimal
 * EXPECT verdict=deadlock exit=2 bound=0 -- --symmetric -DBLOCKS
 * EXPECT verdict=deadlock exit=2 bound=0 -- --symmetric -DBLOCKS --strategy dfs
 * EXPECT verdict=assertion exit=1 says=waiting -- --symmetric -DIDLE
 * EXPECT verdict=assertion exit=1 says=waiting -- --symmetric -DIDLE --strategy optimal
 * Failures of interchangeable threads are found with as few preemptions as without --symmetric: a lost update; a
 * deadlock at the first operation, at which a thread keeps the next ones from starting; a time-out that comes only
 * when all of them wait. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count, waiting;

static void *work(void *unused)
{
    int old;
#ifdef BLOCKS
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
#elif defined IDLE
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_sec++;
    if (pthread_mutex_timedlock(&mutex, &soon) == ETIMEDOUT)
        assert(atomic_fetch_add(&waiting, 1) != 2);
    else
        pthread_mutex_unlock(&mutex);
#endif
    old = count;
    count = old + 1;
    return unused;
}

int main(void)
{
    pthread_t thread[3];
#if defined BLOCKS || defined IDLE
    pthread_mutex_lock(&mutex);
#endif
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(count == 3);
    return 0;
}
