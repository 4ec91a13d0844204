/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * One thread writes a byte, the other the 32-bit word that contains it. */
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
    shared.word = 7;
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
