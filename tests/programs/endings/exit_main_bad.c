/* EXPECT verdict=exit exit=1 bound=0 executions=3 distinct=2
 * main's status depends on who was first. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int last;

static void *one(void *unused)
{
    atomic_store(&last, 1);
    return unused;
}

static void *two(void *unused)
{
    atomic_store(&last, 2);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return atomic_load(&last) == 1 ? 5 : 0;
}
