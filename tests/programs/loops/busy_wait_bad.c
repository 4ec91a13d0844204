/* EXPECT verdict=data-race exit=7 bound=0 location=HERE
 * EXPECT verdict=data-race exit=7 bound=0 location=HERE -- -O0
 * EXPECT verdict=data-race exit=7 -- -O2
 * EXPECT verdict=data-race exit=7 -- -O3
 * EXPECT verdict=data-race exit=7 -- --strategy dpor
 * A busy wait on a plain variable, of which an optimising compiler leaves one look and a jump to
 * itself. */
#include <pthread.h>

static int alive = 1;

static void *thread(void *unused)
{
    alive = 0; /* HERE */
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
