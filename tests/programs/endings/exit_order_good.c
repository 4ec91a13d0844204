/* EXPECT verdict=passed exit=0 complete=true executions=17 distinct=3
 * main waits for the result before it returns. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int saved;
static sem_t done;

static void check(void)
{
    assert(atomic_load(&saved) == 1); /* HERE */
}

static void *saver(void *unused)
{
    atomic_store(&saved, 1);
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t a;
    sem_init(&done, 0, 0);
    atexit(check);
    pthread_create(&a, NULL, saver, NULL);
    pthread_detach(a);
    sem_wait(&done);
    return 0;
}
