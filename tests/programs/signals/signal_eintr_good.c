/* EXPECT verdict=passed exit=0 complete=false
 * sem_wait ends with EINTR when a handler runs: it is called again. The handler is tried at operations
 * only, and Mazur does not show that other places make no difference. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t items;
static volatile sig_atomic_t signals;

static void on_signal(int number)
{
    (void)number;
    signals++;
}

static void *taker(void *unused)
{
    while (sem_wait(&items) != 0)
        assert(errno == EINTR);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, taker, NULL);
    pthread_kill(thread, SIGUSR1);
    sem_post(&items);
    pthread_join(thread, NULL);
    return 0;
}
