/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --strategy dfs --bound none
 * EXPECT verdict=passed exit=0 complete=true -- --strategy cbpor --bound none
 * A thread ends while it holds a robust mutex; whoever gets EOWNERDEAD makes it consistent. A third
 * one only tries. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static int value;

static void *dies(void *unused)
{
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD)
        pthread_mutex_consistent(&mutex);
    value++;
    return unused;
}

static void *tries(void *unused)
{
    int error = pthread_mutex_trylock(&mutex);
    if (error == EBUSY)
        return unused;
    if (error == EOWNERDEAD)
        assert(pthread_mutex_consistent(&mutex) == 0);
    value++;
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, dies, NULL);
    pthread_create(&thread[1], NULL, tries, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    int error = pthread_mutex_lock(&mutex);
    assert(error == 0 || error == EOWNERDEAD);
    assert(value == 1 || value == 2);
    return 0;
}
