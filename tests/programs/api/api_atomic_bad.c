/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=6 distinct=3
 * The atomic section ends too early. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused)
{
    mazur_atomic_begin();
    int seen = atomic_load(&counter);
    mazur_atomic_end();
    atomic_store(&counter, seen + 1);
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
