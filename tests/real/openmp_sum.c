/* GNU OpenMP (libgomp): a reduction over two threads. SEED: the sum is shared without one. */
#include <assert.h>

int main(void)
{
    int sum = 0;
#ifndef SEED
#pragma omp parallel for num_threads(2) reduction(+ : sum)
#else
#pragma omp parallel for num_threads(2)
#endif
    for (int i = 1; i <= 4; i++)
        sum += i;
    assert(sum == 10);
    return 0;
}
