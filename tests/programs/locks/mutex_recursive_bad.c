/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * A recursive mutex is locked twice and unlocked once: the thread ends and still owns it, so
 * the other waits for ever when it comes second. No preemption needed. */
#include <pthread.h>

static pthread_mutex_t mutex;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
