/* EXPECT verdict=assertion exit=1 bound=1 -- --races=ignore
 * A round that reads 0 changes nothing; one that reads 1 does, in code that is not
 * instrumented. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int hidden;

__attribute__((noinline, no_sanitize("thread"))) static void count(int value)
{
    if (value == 1)
        hidden++;
}

static void *writer(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return unused;
}

static void *reader(void *unused)
{
    int value;
    while ((value = atomic_load(&x)) != 2)
        count(value);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(hidden == 0);
    return 0;
}
