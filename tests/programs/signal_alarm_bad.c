/* EXPECT verdict=invalid-test exit=6 says=alarm
 * An alarm with a handler is part of the program's logic, and Mazur has no alarms: it says so
 * instead of never calling the handler. */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void on_alarm(int number)
{
    (void)number;
}

int main(void)
{
    signal(SIGALRM, on_alarm);
    alarm(1);
    pause();
    return 0;
}
