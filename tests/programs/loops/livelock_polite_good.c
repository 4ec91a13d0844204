/* EXPECT verdict=passed exit=0 complete=true executions=913 distinct=2
 * One order of the locks, no politeness needed. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *mine, pthread_mutex_t *other)
{
    pthread_mutex_lock(mine);
    sched_yield();
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(mine);
}

static void *one(void *unused)
{
    both(&left, &right);
    return unused;
}

static void *two(void *unused)
{
    both(&left, &right);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
