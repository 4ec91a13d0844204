/* EXPECT verdict=passed exit=0 complete=true
 * A thread of its own takes the signals with sigwait; every thread blocks them. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void *taker(void *unused)
{
    int number = 0;
    assert(sigwait(&set, &number) == 0);
    assert(number == SIGTERM);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, taker, NULL);
    kill(getpid(), SIGTERM);
    pthread_join(thread, NULL);
    return 0;
}
