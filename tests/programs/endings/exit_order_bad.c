/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * main returns while a detached thread has not yet stored its result; the exit handler finds it
 * missing. main's return may come first without a preemption. */
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
    return 0;
}
