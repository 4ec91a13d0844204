/* Two different real-time signals both arrive; of two equal ones that are not, one does, and the thread waits for ever.
 * EXPECT verdict=passed exit=0
 * EXPECT verdict=passed exit=0 -- -DPROCESS
 * EXPECT verdict=deadlock exit=2 bound=0 -- -DEQUAL */
#ifdef EQUAL
#define SIGNAL(i) SIGUSR1
#else
#define SIGNAL(i) (SIGRTMIN + (i))
#endif
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *work(void *set)
{
    int number;
    for (int i = 0; i < 2; i++)
        sigwait(set, &number);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < 2; i++)
        sigaddset(&set, SIGNAL(i));
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, work, &set);
    for (int i = 0; i < 2; i++)
#ifdef PROCESS
        kill(getpid(), SIGNAL(i));
#else
        pthread_kill(thread, SIGNAL(i));
#endif
    pthread_join(thread, NULL);
    return 0;
}
