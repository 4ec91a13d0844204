/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1
 * Two threads write neighbouring bytes of one word: different objects, no race, one trace. */
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint8_t byte[4];
} shared;

static void *low(void *unused)
{
    shared.byte[0] = 1;
    return unused;
}

static void *high(void *unused)
{
    shared.byte[1] = 2;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, low, NULL);
    pthread_create(&b, NULL, high, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return shared.word == 99;
}
