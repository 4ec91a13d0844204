/* A real-time signal that is sent twice arrives twice, also if nobody has taken the first one: that is not modelled, and
 * refused. (It was reported as a deadlock: the thread waits for both.)
 * EXPECT verdict=invalid-test exit=6 says=queues_of_signals
 * EXPECT verdict=invalid-test exit=6 says=queues_of_signals -- -DPROCESS */
#define SIGNAL(i) SIGRTMIN
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
