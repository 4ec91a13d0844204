/* EXPECT verdict=passed exit=0
 * A timer that goes off again and again, another one that only measures, and a watchdog whose
 * signal would kill the process: it never does. */
#include <assert.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;

static void on_tick(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    if (info->si_value.sival_int == 7)
        ticks++;
}

int main(void)
{
    timer_t ticking, measuring;
    struct sigaction action = {.sa_sigaction = on_tick, .sa_flags = SA_SIGINFO};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    struct sigevent silent = {.sigev_notify = SIGEV_NONE};
    struct itimerspec every = {.it_value = {1, 0}, .it_interval = {1, 0}};
    struct itimerspec left, minute = {.it_value = {60, 0}};
    struct itimerval dog = {.it_value = {2, 0}};
    event.sigev_value.sival_int = 7;
    sigaction(SIGUSR1, &action, NULL);
    assert(timer_create(CLOCK_MONOTONIC, &event, &ticking) == 0);
    assert(timer_create(CLOCK_REALTIME, &silent, &measuring) == 0);
    setitimer(ITIMER_REAL, &dog, NULL);
    timer_settime(measuring, 0, &minute, NULL);
    timer_settime(ticking, 0, &every, NULL);
    while (ticks < 3)
        pause();
    timer_delete(ticking);
    timer_gettime(measuring, &left);
    assert(left.it_value.tv_sec >= 56 && left.it_value.tv_sec <= 57);
    sleep(5);
    assert(ticks == 3);
    return 0;
}
