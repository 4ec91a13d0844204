/* EXPECT verdict=passed exit=0 complete=true executions=69 distinct=2
 * The destructor of a key frees the block of each thread that ends, once, and never main's
 * (main has none). Every thread has its own value under the key. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destructor(void *block)
{
    atomic_fetch_add(&destroyed, 1);
    free(block);
}

static void *worker(void *unused)
{
    assert(pthread_getspecific(key) == NULL);
    int *block = malloc(sizeof *block);
    *block = 1;
    pthread_setspecific(key, block);
    assert(pthread_getspecific(key) == block);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_key_create(&key, destructor);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&destroyed) == 2);
    assert(pthread_getspecific(key) == NULL);
    pthread_key_delete(key);
    return 0;
}
