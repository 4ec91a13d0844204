/* EXPECT verdict=not-linearizable exit=9 bound=1
 * Line-Up's first example: get() reads the two halves of a counter one after the other while
 * add() changes both, so that it returns a number that the counter never had. */
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int low, high; /* a counter with ten as its base */

static void *adder(void *unused)
{
    mazur_history_begin("add", 1);
    if (atomic_fetch_add(&low, 1) == 9) {
        atomic_store(&low, 0);
        atomic_fetch_add(&high, 1);
    }
    mazur_history_end("add", 1, "ok");
    return unused;
}

static void *getter(void *unused)
{
    mazur_history_begin("get");
    int tens = atomic_load(&high);
    int value = tens * 10 + atomic_load(&low);
    mazur_history_end(value);
    return unused;
}

int main(void)
{
    pthread_t thread[2];
    atomic_store(&low, 9);
    pthread_create(&thread[0], NULL, adder, NULL);
    pthread_create(&thread[1], NULL, getter, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
