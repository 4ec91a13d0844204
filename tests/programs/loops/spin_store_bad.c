/* EXPECT verdict=assertion exit=1 bound=1
 * EXPECT verdict=assertion exit=1 -- --strategy optimal --bound none
 * EXPECT verdict=assertion exit=1 -- --strategy dpor
 * A thread announces itself in every round of its wait. After the first round that changes
 * nothing, so it is a wait, for what it stores as well: the announcement overwrites what another
 * thread has put there. */
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
    assert(mine == 2);
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
