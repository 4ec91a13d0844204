/* EXPECT verdict=livelock exit=3 bound=0 executions=1 distinct=1
 * Two polite threads: each takes its own lock, finds the other's taken, gives its own back and
 * tries again. In step, they go on for ever; switching at the yields is free. */
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *mine, pthread_mutex_t *other)
{
    for (;;) {
        pthread_mutex_lock(mine);
        sched_yield();
        if (pthread_mutex_trylock(other) == 0)
            break;
        pthread_mutex_unlock(mine);
    }
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
    both(&right, &left);
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
