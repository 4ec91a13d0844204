/* EXPECT verdict=passed exit=0 complete=true
 * Each thread finds its own stack, as garbage collectors do. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static uintptr_t low[2];

static void *worker(void *argument)
{
    pthread_attr_t attributes;
    void *start;
    size_t size;
    char here;
    assert(pthread_getattr_np(pthread_self(), &attributes) == 0);
    assert(pthread_attr_getstack(&attributes, &start, &size) == 0);
    pthread_attr_destroy(&attributes);
    assert((uintptr_t)&here > (uintptr_t)start && (uintptr_t)&here < (uintptr_t)start + size);
    low[*(int *)argument] = (uintptr_t)start;
    return argument;
}

int main(void)
{
    pthread_t thread[2];
    int number[2] = {0, 1};
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, &number[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert(low[0] != low[1]);
    return 0;
}
