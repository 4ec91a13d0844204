/* EXPECT verdict=passed exit=0 complete=true
 * EXPECT verdict=passed exit=0 complete=true -- --strategy optimal --bound none
 * EXPECT verdict=passed exit=0 complete=true -- --strategy dpor
 * A thread announces itself in every round of its wait. After the first round that changes
 * nothing, so it is a wait, for what it stores as well: the place is
 * overwritten by somebody else, who looks only at whether it has been taken. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, seat;

static void *waiter(void *unused)
{
    while (!atomic_load(&done))
        atomic_store(&seat, 1);
    return unused;
}

static void *owner(void *unused)
{
    atomic_store(&seat, 2);
    int mine = atomic_load(&seat);
    assert(mine != 0);
    atomic_store(&done, 1);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, waiter, NULL);
    pthread_create(&thread[1], NULL, owner, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
