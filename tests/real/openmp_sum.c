/* GNU OpenMP (libgomp): a reduction over two threads. */
#include <assert.h>

int main(void)
{
    int sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 1; i <= 4; i++)
        sum += i;
    assert(sum == 10);
    return 0;
}
