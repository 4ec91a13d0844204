/* EXPECT verdict=passed exit=0 complete=true distinct=6
 * EXPECT verdict=passed exit=0 complete=true distinct=6 -- --strategy optimal
 * EXPECT verdict=passed exit=0 complete=true distinct=6 -- --strategy dpor
 * An assumption about what a thread reads: executions in which it does not hold end in the middle,
 * and hide what the others would have done. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first, second, last;

static void *look_at_both(void *unused)
{
    (void)atomic_load(&first);
    (void)atomic_load(&second);
    atomic_store(&last, 1);
    return unused;
}

static void *write_twice(void *unused)
{
    atomic_exchange(&second, 2);
    atomic_store(&second, 1);
    return unused;
}

static void *look_and_assume(void *unused)
{
    int seen = atomic_load(&second);
    mazur_assume(seen != 1);
    assert(seen != 3); /* HERE */
    return unused;
}

int main(void)
{
    void *(*const routine[3])(void *) = {look_at_both, write_twice, look_and_assume};
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&thread[i], NULL, routine[i], NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
