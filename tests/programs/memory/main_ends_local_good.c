/* EXPECT verdict=passed exit=0 complete=true
 * The same with a static variable. The function that exit() calls after the last thread has a
 * variable where main's frame was, and gives it to another thread. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static void *count(void *counter)
{
    atomic_fetch_add((atomic_int *)counter, 1);
    return NULL;
}

static void count_at_exit(void)
{
    atomic_int counter = 0;
    pthread_t a;
    pthread_create(&a, NULL, count, &counter);
    pthread_join(a, NULL);
    assert(counter == 1);
}

int main(void)
{
    static atomic_int counter;
    atomic_int local = 0;
    pthread_t a, b;
    atexit(count_at_exit);
    pthread_create(&a, NULL, count, &local);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, count, &counter);
    pthread_exit(NULL);
}
