/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=3 distinct=2
 * The assumption leaves the wrong case in: the second thread may see 0. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *first(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

static void *second(void *unused)
{
    int seen = atomic_load(&flag);
    mazur_assume(seen >= 0);
    assert(seen == 1); /* HERE */
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
