/* EXPECT verdict=assertion exit=1 -- -DNUMBER=nrand48
 * EXPECT verdict=assertion exit=1 -- -DNUMBER=jrand48
 * EXPECT verdict=assertion exit=1 -- -DNUMBER=erand48
 * The numbers of nrand48() come from the caller's state, and from the factor that lcong48() sets for all. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *change(void *unused)
{
    lcong48((unsigned short[]){1, 2, 3, 4, 5, 6, 7});
    return unused;
}

int main(void)
{
    pthread_t thread;
    unsigned short before[3] = {1, 2, 3}, after[3] = {1, 2, 3};
    pthread_create(&thread, NULL, change, NULL);
    assert(NUMBER(before) == NUMBER(after));
    pthread_join(thread, NULL);
    return 0;
}
