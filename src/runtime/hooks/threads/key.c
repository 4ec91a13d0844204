/* Thread-specific data (POSIX pthread_key_create(3p)). Keys and values are glibc's own: they
 * live in its data and in the donors' storage, which the snapshot restores. Mazur only runs the
 * destructors, because libc does not see a fiber end.
 *
 * Getting or setting a value is not an operation, since each thread has its own values. The
 * exception is a key that one thread deletes while another may use it: from then on glibc
 * returns EINVAL or NULL. The race detector watches for this on a byte that stands for the key;
 * when it reports one, the search learns that uses of keys are operations, and starts over. */
#include <limits.h>

#include "runtime/access/caller.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/keys.h"
#include "runtime/race/race.h"

struct keys {
    bool used[PTHREAD_KEYS_MAX];
    void (*destructor[PTHREAD_KEYS_MAX])(void *);
    uint32_t top; /* all keys in use are smaller */
};

static struct keys keys, initial;
EXECUTION_STATE(keys);
LASTING_STATE(initial);

static struct {
    bool are_operations;
    char cell[PTHREAD_KEYS_MAX]; /* only their addresses are used */
} uses;

void keys_begin_uses(void)
{
    uses.are_operations = lessons_have(&rt.board->lessons, LESSON_KEYS);
}

bool keys_race(uint64_t address)
{
    if (address - (uint64_t)(uintptr_t)uses.cell >= sizeof uses.cell)
        return false;
    if (!uses.are_operations)
        shared_learn(LESSON_KEYS, 0);
    return true;
}

static void use_key(pthread_key_t key, uint64_t pc)
{
    if (UNLIKELY(uses.are_operations))
        shared_look(SHARED_KEYS, pc);
    if (key < PTHREAD_KEYS_MAX)
        race_use(rt.current, (uint64_t)(uintptr_t)&uses.cell[key], 1, pc);
}

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

/* A new key gets the lowest free number, so the numbers depend on the order of creation. */
static int create_key(pthread_key_t *key, void (*destructor)(void *), uint64_t pc)
{
    real_prepare();
    if (under_control()) {
        shared_use(SHARED_KEYS, pc);
        caller_writes(key, sizeof *key, pc);
    }
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
    real_prepare();
    if (under_control())
        shared_change(pc); /* an ending thread checks whether the key still has a destructor */
    if (under_control() && key < PTHREAD_KEYS_MAX)
        race_write(rt.current, (uint64_t)(uintptr_t)&uses.cell[key], 1, pc);
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

EXPORT void *pthread_getspecific(pthread_key_t key)
{
    UNLESS_ON(pthread_getspecific(key));
    use_key(key, CALLER);
    return real.pthread_getspecific(key);
}

EXPORT int pthread_setspecific(pthread_key_t key, const void *value)
{
    UNLESS_ON(pthread_setspecific(key, value));
    use_key(key, CALLER);
    return real.pthread_setspecific(key, value);
}

EXPORT void *tss_get(tss_t key)
{
    UNLESS_ON(pthread_getspecific(key));
    use_key(key, CALLER);
    return real.pthread_getspecific(key);
}

EXPORT int tss_set(tss_t key, void *value)
{
    UNLESS_ON(tss_set(key, value));
    use_key(key, CALLER);
    return real.tss_set(key, value);
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
            if (!keys.used[k] || !keys.destructor[k])
                continue;
            void *value = real.pthread_getspecific(k);
            if (!value)
                continue;
            real.pthread_setspecific(k, NULL);
            keys.destructor[k](value);
            any = true;
        }
        if (!any)
            return;
    }
}
