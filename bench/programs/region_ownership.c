/* Paper 002, Table 1, "RegOwn": a region belongs to one thread at a time, and is handed over through a slot that the other one spins on;
 * to touch one that is not one's own is an exception. The paper does not print its program; this has its shape.
 *
 * -DBUG: the giver hands over before it has written down who the new owner is. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#define HANDOVERS 2

static atomic_int owner, slot = -1;
static int touched;

static void touch(int own)
{
    if (atomic_load(&owner) != own)
        abort(); /* the exception */
    touched++;
}

static void give(int own)
{
#ifdef BUG
    atomic_store(&slot, 1 - own);
    atomic_store(&owner, 1 - own);
#else
    atomic_store(&owner, 1 - own);
    atomic_store(&slot, 1 - own);
#endif
}

static void take(int own)
{
    while (atomic_load(&slot) != own)
        sched_yield();
    atomic_store(&slot, -1);
}

static void *thread(void *number)
{
    int own = (int)(intptr_t)number;
    for (int i = 0; i < HANDOVERS; i++) {
        if (own == 1 || i > 0)
            take(own);
        touch(own);
        if (own == 0 || i < HANDOVERS - 1)
            give(own);
    }
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, thread, (void *)1);
    thread((void *)0);
    pthread_join(other, NULL);
    return 0;
}
