/* EXPECT verdict=passed exit=0 executions=1852 distinct=10 -- --bound 2
 * C11 condition: cnd_broadcast wakes both consumers. */
#include <threads.h>

static mtx_t mutex;
static cnd_t filled;
static int items;

static int producer(void *unused)
{
    (void)unused;
    mtx_lock(&mutex);
    items = 2;
    cnd_broadcast(&filled);
    mtx_unlock(&mutex);
    return 0;
}

static int consumer(void *unused)
{
    (void)unused;
    mtx_lock(&mutex);
    while (items == 0)
        cnd_wait(&filled, &mutex);
    items--;
    mtx_unlock(&mutex);
    return 0;
}

int main(void)
{
    thrd_t thread[3];
    mtx_init(&mutex, mtx_plain);
    cnd_init(&filled);
    for (int i = 0; i < 3; i++)
        thrd_create(&thread[i], i < 2 ? consumer : producer, NULL);
    for (int i = 0; i < 3; i++)
        thrd_join(thread[i], NULL);
    cnd_destroy(&filled);
    mtx_destroy(&mutex);
    return 0;
}
