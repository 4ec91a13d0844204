/* EXPECT verdict=data-race exit=7
 * The signal of a timer may be taken by any thread: its handler reads what main writes after it
 * has set the timer. */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

int limit, seen;

static void on_tick(int number)
{
    (void)number;
    seen = limit;
}

static void *sleeper(void *unused)
{
    sleep(2);
    return unused;
}

int main(void)
{
    pthread_t thread;
    timer_t timer;
    struct itimerspec once = {.it_value = {1, 0}};
    signal(SIGALRM, on_tick);
    pthread_create(&thread, NULL, sleeper, NULL);
    timer_create(CLOCK_MONOTONIC, NULL, &timer);
    timer_settime(timer, 0, &once, NULL);
    limit = 5;
    pthread_join(thread, NULL);
    return seen == 6;
}
