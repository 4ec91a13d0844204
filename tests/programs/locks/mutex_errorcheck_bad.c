/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=7 distinct=3
 * An error-checking mutex refuses an unlock by a thread that does not own it with EPERM. The
 * second thread unlocks without having locked, and expects to be refused with that reason only
 * when nobody or somebody else owns it: it denies that the owner can be inside at that time. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t mutex;
static atomic_int inside;

static void *owner(void *unused)
{
    pthread_mutex_lock(&mutex);
    atomic_store(&inside, 1);
    atomic_store(&inside, 0);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *stranger(void *unused)
{
    int error = pthread_mutex_unlock(&mutex);
    if (error == EPERM)
        assert(atomic_load(&inside) == 0); /* HERE */
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
    return 0;
}
