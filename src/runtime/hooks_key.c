/* Thread-specific data (POSIX pthread_key_create(3p)). Keys and values are glibc's own: they
 * live in its data and in the donors' storage, which the snapshot restores. Only the
 * destructors are ours to run, because a fiber's end is not a thread's end. */
#include <limits.h>

#include "runtime/real.h"
#include "runtime/runtime.h"

struct keys {
    bool used[PTHREAD_KEYS_MAX];
    void (*destructor[PTHREAD_KEYS_MAX])(void *);
    uint32_t top; /* keys in use are below */
};

static struct keys keys, initial;

void keys_snapshot(void)
{
    initial = keys;
}

void keys_begin(void)
{
    for (uint32_t k = initial.top; k < keys.top; k++)
        keys.used[k] = false;
    for (uint32_t k = 0; k < initial.top; k++) {
        keys.used[k] = initial.used[k];
        keys.destructor[k] = initial.destructor[k];
    }
    keys.top = initial.top;
}

/* The number of a key is the lowest that is free: who comes first gets it. */
static int create_key(pthread_key_t *key, void (*destructor)(void *), uint64_t pc)
{
    if (UNLIKELY(real.close == NULL))
        real_resolve();
    if (rt.on)
        shared_use(SHARED_KEYS, pc);
    int error = real.pthread_key_create(key, destructor);
    if (error == 0 && rt.controlled && *key < PTHREAD_KEYS_MAX) {
        keys.used[*key] = true;
        keys.destructor[*key] = destructor;
        if (*key >= keys.top)
            keys.top = *key + 1;
    }
    return error;
}

static int delete_key(pthread_key_t key, uint64_t pc)
{
    if (UNLIKELY(real.close == NULL))
        real_resolve();
    if (rt.on)
        shared_change(pc); /* threads that end look whether there still is a destructor */
    if (key < PTHREAD_KEYS_MAX)
        keys.used[key] = false;
    return real.pthread_key_delete(key);
}

EXPORT int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    return create_key(key, destructor, CALLER);
}

EXPORT int pthread_key_delete(pthread_key_t key)
{
    return delete_key(key, CALLER);
}

EXPORT int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return create_key(key, destructor, CALLER) == 0 ? thrd_success : thrd_error;
}

EXPORT void tss_delete(tss_t key)
{
    delete_key(key, CALLER);
}

/* "… repeated at least PTHREAD_DESTRUCTOR_ITERATIONS times while non-NULL values exist." */
void keys_run_destructors(void)
{
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
        bool any = false;
        for (uint32_t k = 0; k < keys.top; k++) {
            if (!keys.used[k] || keys.destructor[k] == NULL)
                continue;
            void *value = pthread_getspecific(k);
            if (value == NULL)
                continue;
            pthread_setspecific(k, NULL);
            keys.destructor[k](value);
            any = true;
        }
        if (!any)
            return;
    }
}
