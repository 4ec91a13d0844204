/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1
 * A zero-width bit field starts a new memory location: no race. */
#include <pthread.h>

static struct {
    unsigned first : 3;
    unsigned : 0;
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
