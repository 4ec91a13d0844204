/* EXPECT verdict=nothing-found exit=0 complete=false
 * EXPECT verdict=nothing-found exit=0 complete=false -- -O0
 * EXPECT verdict=nothing-found exit=0 complete=false -- -O2
 * EXPECT verdict=nothing-found exit=0 complete=false -- -O0 -DINLINED
 * EXPECT verdict=nothing-found exit=0 complete=false -- -O2 -DINLINED
 * A thread uses a variable of a block that main has left, while main itself still runs: nothing in the code marks
 * the end of a block, so it is no failure, but debug information shows it, and nothing is called complete. */
#include <pthread.h>
#include <semaphore.h>

static sem_t go;

static void *work(void *argument)
{
    sem_wait(&go);
    *(int *)argument = 2;
    return NULL;
}

static inline __attribute__((always_inline)) void start(pthread_t *thread)
{
    int local = 1;
    pthread_create(thread, NULL, work, &local);
}

int main(void)
{
    pthread_t thread;
    sem_init(&go, 0, 0);
#ifdef INLINED
    start(&thread);
#else
    (void)start;
    {
        int number = 1;
        pthread_create(&thread, NULL, work, &number);
    }
#endif
    sem_post(&go);
    pthread_join(thread, NULL);
    return 0;
}
