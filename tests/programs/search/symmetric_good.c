/* EXPECT verdict=passed exit=0 complete=true distinct=15 -- --symmetric -DTHREADS=3 -DROUNDS=2
 * EXPECT verdict=passed exit=0 complete=true distinct=15 -- --symmetric -DTHREADS=3 -DROUNDS=2 --strategy optimal
 * EXPECT verdict=passed exit=0 complete=true distinct=90 -- -DTHREADS=3 -DROUNDS=2 --strategy optimal
 * EXPECT verdict=passed exit=0 complete=true distinct=10 -- --symmetric -DTHREADS=2 -DROUNDS=3 --strategy dfs
 * EXPECT verdict=passed exit=0 complete=true distinct=1 -- --symmetric -DTHREADS=8 -DROUNDS=1 --strategy auto
 * EXPECT verdict=passed exit=0 complete=true distinct=6 -- --symmetric -DTHREADS=3 -DROUNDS=1 -DDIFFERENT --strategy auto
 * Threads that nobody can tell apart are searched in one order of their first operations; threads with different
 * arguments in all. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int count;

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add(&count, 1);
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (intptr_t i = 0; i < THREADS; i++) {
#ifdef DIFFERENT
        pthread_create(&thread[i], NULL, work, (void *)i);
#else
        pthread_create(&thread[i], NULL, work, NULL);
#endif
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(count == THREADS * ROUNDS);
    return 0;
}
