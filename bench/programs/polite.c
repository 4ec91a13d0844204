/* A program with a cyclic state space (as the tests of paper 002, Table 1, that plain DPOR
 * can't finish): two threads want the same thing, and each one steps back when it sees that the
 * other one wants it too. In step they do so for ever: livelock, with no preemption, since
 * switching at the yields is free. The loop writes, so it is not idle: only the fair bound ends
 * the search. -DFIXED: the second thread steps back for good. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2];

static void *thread(void *number)
{
    int own = (int)(intptr_t)number;
    for (;;) {
        atomic_store(&wants[own], 1);
        sched_yield();
        if (!atomic_load(&wants[1 - own]))
            break;
        atomic_store(&wants[own], 0);
#ifdef FIXED
        if (own == 1)
            break;
#endif
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
