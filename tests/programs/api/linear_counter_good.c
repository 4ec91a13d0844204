/* EXPECT verdict=passed exit=0 -- --bound 1
 * EXPECT verdict=passed exit=0 complete=true -- --strategy optimal --bound none
 * A counter whose halves are in one word, so that get() reads both at once and add() changes both
 * at once: every history is that of a serial execution. */
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int both; /* tens in the upper half */

static void *adder(void *unused)
{
    mazur_history_begin("add", 1);
    int seen = atomic_load(&both), next;
    do
        next = (seen & 0xffff) == 9 ? (seen & ~0xffff) + 0x10000 : seen + 1;
    while (!atomic_compare_exchange_weak(&both, &seen, next));
    mazur_history_end("add", 1, "ok");
    return unused;
}

static void *getter(void *unused)
{
    mazur_history_begin("get");
    int seen = atomic_load(&both);
    mazur_history_end((seen >> 16) * 10 + (seen & 0xffff));
    return unused;
}

int main(void)
{
    pthread_t thread[3];
    atomic_store(&both, 8);
    pthread_create(&thread[0], NULL, adder, NULL);
    pthread_create(&thread[1], NULL, getter, NULL);
    pthread_create(&thread[2], NULL, adder, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
