/* EXPECT verdict=livelock exit=3
 * EXPECT verdict=livelock exit=3 -- -O0
 * The handler runs on the spinning thread, but does not end its wait. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

atomic_int flag; /* not static: clang would see that nobody stores anything but 0 */

static void handler(int number)
{
    (void)number;
    atomic_store(&flag, 0);
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
