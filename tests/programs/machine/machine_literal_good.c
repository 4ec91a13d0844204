/* EXPECT verdict=passed exit=0 complete=true
 * Each thread has its own part of the literal. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

struct parts {
    long first, second, third;
};
static struct parts *_Atomic shared;

static void *other(void *unused)
{
    struct parts *parts;
    while (!(parts = atomic_load(&shared)))
        ;
    parts->third = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    struct parts *parts = &(struct parts){1, 2, 3};
    atomic_store(&shared, parts);
    parts->second = 4;
    pthread_join(thread, NULL);
    return 0;
}
