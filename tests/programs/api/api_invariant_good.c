/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * Total and transfers are one word: the invariant holds after every step. */
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int account[2];

static int balanced(void *accounts)
{
    atomic_int *two = accounts;
    return atomic_load(&two[0]) + atomic_load(&two[1]) == 0;
}

static void *transfer(void *unused)
{
    atomic_fetch_add(&account[0], 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    mazur_invariant(balanced, account);
    pthread_create(&a, NULL, transfer, NULL);
    pthread_create(&b, NULL, transfer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
