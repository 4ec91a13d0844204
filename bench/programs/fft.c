/* A fast Fourier transform (over the integers modulo 17, where 3 generates the 16 roots of
 * unity) by THREADS threads that share one lock, after the test FFT of paper 002, section 6:
 * the hard case for bounded reduction, since each release of the lock needs conservative
 * backtrack points. In each of STAGES stages a thread takes its share of the butterflies from a
 * common counter under the lock; barriers separate the stages. */
#include <assert.h>
#include <pthread.h>

#ifndef THREADS
#define THREADS 8
#endif
#ifndef STAGES
#define STAGES 1
#endif
#define POINTS  16
#define MODULUS 17

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;
static int value[POINTS], next[STAGES];

static int power(int base, int exponent)
{
    int result = 1;
    while (exponent-- > 0)
        result = result * base % MODULUS;
    return result;
}

static void butterfly(int stage, int index)
{
    int half = 1 << stage, group = index / half, offset = index % half;
    int low = group * 2 * half + offset, high = low + half;
    int twiddled = value[high] * power(3, offset * (POINTS / 2 / half)) % MODULUS;
    value[high] = (value[low] + MODULUS - twiddled) % MODULUS;
    value[low] = (value[low] + twiddled) % MODULUS;
}

static void *worker(void *unused)
{
    for (int stage = 0; stage < STAGES; stage++) {
        pthread_mutex_lock(&mutex);
        int share = next[stage]++;
        pthread_mutex_unlock(&mutex);
        for (int i = share; i < POINTS / 2; i += THREADS)
            butterfly(stage, i);
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    int expected[POINTS];
    for (int i = 0; i < POINTS; i++)
        value[i] = i;
    for (int stage = 0; stage < STAGES; stage++)
        for (int i = 0; i < POINTS / 2; i++)
            butterfly(stage, i);
    for (int i = 0; i < POINTS; i++) {
        expected[i] = value[i];
        value[i] = i;
    }
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < POINTS; i++)
        assert(value[i] == expected[i]);
    return 0;
}
