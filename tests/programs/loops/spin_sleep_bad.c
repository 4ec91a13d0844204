/* EXPECT verdict=livelock exit=3 bound=0 executions=3 distinct=2
 * Sleeps and looks, for ever: nobody sets the flag when the setter came first and found nobody
 * waiting. */
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
    if (atomic_load(&waiting))
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
