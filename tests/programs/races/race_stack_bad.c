/* EXPECT verdict=data-race exit=7 bound=0 location=HERE executions=1 distinct=1
 * Two threads share a variable on main's stack. */
#include <pthread.h>

static void *add(void *sum)
{
    ++*(int *)sum; /* HERE */
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int sum[2] = {0, 0};
    pthread_create(&a, NULL, add, &sum[0]);
    pthread_create(&b, NULL, add, &sum[0]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sum[0] + sum[1] != 2;
}
