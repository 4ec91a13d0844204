/* The program of paper 004, Figure 1: two threads add to and subtract from one variable, in
 * steps of their own. Each order of the operations is a trace (there are 45 over 13 of them,
 * about 7e10), but few states are different. -DASSERTION with the assertion of the figure,
 * which can fail: 15 - 6 = 9. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 64
#endif

static atomic_int d;

static void add(int amount)
{
    int now = atomic_fetch_add(&d, amount) + amount;
#ifdef ASSERTION
    assert(now % 5 != 4);
#endif
    (void)now;
}

static void *adder(void *unused)
{
    for (int i = 0; i < N; i += 5)
        add(i);
    return unused;
}

static void *subtracter(void *unused)
{
    for (int j = 0; j < N; j += 2)
        add(-j);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, adder, NULL);
    pthread_create(&b, NULL, subtracter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
