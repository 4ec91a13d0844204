/* EXPECT verdict=passed exit=0 complete=true executions=3 distinct=1
 * The worker tells main after it has left its critical section. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex;
static sem_t done;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_mutex_init(&mutex, NULL);
    sem_init(&done, 0, 0);
    pthread_create(&a, NULL, worker, NULL);
    sem_wait(&done);
    pthread_mutex_destroy(&mutex); /* HERE */
    pthread_join(a, NULL);
    return 0;
}
