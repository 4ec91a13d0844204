/* EXPECT verdict=misuse exit=12 bound=0 location=HERE executions=2 distinct=2
 * main destroys the mutex after waiting for one of the two threads only; the other may come
 * later. */
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
    pthread_mutex_destroy(&mutex);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
