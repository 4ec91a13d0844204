/* EXPECT verdict=assertion exit=1 bound=1 location=HERE complete=false
 * EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --isolate=fork
 *
 * A loop that counts its rounds is not idle: each number of rounds is another execution. The
 * flag is set before the data, which takes one preemption to see, however long the loop may be.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, data, rounds;

static void *produce(void *unused)
{
    atomic_store(&flag, 1);
    atomic_store(&data, 1);
    return unused;
}

int main(void)
{
    pthread_t producer;
    long counted = 0;
    pthread_create(&producer, NULL, produce, NULL);
    while (!atomic_load(&flag)) {
        counted++;
        atomic_fetch_add(&rounds, 1);
    }
    assert(atomic_load(&data) == 1 || counted < 0); /* HERE */
    pthread_join(producer, NULL);
    return 0;
}
