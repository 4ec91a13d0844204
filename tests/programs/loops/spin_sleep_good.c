/* EXPECT verdict=passed exit=0 complete=true executions=155 distinct=2
 * Sleeps and looks until the flag is set. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int flag, waiting;

static void *spinner(void *unused)
{
    atomic_store(&waiting, 1);
    while (!atomic_load(&flag))
        usleep(100);
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, spinner, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
