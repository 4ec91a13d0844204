/* EXPECT verdict=data-race exit=7 bound=1 executions=3 distinct=3
 * The spinner gives up after its third trylock and goes on without the mutex. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *spinner(void *unused)
{
    int held = 0;
    for (int i = 0; i < 3 && !held; i++)
        held = pthread_mutex_trylock(&mutex) == 0;
    inside++;
    if (held)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, spinner, NULL);
    pthread_mutex_lock(&mutex);
    inside++;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
