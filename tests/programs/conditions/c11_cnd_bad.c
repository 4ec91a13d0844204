/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * C11 condition: both consumers wait, one cnd_signal for two items wakes only one of them. */
#include <threads.h>

static mtx_t mutex;
static cnd_t filled;
static int items;

static int producer(void *unused)
{
    (void)unused;
    mtx_lock(&mutex);
    items = 2;
    cnd_signal(&filled);
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
