/* EXPECT verdict=passed exit=0 complete=true
 * The key is deleted when its last user has ended. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key;
static atomic_int destroyed;

static void destroy(void *value)
{
    (void)value;
    atomic_fetch_add(&destroyed, 1);
}

static void *user(void *unused)
{
    pthread_setspecific(key, &key);
    return unused;
}

static void *owner(void *unused)
{
    pthread_key_delete(key);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&destroyed) == 1);
    return 0;
}
