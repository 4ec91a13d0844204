/* EXPECT verdict=assertion exit=1 bound=2 location=HERE executions=35 distinct=5
 * A makes the odd steps of a counter and B the even ones, each only if the one before was made.
 * 4 is reached by 4 turns, A first and alternating: 3 switches of which the last is
 * free, because the thread left has ended: A, preempted, B, preempted, A to its end, B. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int reached;

static void step_to(int next)
{
    int before = next - 1;
    atomic_compare_exchange_strong(&reached, &before, next);
}

static void *odd(void *unused)
{
    step_to(1);
    step_to(3);
    return unused;
}

static void *even(void *unused)
{
    step_to(2);
    step_to(4);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, odd, NULL);
    pthread_create(&b, NULL, even, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&reached) != 4); /* HERE */
    return 0;
}
