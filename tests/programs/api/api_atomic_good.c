/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * Between mazur_atomic_begin and mazur_atomic_end no other thread runs: load and store can't be
 * separated (under Mazur; the check is left out where the program runs by itself). */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    mazur_atomic_begin();
    int seen = atomic_load(&counter);
    atomic_store(&counter, seen + 1);
    mazur_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!mazur_running() || atomic_load(&counter) == 2); /* HERE */
    return 0;
}
