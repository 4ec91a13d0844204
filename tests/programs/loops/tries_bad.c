/* EXPECT verdict=assertion exit=1 bound=0 location=HERE -- --simplify 0
 * Takes it for granted that the flag was set when it stopped looking. */
#include <assert.h>
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
    assert(atomic_load(&ready)); /* HERE */
    pthread_join(id, NULL);
    return 0;
}
