/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --strategy icb
 * EXPECT verdict=passed exit=0 complete=true -- -O2
 * Each thread uses its own errno, by a pointer, too; another one is told its value. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static __thread int *cell;
static int told;
static sem_t ready;

static void *work(void *argument)
{
    cell = &errno;
    *cell = 0;
    strtol("999999999999999999999", NULL, 10);
    if (argument) {
        told = *cell;
        sem_post(&ready);
    }
    return argument;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    pthread_create(&thread, NULL, work, &told);
    work(NULL);
    sem_wait(&ready);
    int wrong = told != ERANGE || errno != ERANGE;
    pthread_join(thread, NULL);
    return wrong;
}
