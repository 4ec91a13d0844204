/* EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DNUMBER=nrand48
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DNUMBER=jrand48
 * EXPECT verdict=passed exit=0 complete=true executions=1 distinct=1 -- -DNUMBER=erand48
 * The program of libc_factor_bad, where nobody draws the factor: drand48() has another sequence. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *unused)
{
    drand48();
    return unused;
}

int main(void)
{
    pthread_t thread;
    unsigned short before[3] = {1, 2, 3}, after[3] = {1, 2, 3};
    pthread_create(&thread, NULL, draw, NULL);
    assert(NUMBER(before) == NUMBER(after));
    pthread_join(thread, NULL);
    return 0;
}
