/* EXPECT verdict=passed exit=0 complete=true
 * raise() returns after the handler; dispositions set by one execution are gone in the next.
 * An alarm that would kill the process does not go off in virtual time. */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static __thread int mine;

static void on_signal(int number)
{
    mine = number;
}

static void *worker(void *unused)
{
    assert(raise(SIGUSR2) == 0);
    assert(mine == SIGUSR2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    alarm(10);
    assert(signal(SIGUSR2, on_signal) == SIG_DFL);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(mine == 0);
    return 0;
}
