/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --races=explore
 * EXPECT verdict=nothing-found exit=0 complete=false executions=19 distinct=1 -- --races=ignore
 * A plain counter. Where races are explored, plain accesses that race are scheduling points:
 * one preemption between read and write loses an increment. Where they are ignored, increments
 * are never torn, and nothing is found: nothing is said of executions that were not tried. */
#include <assert.h>
#include <pthread.h>

static int counter;

static void *increment(void *unused)
{
    counter++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); /* HERE */
    return 0;
}
