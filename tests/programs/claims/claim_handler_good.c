/* EXPECT verdict=passed exit=0 complete=true
 * A signal that a thread sends to itself is handled before the call returns (raise(3p)): there is no other
 * place where the handler could run. */
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
    (void)number;
    handled++;
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGUSR1, on_signal);
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_kill(pthread_self(), SIGUSR1);
    pthread_join(thread, NULL);
    return handled - 1;
}
