/* EXPECT verdict=assertion exit=1 location=HERE
 * EXPECT verdict=assertion exit=1 -- -O0
 * What main waits for is a local variable of main; that the second thread was last is not so. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct shared {
    atomic_int flag, other;
};

static void *first(void *argument)
{
    struct shared *shared = argument;
    shared->other = 1;
    shared->flag = 1;
    return NULL;
}

static void *second(void *argument)
{
    struct shared *shared = argument;
    shared->other = 2;
    return NULL;
}

int main(void)
{
    struct shared shared;
    atomic_init(&shared.flag, 0);
    atomic_init(&shared.other, 0);
    pthread_t a, b;
    pthread_create(&a, NULL, first, &shared);
    pthread_create(&b, NULL, second, &shared);
    while (!atomic_load(&shared.flag))
        if (atomic_load(&shared.other) == 3)
            break;
    assert(atomic_load(&shared.other) == 2); /* HERE */
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
