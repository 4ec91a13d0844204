/* EXPECT verdict=memory-error exit=11 location=HERE says=thread-local_variable
 * EXPECT verdict=memory-error exit=11 says=thread-local_variable -- -DJOINED
 * EXPECT verdict=memory-error exit=11 says=thread-local_variable -- --strategy dpor -O2
 * EXPECT verdict=memory-error exit=11 says=thread-local_variable -- --strategy icb
 * A thread-local variable is read by another thread, whose owner may have ended by then. */
#include <pthread.h>
#include <semaphore.h>

static __thread int own;
static int *address;
static sem_t ready;

static void *work(void *argument)
{
    own = 1;
    address = &own;
    sem_post(&ready);
    return argument;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&ready);
#ifdef JOINED
    pthread_join(thread, NULL);
    return *address == 2;
#else
    int value = *address; /* HERE */
    pthread_join(thread, NULL);
    return value == 2;
#endif
}
