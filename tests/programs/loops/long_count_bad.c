/* EXPECT verdict=assertion exit=1 bound=0 -- --simplify 0
 * Two threads that count up to 24,000 with a regular step: the failure lies behind the step limit,
 * which grows with the program. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long count;

static void *counter(void *unused)
{
    for (int i = 0; i < 12000; i++)
        atomic_fetch_add(&count, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, counter, NULL);
    pthread_create(&b, NULL, counter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&count) == 24001);
    return 0;
}
