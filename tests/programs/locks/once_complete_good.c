/* EXPECT verdict=passed exit=0 complete=true executions=203 distinct=4
 * A hand-made once that waits: 0 untouched, 1 being initialised, 2 done. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int table;

static void *worker(void *unused)
{
    int expected = 0;
    if (atomic_compare_exchange_strong(&state, &expected, 1)) {
        table = 42;
        atomic_store(&state, 2);
    } else {
        while (atomic_load(&state) != 2) {
        }
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
