/* EXPECT verdict=deadlock bound=0 exit=2
 * EXPECT verdict=deadlock bound=0 exit=2 -- --strategy cbpor
 * EXPECT verdict=assertion bound=1 exit=1 -- -DEARLY
 * EXPECT verdict=assertion bound=1 exit=1 -- -DEARLY --strategy cbpor
 * EXPECT verdict=assertion bound=1 exit=1 -- -DEARLY --strategy icb
 * A constructor locked the mutex, and main does not give it up (or gives it up too early). */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

__attribute__((constructor)) static void lock_early(void)
{
    pthread_mutex_lock(&mutex);
}

static void *add(void *argument)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void)
{
    pthread_t one;
    pthread_create(&one, NULL, add, NULL);
#ifdef EARLY
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    assert(count == 0);
    pthread_mutex_unlock(&mutex);
#endif
    pthread_join(one, NULL);
    return 0;
}
