/* EXPECT verdict=passed exit=0 complete=true executions=45 distinct=1
 * A thread spins, without yielding, on a flag that the other one sets. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int waiting, flag;

static void *spinner(void *unused)
{
    atomic_store(&waiting, 1);
    while (!atomic_load(&flag)) {
    }
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
