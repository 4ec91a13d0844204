/* EXPECT verdict=passed exit=0 complete=true -- -mavx2
 * A vector is stored under a mask: the element that another thread reads is not selected. */
#include <immintrin.h>
#include <pthread.h>

static int table[8];
static volatile int got;

static void *first(void *unused)
{
    __m256i mask = _mm256_setr_epi32(-1, 0, -1, 0, -1, 0, -1, 0);
    _mm256_maskstore_epi32(table, mask, _mm256_set1_epi32(7));
    return unused;
}

static void *second(void *unused)
{
    got = table[5];
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
