/* EXPECT verdict=crash exit=1 bound=1 location=HERE says=SIGSEGV executions=11 distinct=3
 * The pointer is tested, then loaded again: one preemption in between and it is null. */
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
    if (atomic_load(&pointer))
        seen = *(const volatile int *)atomic_load(&pointer); /* HERE */
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
