/* EXPECT verdict=nothing-found exit=0 complete=false -- --execs 5
 * Two polite threads that also turn a wheel, and give up in the end: the same operations over
 * and over, but a counter tells the states apart. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], wheel;

static void *thread(void *number)
{
    int own = (int)(intptr_t)number;
    for (int tries = 0; tries < 2000; tries++) {
        atomic_store(&wants[own], 1);
        atomic_store(&wheel, (atomic_load(&wheel) + 1) % 50);
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
    pthread_create(&a, NULL, thread, (void *)0);
    pthread_create(&b, NULL, thread, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
