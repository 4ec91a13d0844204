/* EXPECT verdict=assertion exit=1 bound=0 executions=3 distinct=2
 * EXPECT verdict=assertion exit=1 executions=2 distinct=2 -- --strategy optimal
 * Keys are numbered in the order of the calls, which is not that of the threads' creation. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t keys[2];

static void *work(void *argument)
{
    pthread_key_create(argument, NULL);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, &keys[0]);
    pthread_create(&b, NULL, work, &keys[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(keys[0] < keys[1]);
    return 0;
}
