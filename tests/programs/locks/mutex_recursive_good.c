/* EXPECT verdict=passed exit=0 complete=true executions=151 distinct=2
 * As many unlocks as locks: the outermost pair is the critical section; two orders of it. */
#include <pthread.h>

static pthread_mutex_t mutex;
static int depth;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    depth++;
    pthread_mutex_lock(&mutex);
    depth--;
    pthread_mutex_unlock(&mutex);
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
    pthread_mutexattr_destroy(&attributes);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_mutex_destroy(&mutex);
    return depth;
}
