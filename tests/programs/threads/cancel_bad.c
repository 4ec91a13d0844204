/* EXPECT verdict=deadlock exit=2 bound=0 location=HERE
 * The cancelled worker leaves its mutex locked: it has no cleanup handler. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;)
        pthread_cond_wait(&condition, &lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    pthread_mutex_lock(&lock); /* HERE */
    pthread_mutex_unlock(&lock);
    return 0;
}
