/* EXPECT verdict=misuse exit=12 bound=0
 * A thread that was created detached is joined. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static sem_t done;

static void *worker(void *unused)
{
    volatile char big[4 << 20];
    big[0] = 1;
    big[sizeof big - 1] = 1;
    char name[16];
    pthread_setname_np(pthread_self(), "worker");
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    assert(strcmp(name, "worker") == 0);
    sem_post(&done);
    return big[0] ? unused : NULL;
}

int main(void)
{
    pthread_t a;
    pthread_attr_t attributes;
    sem_init(&done, 0, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16 << 20);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&a, &attributes, worker, NULL) == 0);
    sem_wait(&done);
    pthread_join(a, NULL);
    pthread_attr_destroy(&attributes);
    return 0;
}
