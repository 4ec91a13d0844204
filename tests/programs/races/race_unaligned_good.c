/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1
 * An unaligned 64-bit store ends just before the byte that the other thread writes. */
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
    shared.byte[13] = 1;
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
