/* EXPECT verdict=passed exit=0 complete=true
 * A nested function of GNU C is called through code on the stack. (clang has none: there it is an
 * ordinary function.) */
#include <assert.h>
#include <pthread.h>

#ifdef __clang__
static int count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *increment(void *unused)
{
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    return unused;
}
#endif

static int count_up(void)
{
#ifndef __clang__
    int count = 0;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    void *increment(void *unused)
    {
        pthread_mutex_lock(&mutex);
        count++;
        pthread_mutex_unlock(&mutex);
        return unused;
    }
#endif
    pthread_t one, two;
    pthread_create(&one, NULL, increment, NULL);
    pthread_create(&two, NULL, increment, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return count;
}

int main(void)
{
    assert(count_up() == 2);
    return 0;
}
