/* EXPECT verdict=passed exit=0 complete=true distinct=1
 * The same; the data is written before the threads start. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flag;
static int data = 0;

static void *writer(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

static void *reader(void *unused)
{
    int sum = 0;
    while (!atomic_load(&flag))
        sum = data;
    assert(sum == 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, writer, NULL);
    pthread_create(&b, NULL, reader, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
