/* EXPECT verdict=passed exit=0 complete=true
 * The key is deleted after its user has been joined; the other thread uses a key of its own. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *uses(void *unused)
{
    pthread_key_t own;
    assert(pthread_setspecific(key, &key) == 0);
    pthread_key_create(&own, NULL);
    assert(pthread_setspecific(own, &own) == 0 && pthread_getspecific(own) == &own);
    pthread_key_delete(own);
    assert(pthread_getspecific(key) == &key);
    return unused;
}

int main(void)
{
    pthread_key_create(&key, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, uses, NULL);
    assert(pthread_setspecific(key, &thread) == 0);
    assert(pthread_getspecific(key) == &thread);
    pthread_join(thread, NULL);
    pthread_key_delete(key);
    return 0;
}
