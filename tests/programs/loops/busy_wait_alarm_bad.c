/* EXPECT verdict=hang exit=4 bound=0 -- --hang 1s
 * A busy wait that makes no operation, and nobody has set the alarm that should end it. */
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
    while (!over)
        ;
    return 0;
}
