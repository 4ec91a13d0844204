/* EXPECT verdict=data-race exit=7 bound=0 -- -mavx2
 * One instruction reads every other element of a table, and another thread writes one of them.
 */
#include <immintrin.h>
#include <pthread.h>

static int table[16];
static volatile long sum;

static void *first(void *unused)
{
    __m256i where = _mm256_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14);
    __m256i got = _mm256_i32gather_epi32(table, where, 4);
    sum = _mm256_extract_epi32(got, 7);
    return unused;
}

static void *second(void *unused)
{
    table[14] = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
