/* EXPECT verdict=assertion exit=1 bound=0 location=HERE executions=1 distinct=1
 * A spin loop whose rounds differ only in the state of library functions: rand() decides when
 * to give up. Not idle, although registers and stack repeat. */
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
    assert(!gave_up); /* HERE */
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
