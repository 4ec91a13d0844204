/* EXPECT verdict=nothing-found exit=0 complete=false -- --execs 5
 * Two polite threads go round in the same states, until an alarm ends it: time passes where
 * nothing else can change anything. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <unistd.h>

static atomic_int wants[2], stop;

static void on_alarm(int number)
{
    (void)number;
    atomic_store(&stop, 1);
}

static void *thread(void *number)
{
    int own = (int)(intptr_t)number;
    while (!atomic_load(&stop)) {
        atomic_store(&wants[own], 1);
        sched_yield();
        if (!atomic_load(&wants[1 - own]))
            break;
        atomic_store(&wants[own], 0);
    }
    atomic_store(&wants[own], 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    signal(SIGALRM, on_alarm);
    alarm(1);
    pthread_create(&a, NULL, thread, (void *)0);
    pthread_create(&b, NULL, thread, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
