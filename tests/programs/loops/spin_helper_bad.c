/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1 -- -O0
 * A loop of three rounds around a helper that reads an atomic. The round number lives in the
 * caller's frame, unseen by instrumentation: taken for idle, the loop would hide its end. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

__attribute__((noinline)) static int look(void)
{
    return atomic_load(&flag);
}

static void *looker(void *unused)
{
    int seen = 0;
    for (int i = 0; i < 3; i++)
        seen += look();
    assert(seen > 0); /* HERE */
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, looker, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
