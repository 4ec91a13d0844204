/* EXPECT verdict=passed exit=0 complete=true distinct=4
 * The same with the right limit. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int flag;

static void *writer(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

static void *reader(void *unused)
{
    int rounds = 0;
    while (!atomic_load(&flag) && rounds < 2)
        rounds++;
    assert(rounds < 3);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
