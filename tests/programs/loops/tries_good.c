/* EXPECT verdict=passed exit=0 complete=true distinct=1 -- --strategy auto
 * Gives up after 25,000 looks at a flag that nobody sets: every schedule ends. (Not with icb: a preemption
 * can stand before each of them.) */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;

static void *nobody(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t id;
    int tries = 0;
    pthread_create(&id, NULL, nobody, NULL);
    while (!atomic_load(&ready) && ++tries < 25000)
        ;
    pthread_join(id, NULL);
    return 0;
}
