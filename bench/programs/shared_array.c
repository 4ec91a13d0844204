/* Two threads write to the elements of a shared array, one upwards and one downwards, ROUNDS
 * times (after sharedArray of paper 004, Table 1). Each element is written by both, but most
 * pairs of writes are independent, and which element comes next is only known as it comes. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef SIZE
#define SIZE 8
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static atomic_int array[SIZE];

static void *upwards(void *unused)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < SIZE; i++)
            atomic_store(&array[i], 1);
    return unused;
}

static void *downwards(void *unused)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int i = SIZE - 1; i >= 0; i--)
            atomic_store(&array[i], 2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, upwards, NULL);
    pthread_create(&b, NULL, downwards, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
