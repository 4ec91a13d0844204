/* EXPECT verdict=passed exit=0 complete=true
 * The same on an atomic variable. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int alive = 1;

static void *thread(void *unused)
{
    alive = 0;
    return unused;
}

int main(void)
{
    pthread_t id;
    pthread_create(&id, NULL, thread, NULL);
    while (alive)
        ;
    pthread_join(id, NULL);
    return 0;
}
