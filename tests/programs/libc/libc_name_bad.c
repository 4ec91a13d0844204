/* EXPECT verdict=assertion exit=1 location=HERE
 * A thread names itself, and another asks for the name: it may not be there yet. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>

static void *worker(void *unused)
{
    pthread_setname_np(pthread_self(), "worker");
    return unused;
}

int main(void)
{
    pthread_t thread;
    char name[16];
    pthread_create(&thread, NULL, worker, NULL);
    assert(pthread_getname_np(thread, name, sizeof name) == 0);
    assert(strcmp(name, "worker") == 0); /* HERE */
    pthread_join(thread, NULL);
    return 0;
}
