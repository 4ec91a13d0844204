/* EXPECT verdict=data-race exit=7 bound=1 location=HERE executions=6 distinct=3
 * Where trylock fails the thread goes on without the lock. That takes one preemption, inside
 * the other's critical section; then the two accesses are unordered. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *worker(void *unused)
{
    int error = pthread_mutex_trylock(&mutex);
    shared++; /* HERE */
    if (!error)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
