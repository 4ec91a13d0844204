/* EXPECT verdict=assertion exit=1 bound=0 says=invariant executions=1 distinct=1
 * The sum must stay the same; the transfer breaks it between its two steps. Seen at once, since
 * the invariant is checked after every step of every thread. */
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
    atomic_fetch_sub(&account[0], 5);
    atomic_fetch_add(&account[1], 5);
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
