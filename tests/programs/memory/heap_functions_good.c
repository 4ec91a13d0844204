/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1 -- --leaks
 * All the functions that allocate, from two threads; what they return is aligned, zeroed,
 * copied as promised, and fresh in every execution. */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void *worker(void *unused)
{
    void *aligned;
    assert(posix_memalign(&aligned, 256, 100) == 0 && (uintptr_t)aligned % 256 == 0);
    char *other = aligned_alloc(64, 128);
    assert((uintptr_t)other % 64 == 0);
    char *zeroed = calloc(10, 10);
    for (int i = 0; i < 100; i++)
        assert(zeroed[i] == 0);
    memset(zeroed, 'x', 100);
    zeroed = realloc(zeroed, 1000);
    assert(zeroed[99] == 'x');
    char *copy = strdup("copy");
    *(volatile char *)&copy[4] = '!';
    int *fresh = malloc(1 << 20);
    assert(((volatile int *)fresh)[1000] != 12345);
    fresh[1000] = 12345;
    free(aligned);
    free(other);
    free(zeroed);
    free(copy);
    free(fresh);
    free(NULL);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
