/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * One thread accesses the variable atomically, the other one does not. */
#include <pthread.h>

static int shared;

static void *atomic_user(void *unused)
{
    __atomic_fetch_add(&shared, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *other(void *unused)
{
    int seen = shared;
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
