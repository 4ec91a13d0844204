/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2 -- -DNDEBUG
 * mazur_assert with a condition that holds; it is evaluated once. */
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *setter(void *unused)
{
    atomic_fetch_add(&flag, 1);
    return unused;
}

static void *checker(void *unused)
{
    mazur_assert(atomic_load(&flag) <= 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, setter, NULL);
    pthread_create(&b, NULL, checker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    mazur_assert(atomic_fetch_add(&flag, 1) == 1);
    return 0;
}
