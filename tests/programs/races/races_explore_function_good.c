/* EXPECT verdict=passed exit=0 complete=true executions=210 distinct=3 -- --races=explore
 * What was published before is there afterwards. */
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
    assert(seen || !before); /* HERE */
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
