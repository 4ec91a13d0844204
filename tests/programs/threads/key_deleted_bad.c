/* EXPECT verdict=assertion exit=1
 * EXPECT verdict=assertion exit=1 -- --strategy dpor
 * EXPECT verdict=assertion exit=1 -- --strategy dfs --bound none
 * A key is deleted while another thread may still set its value. */
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *deletes(void *unused)
{
    pthread_key_delete(key);
    return unused;
}

int main(void)
{
    pthread_key_create(&key, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, deletes, NULL);
    assert(pthread_setspecific(key, &key) == 0);
    pthread_join(thread, NULL);
    return 0;
}
