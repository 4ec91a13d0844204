/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * The pointer is loaded once. */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static const int value = 5;
static const int *_Atomic pointer = &value;

static void *clearer(void *unused)
{
    atomic_store(&pointer, NULL);
    return unused;
}

static void *user(void *unused)
{
    int seen = 0;
    const int *mine = atomic_load(&pointer);
    if (mine)
        seen = *mine;
    return seen == 7 ? (void *)&value : unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, clearer, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
