/* EXPECT verdict=passed exit=0 complete=true executions=211 distinct=3
 * Spins on trylock. Three traces: the spinner first, or second, or second after one failed
 * attempt; a second failed attempt would be idle. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *locker(void *unused)
{
    pthread_mutex_lock(&mutex);
    shared++;
    pthread_mutex_unlock(&mutex);
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
