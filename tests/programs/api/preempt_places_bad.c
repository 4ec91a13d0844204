/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --preempt-only add
 * EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --no-preempt main
 * EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --preempt-only count
 * The lost update needs a preemption inside add(), where it is allowed. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void add(void)
{
    int seen = atomic_load(&count);
    atomic_store(&count, seen + 1);
}

static void *worker(void *unused)
{
    add();
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(count == 2); /* HERE */
    return 0;
}
