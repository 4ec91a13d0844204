/* EXPECT verdict=crash exit=1 bound=1 location=HERE says=SIGFPE executions=11 distinct=3
 * The divisor is tested, then loaded again. */
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
    if (atomic_load(&divisor))
        quotient = 10 / atomic_load(&divisor); /* HERE */
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
