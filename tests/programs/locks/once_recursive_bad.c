/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * The initialisation routine of a once calls the same once: it waits for itself to end. */
#include <pthread.h>

static pthread_once_t outer = PTHREAD_ONCE_INIT;

static void initialise(void)
{
    pthread_once(&outer, initialise);
}

static void *worker(void *unused)
{
    pthread_once(&outer, initialise);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
