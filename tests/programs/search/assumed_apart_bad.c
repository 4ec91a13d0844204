/* EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --strategy cbpor
 * EXPECT verdict=assertion exit=1 bound=1 location=HERE -- --races ignore
 * Operations on objects of one thread need no prefixes of their own once there are more than 10,000 of them. But
 * an assumption ends every execution in which the first thread has come to its last operation, so what the
 * second one reads before that is seen only where they do have their own. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int shared, own[2];
static void *stores(void *argument)
{
    for (int i = 0; i < 150; i++)
        own[0]++;
    shared = 1;
    mazur_assume(own[0]++ < 0);
    return argument;
}
static void *reads(void *argument)
{
    for (int i = 0; i < 150; i++)
        own[1]++;
    assert(shared == 0); /* HERE */
    return argument;
}
int main(void)
{
    pthread_t thread[2];
    pthread_create(&thread[0], NULL, stores, NULL);
    pthread_create(&thread[1], NULL, reads, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
}
