/* EXPECT verdict=passed exit=0 complete=true executions=19 distinct=1
 * Each thread has a plain counter of its own, and main adds them up after joining: create and
 * join order all accesses. No two threads touch one object: a single trace. */
#include <assert.h>
#include <pthread.h>

static int counter[2];

static void *increment(void *mine)
{
    (*(int *)mine)++;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, &counter[0]);
    pthread_create(&b, NULL, increment, &counter[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter[0] + counter[1] == 2);
    return 0;
}
