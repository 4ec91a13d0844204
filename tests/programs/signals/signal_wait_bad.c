/* EXPECT verdict=crash exit=1 bound=0 says=signal_15
 * The same, but main does not block the signal: it is killed by it. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void *taker(void *unused)
{
    int number = 0;
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    assert(sigwait(&set, &number) == 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_create(&thread, NULL, taker, NULL);
    kill(getpid(), SIGTERM);
    pthread_join(thread, NULL);
    return 0;
}
