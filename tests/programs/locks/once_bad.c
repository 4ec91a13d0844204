/* EXPECT verdict=assertion exit=1 bound=1 location=HERE executions=6 distinct=3
 * A hand-made once: the flag is tested and set in two steps. One preemption in between, and the
 * initialisation runs twice. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int done;
static atomic_int times;

static void initialise(void)
{
    atomic_fetch_add(&times, 1);
}

static void *worker(void *unused)
{
    if (!atomic_load(&done)) {
        atomic_store(&done, 1);
        initialise();
    }
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&times) == 1); /* HERE */
    return 0;
}
