/* EXPECT verdict=passed exit=0 complete=true
 * The same under a lock. */
#include <pthread.h>

static long double total;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
    pthread_mutex_lock(&mutex);
    total += 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

#define second first

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
