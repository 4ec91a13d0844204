/* EXPECT verdict=passed exit=0 complete=false
 * EXPECT verdict=passed exit=0 complete=false -- -O0
 * The handler of a signal that the spinning thread gets ends its wait. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int flag;

static void handler(int number)
{
    (void)number;
    atomic_store(&flag, 1);
}

static void *spinner(void *unused)
{
    while (!atomic_load(&flag))
        ;
    return unused;
}

int main(void)
{
    pthread_t id;
    signal(SIGUSR1, handler);
    pthread_create(&id, NULL, spinner, NULL);
    pthread_kill(id, SIGUSR1);
    pthread_join(id, NULL);
    return 0;
}
