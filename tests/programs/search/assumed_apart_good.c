/* EXPECT verdict=passed exit=0 complete=true distinct=2 -- --strategy cbpor
 * EXPECT verdict=passed exit=0 complete=true -- --races ignore --strategy auto
 * The assumption holds: the two orders of the accesses of `shared` are all there is. */
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
    mazur_assume(own[0]++ >= 0);
    return argument;
}
static void *reads(void *argument)
{
    for (int i = 0; i < 150; i++)
        own[1]++;
    assert(shared >= 0);
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
