/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * An unaligned 64-bit store crosses into the next word, where the other thread writes. */
#include <pthread.h>
#include <stdint.h>

struct __attribute__((packed)) record {
    char tag[5];
    uint64_t value;
    char end;
};

static union {
    struct record record;
    char byte[24];
} shared;

static void *unaligned(void *unused)
{
    shared.record.value = 1;
    return unused;
}

static void *neighbour(void *unused)
{
    shared.byte[12] = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, unaligned, NULL);
    pthread_create(&b, NULL, neighbour, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return shared.record.value == 99;
}
