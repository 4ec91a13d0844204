/* EXPECT verdict=passed exit=0 complete=true executions=400 distinct=2
 * The turns of each thread are one critical section, so they can't alternate: 3 is out of
 * reach. Two orders of the critical sections: 2 traces. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int reached;

static void step_to(int next)
{
    int before = next - 1;
    atomic_compare_exchange_strong(&reached, &before, next);
}

static void *odd(void *unused)
{
    pthread_mutex_lock(&mutex);
    step_to(1);
    step_to(3);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *even(void *unused)
{
    pthread_mutex_lock(&mutex);
    step_to(2);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, odd, NULL);
    pthread_create(&b, NULL, even, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&reached) != 3);
    return 0;
}
