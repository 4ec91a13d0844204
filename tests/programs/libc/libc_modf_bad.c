/* EXPECT verdict=data-race exit=7
 * modf() writes through its pointer. The compiler knows the function and must not do without
 * the call. */
#include <math.h>
#include <pthread.h>

static double whole;

static void *split(void *unused)
{
    volatile double part = modf(3.25, &whole);
    (void)part;
    return unused;
}

static void *set(void *unused)
{
    whole = 1;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, split, NULL);
#ifdef IN_ORDER
    pthread_join(threads[0], NULL);
#endif
    pthread_create(&threads[1], NULL, set, NULL);
#ifndef IN_ORDER
    pthread_join(threads[0], NULL);
#endif
    pthread_join(threads[1], NULL);
    return 0;
}
