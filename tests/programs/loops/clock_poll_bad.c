/* EXPECT verdict=assertion exit=1 bound=0
 * EXPECT verdict=assertion exit=1 -- --strategy dpor
 * Two seconds of busy waiting are no synchronisation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int ready;

static void *work(void *unused)
{
    atomic_store(&ready, 1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (time_t end = time(NULL) + 2; time(NULL) < end;) {
    }
    assert(atomic_load(&ready));
    pthread_join(thread, NULL);
}
