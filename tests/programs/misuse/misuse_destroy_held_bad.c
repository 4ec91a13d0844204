/* EXPECT verdict=misuse exit=12 bound=1 location=HERE executions=2 distinct=2
 * The worker tells main that it is done before it leaves its critical section: preempted there,
 * it still holds the mutex when main destroys it. */
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex;
static sem_t done;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    sem_post(&done);
    pthread_mutex_unlock(&mutex);
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
