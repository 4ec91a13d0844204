/* EXPECT verdict=passed exit=0 executions=1241 distinct=2 -- --bound 2
 * Threads that create threads: a thread's name does not depend on the order of creation. Two
 * orders of the two increments. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *grandchild(void *unused)
{
    atomic_fetch_add(&counter, 1);
    return unused;
}

static void *child(void *unused)
{
    pthread_t thread;
    pthread_create(&thread, NULL, grandchild, NULL);
    pthread_join(thread, NULL);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, child, NULL);
    pthread_create(&b, NULL, child, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&counter) == 2); /* HERE */
    return 0;
}
