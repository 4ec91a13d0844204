/* EXPECT verdict=passed exit=0 complete=true distinct=2
 * EXPECT verdict=passed exit=0 complete=true distinct=2 -- --strategy cbpor
 * EXPECT verdict=passed exit=0 complete=true distinct=2 -- --strategy cbpor -DAGAIN
 * EXPECT verdict=passed exit=0 complete=true distinct=2 -- --strategy bpor -DAGAIN
 * A constructor locked the mutex: it is held before the first operation, and the first that
 * happens to it is that main gives it up. */
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
    count++;
    pthread_mutex_unlock(&mutex);
#ifdef AGAIN
    add(NULL);
#else
    pthread_t two;
    pthread_create(&two, NULL, add, NULL);
    pthread_join(two, NULL);
#endif
    pthread_join(one, NULL);
    assert(count == 3);
    return 0;
}
