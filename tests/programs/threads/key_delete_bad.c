/* EXPECT verdict=assertion exit=1 location=HERE
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy optimal
 * EXPECT verdict=assertion exit=1 location=HERE -- --strategy dpor
 * A key is deleted while a thread still has a value for it: whether the destructor is called
 * depends on who comes first. */
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
    pthread_create(&b, NULL, owner, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(atomic_load(&destroyed) == 1); /* HERE */
    return 0;
}
