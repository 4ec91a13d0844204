/* EXPECT verdict=assertion exit=1 location=HERE -- --strategy auto --execs 100000
 * EXPECT verdict=nothing-found exit=0 complete=false -- --strategy auto --scout off --execs 20000
 * EXPECT verdict=nothing-found exit=0 complete=false -- --strategy auto --bound 3 --execs 45000
 *
 * Three increments by each of four threads: that only two of the twelve remain takes four
 * preemptions, which a search by bounds finds late. The scout finds it after some
 * thousand executions; with --bound 3 nobody asked for it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef LEAST
#define LEAST 3
#endif

static atomic_int count;

static void *add(void *unused)
{
    for (int i = 0; i < 3; i++) {
        int seen = atomic_load(&count);
        atomic_store(&count, seen + 1);
    }
    return unused;
}

int main(void)
{
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, add, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&count) >= LEAST); /* HERE */
    return 0;
}
