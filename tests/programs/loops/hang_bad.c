/* EXPECT verdict=hang exit=4 bound=0 executions=1 distinct=1 -- --hang 1s
 * A loop over a table without end mark never ends and makes no visible operation. The mark is
 * there only if the other thread was first. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int marked;

static void *scan(void *unused)
{
    int mark = atomic_load(&marked);
    volatile unsigned position = 0;
    while (position++ < 1000 || !mark)
        ; /* the loop is one line: where a hang is sampled is a matter of chance */
    return unused;
}

static void *marker(void *unused)
{
    atomic_store(&marked, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, scan, NULL);
    pthread_create(&b, NULL, marker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
