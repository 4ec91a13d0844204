/* EXPECT verdict=passed exit=0 complete=true executions=25 distinct=1
 * The read waits for what the assumption asks for, so no execution ends early. What the other thread
 * would have done, the store to the flag, has to be seen. */
#include <assert.h>
#include <mazur.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int before, flag;

static void *reader(void *unused)
{
    int seen = atomic_load(&flag);
    mazur_assume(seen != 0);
    assert(seen == 1); /* HERE */
    return unused;
}

static void *writer(void *unused)
{
    atomic_store(&before, 1);
    atomic_store(&before, 2);
    atomic_store(&flag, 1);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, writer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
