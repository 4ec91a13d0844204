/* EXPECT verdict=passed exit=0 complete=true
 * Each thread has its own element. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic shared;

static void *other(void *unused)
{
    int *array;
    while (!(array = atomic_load(&shared)))
        ;
    array[2] = 1;
    return unused;
}

int main(void)
{
    volatile int size = 4;
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    int array[size];
    array[2] = 0;
    atomic_store(&shared, array);
    array[1] = 5;
    pthread_join(thread, NULL);
    return 0;
}
