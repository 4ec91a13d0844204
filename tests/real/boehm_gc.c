/* The Boehm-Demers-Weiser collector: two threads register themselves and allocate. */
#define GC_THREADS
#include <assert.h>
#include <gc.h>
#include <pthread.h>

static void *allocate(void *unused)
{
    int *number = GC_MALLOC(sizeof *number);
    *number = 7;
    assert(*number == 7);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    GC_INIT();
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, allocate, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
