/* EXPECT verdict=data-race exit=7 bound=1 location=HERE executions=6 distinct=3
 * A hand-made once with an atomic exchange: one thread initialises, but the others do not wait
 * for it to be done. One preemption between the exchange and the store of the first thread. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int table;

static void *worker(void *unused)
{
    if (atomic_exchange(&state, 1) == 0) {
        table = 42;
        atomic_store(&state, 2);
    }
    return table == 42 ? unused : &table; /* HERE */
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
