/* EXPECT verdict=passed exit=0 complete=true executions=10466 distinct=21
 * A spin loop that gives up when rand() says so, and copes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *spinner(void *unused)
{
    int gave_up = 0;
    while (!atomic_load(&flag)) {
        if (rand() % 8 == 0) {
            gave_up = 1;
            break;
        }
    }
    assert(gave_up || atomic_load(&flag));
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, spinner, NULL);
    pthread_create(&b, NULL, setter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
