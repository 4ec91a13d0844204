/* EXPECT verdict=passed exit=0 complete=true executions=5801 distinct=8
 * main waits for both threads. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex;
static sem_t done;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex); /* HERE */
    pthread_mutex_unlock(&mutex);
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutex_init(&mutex, NULL);
    sem_init(&done, 0, 0);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    sem_wait(&done);
    sem_wait(&done);
    pthread_mutex_destroy(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
