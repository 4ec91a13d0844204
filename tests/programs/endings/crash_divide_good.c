/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * The divisor is loaded once. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 2;
static volatile int quotient;

static void *zero(void *unused)
{
    atomic_store(&divisor, 0);
    return unused;
}

static void *divide(void *unused)
{
    int mine = atomic_load(&divisor);
    if (mine)
        quotient = 10 / mine;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, zero, NULL);
    pthread_create(&b, NULL, divide, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
