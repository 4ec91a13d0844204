/* EXPECT verdict=passed exit=0 complete=false
 * A busy wait that makes no operation is ended by the handler of an alarm. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t over;

static void on_alarm(int number)
{
    (void)number;
    over = 1;
}

static void *thread(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t id;
    signal(SIGALRM, on_alarm);
    pthread_create(&id, NULL, thread, NULL);
    pthread_join(id, NULL);
    alarm(1);
    while (!over)
        ;
    return 0;
}
