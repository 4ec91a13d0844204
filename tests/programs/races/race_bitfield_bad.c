/* EXPECT verdict=data-race exit=7 bound=0 executions=1 distinct=1
 * Two bit fields that share a byte are one memory location: writing them from two threads
 * races. */
#include <pthread.h>

static struct {
    unsigned first : 3;
    unsigned second : 5;
} fields;

static void *one(void *unused)
{
    fields.first = 1;
    return unused;
}

static void *two(void *unused)
{
    fields.second = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return fields.first == 7 || fields.second == 7;
}
