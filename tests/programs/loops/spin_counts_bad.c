/* EXPECT verdict=assertion exit=1 bound=0
 * EXPECT verdict=assertion exit=1 -- --strategy dpor
 * EXPECT verdict=assertion exit=1 -- --strategy bpor
 * EXPECT verdict=assertion exit=1 -- --bound none
 * A wait that counts its rounds never ends by itself and is no idle loop. The first execution
 * is cut at the step limit, with the other thread still at its first operation; what that one
 * does must be seen all the same. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done, rounds, ready;

static void *waiter(void *unused)
{
    while (!atomic_load(&done))
        atomic_fetch_add(&rounds, 1);
    return unused;
}

static void *owner(void *unused)
{
    assert(atomic_load(&ready));
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
