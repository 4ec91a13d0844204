/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1
 * Two threads increment a plain int. The accesses are unordered in every interleaving, so the
 * race shows without any preemption. */
#include <pthread.h>

static int counter;

static void *increment(void *unused)
{
    counter++; /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;
}
