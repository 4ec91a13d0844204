/* EXPECT verdict=livelock exit=3 bound=0 executions=1 distinct=1
 * Spins on trylock for a mutex whose owner has ended without unlocking it. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *locker(void *unused)
{
    pthread_mutex_lock(&mutex);
    shared++;
    return unused;
}

static void *spinner(void *unused)
{
    while (pthread_mutex_trylock(&mutex) != 0) {
    }
    shared++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, locker, NULL);
    pthread_create(&b, NULL, spinner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
