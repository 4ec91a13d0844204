/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * One atomic section for both: whoever comes first does not see the store of the other. Two
 * traces, with every strategy. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int stored[2], seen[2];

static void *store_then_look(void *argument)
{
    int self = argument != NULL;
    mazur_atomic_begin();
    atomic_store(&stored[self], 1);
    atomic_store(&seen[self], atomic_load(&stored[!self]));
    mazur_atomic_end();
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, store_then_look, NULL);
    pthread_create(&b, NULL, store_then_look, &b);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!mazur_running() || !(atomic_load(&seen[0]) && atomic_load(&seen[1]))); /* HERE */
    return 0;
}
