/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --races=explore
 * A read before the call of a function that only reads: the compiler must not move it behind the
 * call, where it would see what was written in between. */
#include <assert.h>
#include <pthread.h>

static int value, published;

static __attribute__((noinline)) int get(void)
{
    return value;
}

static void *publish(void *unused)
{
    value = 1;
    published = 1;
    return unused;
}

static void *look(void *unused)
{
    int before = published;
    int seen = get();
    assert(before || !seen); /* HERE */
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&b, NULL, look, NULL);
    pthread_create(&a, NULL, publish, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
