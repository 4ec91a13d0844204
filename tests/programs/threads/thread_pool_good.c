/* EXPECT verdict=passed exit=0 complete=true executions=9 distinct=2
 * A small thread pool: submit, wait for the job, shut down under the mutex, join. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static atomic_int stopping;
static int jobs = 1;
static sem_t done;

static void *worker(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&mutex);
        while (jobs == 0 && !atomic_load(&stopping))
            pthread_cond_wait(&work, &mutex);
        int mine = jobs;
        jobs = 0;
        pthread_mutex_unlock(&mutex);
        if (!mine)
            return unused;
        sem_post(&done);
    }
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
    sem_wait(&done);
    pthread_mutex_lock(&mutex);
    atomic_store(&stopping, 1);
    pthread_mutex_unlock(&mutex);
    pthread_cond_broadcast(&work);
    pthread_join(thread, NULL);
    return 0;
}
