/* EXPECT verdict=passed exit=0 complete=true
 * A handler sets a flag that the interrupted thread waits for in sigsuspend: the signal is
 * blocked until then, so it can't come too early. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t woken;

static void on_signal(int number)
{
    woken = number;
}

static void *sleeper(void *unused)
{
    sigset_t none;
    sigemptyset(&none);
    while (!woken)
        sigsuspend(&none);
    assert(woken == SIGUSR1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigset_t set;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, sleeper, NULL);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return 0;
}
