/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1 -- -DOWN
 * EXPECT verdict=passed exit=0 complete=true -- -DOTHER
 * Threads that name themselves and ask for no other's name depend on nobody; who waits for the
 * name to be given finds it. */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static sem_t named;

static void *worker(void *unused)
{
    char name[16];
    pthread_setname_np(pthread_self(), "worker");
    assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
    assert(strcmp(name, "worker") == 0);
#ifdef OTHER
    sem_post(&named);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    char name[16];
    sem_init(&named, 0, 0);
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
#ifdef OTHER
    for (int i = 0; i < 2; i++)
        sem_wait(&named);
    assert(pthread_getname_np(thread[0], name, sizeof name) == 0);
    assert(strcmp(name, "worker") == 0);
#else
    (void)name;
#endif
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
