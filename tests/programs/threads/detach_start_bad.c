/* EXPECT verdict=misuse exit=12
 * Two threads detach the same one: misuse whoever comes first. */
#include <pthread.h>
#include <semaphore.h>

static pthread_t target;
static sem_t done;

static void *idle(void *unused)
{
    return unused;
}

static void *detach(void *unused)
{
    pthread_detach(target);
    sem_post(&done);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&target, NULL, idle, NULL);
    pthread_create(&thread, NULL, detach, NULL);
    pthread_detach(target);
    pthread_join(thread, NULL);
    return 0;
}
