/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --strategy dpor -O2
 * A thread-local variable is read by another thread while its owner waits for that. */
#include <pthread.h>
#include <semaphore.h>

static __thread int own;
static int *address;
static sem_t ready;
static sem_t done;

static void *work(void *argument)
{
    own = 1;
    address = &own;
    sem_post(&ready);
    sem_wait(&done);
    return argument;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    sem_init(&done, 0, 0);
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, work, NULL);
        sem_wait(&ready);
        int value = *address;
        sem_post(&done);
        pthread_join(thread, NULL);
        if (value != 1)
            return 1;
    }
    return 0;
}
