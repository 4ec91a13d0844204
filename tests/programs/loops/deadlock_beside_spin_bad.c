/* EXPECT verdict=livelock exit=3 bound=1 says=spin_loop_that_nothing_can_end
 * Two threads wait for each other's lock while a third goes on: it looks again and again at a flag
 * that would be set after both have ended. One preemption between the two locks of one of them. */
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

static void *right_first(void *unused)
{
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
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
    pthread_create(&b, NULL, right_first, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    atomic_store(&stop, 1);
    pthread_join(tick, NULL);
    return 0;
}
