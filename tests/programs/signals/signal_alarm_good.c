/* EXPECT verdict=passed exit=0
 * An alarm goes off in virtual time: where nothing else can run. Its handler only posts. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t rung;

static void on_alarm(int number)
{
    (void)number;
    sem_post(&rung);
}

static void *waiter(void *unused)
{
    while (sem_wait(&rung) != 0) {
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&rung, 0, 0);
    signal(SIGALRM, on_alarm);
    pthread_create(&thread, NULL, waiter, NULL);
    alarm(60);
    assert(alarm(30) == 60);
    pthread_join(thread, NULL);
    assert(alarm(0) == 0);
    return 0;
}
