/* C11 <threads.h>: thin names over the POSIX operations, with C11's return values. glibc's own
 * versions call its internal functions, which no hook sees. mtx_t and cnd_t are glibc's POSIX
 * objects under another name. */
#include <errno.h>
#include <threads.h>

#include "runtime/locks.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

#define MUTEX(mutex)         ((pthread_mutex_t *)(void *)(mutex))
#define CONDITION(condition) ((pthread_cond_t *)(void *)(condition))

static int status_of(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    default:
        return thrd_error;
    }
}

/* The start function returns int; the thread's result carries it. */
EXPORT int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    UNLESS_ON(thrd_create(thread, function, argument));
    return status_of(
        pthread_create(thread, NULL, (void *(*)(void *))(uintptr_t)function, argument));
}

EXPORT int thrd_join(thrd_t thread, int *result)
{
    UNLESS_ON(thrd_join(thread, result));
    void *value = NULL;
    int error = pthread_join(thread, &value);
    if (result)
        *result = (int)(intptr_t)value;
    return status_of(error);
}

EXPORT int thrd_detach(thrd_t thread)
{
    UNLESS_ON(thrd_detach(thread));
    return status_of(pthread_detach(thread));
}

EXPORT void thrd_exit(int result)
{
    pthread_exit((void *)(intptr_t)result);
}

EXPORT int mtx_init(mtx_t *mutex, int type)
{
    UNLESS_ON(mtx_init(mutex, type));
    access_write((uint64_t)(uintptr_t)mutex, sizeof *mutex, CALLER);
    struct op op = op_make(OP_MUTEX_INIT, OP_WRITES, mutex, CALLER);
    schedule_point(&op);
    int status = real.mtx_init(mutex, type);
    schedule_done(&op);
    return status;
}

EXPORT void mtx_destroy(mtx_t *mutex)
{
    if (rt.on)
        pthread_mutex_destroy(MUTEX(mutex));
}

EXPORT int mtx_lock(mtx_t *mutex)
{
    UNLESS_ON(mtx_lock(mutex));
    return status_of(mutex_lock(MUTEX(mutex), NEVER, CALLER));
}

int mtx_trylock_hook(mtx_t *mutex);
FIBER_STUB(mtx_trylock);
int mtx_trylock_hook(mtx_t *mutex)
{
    UNLESS_ON(mtx_trylock(mutex));
    return status_of(mutex_trylock(MUTEX(mutex), CALLER));
}

EXPORT int mtx_timedlock(mtx_t *mutex, const struct timespec *when)
{
    UNLESS_ON(mtx_timedlock(mutex, when));
    return status_of(mutex_lock(MUTEX(mutex), time_deadline(CLOCK_REALTIME, when), CALLER));
}

EXPORT int mtx_unlock(mtx_t *mutex)
{
    UNLESS_ON(mtx_unlock(mutex));
    return status_of(mutex_unlock(MUTEX(mutex), CALLER));
}

EXPORT int cnd_init(cnd_t *condition)
{
    UNLESS_ON(cnd_init(condition));
    return status_of(condition_init(CONDITION(condition), NULL, CALLER));
}

EXPORT void cnd_destroy(cnd_t *condition)
{
    if (rt.on)
        condition_destroy(CONDITION(condition), CALLER);
}

EXPORT int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    UNLESS_ON(cnd_wait(condition, mutex));
    return status_of(condition_wait(CONDITION(condition), MUTEX(mutex), NEVER, CALLER));
}

EXPORT int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *when)
{
    UNLESS_ON(cnd_timedwait(condition, mutex, when));
    return status_of(condition_wait(CONDITION(condition), MUTEX(mutex),
                                    time_deadline(CLOCK_REALTIME, when), CALLER));
}

EXPORT int cnd_signal(cnd_t *condition)
{
    UNLESS_ON(cnd_signal(condition));
    return status_of(condition_signal(CONDITION(condition), CALLER));
}

EXPORT int cnd_broadcast(cnd_t *condition)
{
    UNLESS_ON(cnd_broadcast(condition));
    return status_of(condition_broadcast(CONDITION(condition), CALLER));
}

EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
    UNLESS_ON(call_once(flag, routine));
    once_call((int *)(void *)flag, routine, CALLER);
}
