/* EXPECT verdict=passed exit=0 complete=true executions=2 distinct=1
 * main releases the mutex before it joins. The worker can only lock after main's unlock: a
 * single trace. */
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_mutex_lock(&mutex);
    pthread_create(&a, NULL, worker, NULL);
    pthread_mutex_unlock(&mutex);
    pthread_join(a, NULL);
    return 0;
}
