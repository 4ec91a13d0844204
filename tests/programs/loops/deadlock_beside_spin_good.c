/* EXPECT verdict=passed exit=0 -- --bound 1
 * Both take the locks in the same order, beside a thread that looks at a flag. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool stop;

static void *left_first(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *left_first_too(void *unused)
{
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}

static void *ticker(void *unused)
{
    while (!atomic_load(&stop))
        usleep(1000);
    return unused;
}

int main(void)
{
    pthread_t tick, a, b;
    pthread_create(&tick, NULL, ticker, NULL);
    pthread_create(&a, NULL, left_first, NULL);
    pthread_create(&b, NULL, left_first_too, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    atomic_store(&stop, 1);
    pthread_join(tick, NULL);
    return 0;
}
