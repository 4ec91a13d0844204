/* EXPECT verdict=assertion exit=1 location=HERE complete=false
 *
 * A loop that counts its rounds and has no end of its own: running the rounds that are left would
 * not end. It fails after it. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef FAILS
#define FAILS 1
#endif

static atomic_int flag;
static volatile unsigned long counted;

static void *wait_and_count(void *unused)
{
    unsigned long rounds = 0;
    while (!atomic_load(&flag))
        rounds++;
    counted = rounds;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_and_count, NULL);
    atomic_store(&flag, 1);
    pthread_join(thread, NULL);
    assert(counted == 0 || !FAILS); /* HERE */
    return 0;
}
