/* EXPECT verdict=memory-error exit=11 bound=0 says=double_free executions=1 distinct=1
 * The thread frees its block but leaves it in the key; the destructor frees it again when the
 * thread ends. */
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
    free(block);
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
