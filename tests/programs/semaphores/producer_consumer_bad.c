/* EXPECT verdict=deadlock exit=2 bound=0 executions=1 distinct=1
 * The mutex is taken before the semaphore: the producer, at its second item, waits for room
 * with the mutex in its hands, which the consumer needs to make room. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t room, filled;
static int buffer;

static void enter(sem_t *semaphore)
{
    pthread_mutex_lock(&mutex);
    sem_wait(semaphore);
}

static void leave(sem_t *semaphore)
{
    pthread_mutex_unlock(&mutex);
    sem_post(semaphore);
}

static void *producer(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        enter(&room);
        buffer = i;
        leave(&filled);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int i = 1; i <= 2; i++) {
        enter(&filled);
        assert(buffer == i);
        leave(&room);
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&room, 0, 1);
    sem_init(&filled, 0, 0);
    pthread_create(&a, NULL, producer, NULL);
    pthread_create(&b, NULL, consumer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
