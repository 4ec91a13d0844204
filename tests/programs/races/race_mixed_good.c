/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * Both atomic; plain access only before the threads start and after they are joined. */
#include <pthread.h>

static int shared;

static void *atomic_user(void *unused)
{
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *other(void *unused)
{
    int seen = __atomic_load_n(&shared, __ATOMIC_RELAXED);
    return seen == 7 ? &shared : unused;
}

int main(void)
{
    pthread_t a, b;
    shared = 1;
    pthread_create(&a, NULL, atomic_user, NULL);
    pthread_create(&b, NULL, other, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return shared != 2;
}
