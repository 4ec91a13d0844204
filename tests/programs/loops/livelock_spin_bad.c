/* EXPECT verdict=livelock exit=3 bound=0 executions=2 distinct=2
 * A thread spins on a flag that nobody sets any more: the setter only sets it when it sees the
 * spinner waiting, and looks once. Setter first, then spinner. */
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
