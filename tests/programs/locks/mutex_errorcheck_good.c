/* EXPECT verdict=passed exit=0 complete=true executions=83 distinct=1
 * An error-checking mutex returns its errors (they are no misuse): EDEADLK on relock, EPERM on
 * unlock by a stranger or when unlocked. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *owner(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    assert(pthread_mutex_unlock(&mutex) == 0);
    return unused;
}

static void *stranger(void *unused)
{
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&mutex, &attributes);
    pthread_create(&a, NULL, owner, NULL);
    pthread_create(&b, NULL, stranger, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_mutex_destroy(&mutex) == 0);
    return 0;
}
