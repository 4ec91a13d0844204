/* C11 <threads.h>: thin wrappers around the POSIX operations, with C11's return values. glibc's
 * own versions call its internal functions, which no hook sees. mtx_t and cnd_t are glibc's
 * POSIX objects under another name. */
#include <errno.h>
#include <threads.h>

#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/deadline.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/hooks/threads/locks.h"

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

/* The start function returns int, which is stored in the thread's result. */
int thrd_create_hook(thrd_t *thread, thrd_start_t function, void *argument);
FIBER_STUB(thrd_create);
int thrd_create_hook(thrd_t *thread, thrd_start_t function, void *argument)
{
    UNLESS_ON(thrd_create(thread, function, argument));
    return status_of(
        thread_start(thread, NULL, (void *(*)(void *))(uintptr_t)function, argument, CALLER));
}

int thrd_join_hook(thrd_t thread, int *result);
FIBER_STUB(thrd_join);
int thrd_join_hook(thrd_t thread, int *result)
{
    UNLESS_ON(thrd_join(thread, result));
    void *value = NULL;
    int error = pthread_join(thread, &value);
    if (result) {
        caller_writes(result, sizeof *result, CALLER);
        *result = (int)(intptr_t)value;
    }
    return status_of(error);
}

int thrd_detach_hook(thrd_t thread);
FIBER_STUB(thrd_detach);
int thrd_detach_hook(thrd_t thread)
{
    UNLESS_ON(thrd_detach(thread));
    return status_of(pthread_detach(thread));
}

EXPORT void thrd_exit(int result)
{
    pthread_exit((void *)(intptr_t)result);
}

int mtx_init_hook(mtx_t *mutex, int type);
FIBER_STUB(mtx_init);
int mtx_init_hook(mtx_t *mutex, int type)
{
    UNLESS_ON(mtx_init(mutex, type));
    access_write((uint64_t)(uintptr_t)mutex, sizeof *mutex, CALLER);
    struct op op = op_make(OP_MUTEX_INIT, OP_WRITES, mutex, CALLER);
    schedule_point(&op);
    int status = real.mtx_init(mutex, type);
    schedule_done(&op);
    return status;
}

void mtx_destroy_hook(mtx_t *mutex);
FIBER_STUB(mtx_destroy);
void mtx_destroy_hook(mtx_t *mutex)
{
    if (under_control())
        pthread_mutex_destroy(MUTEX(mutex));
}

int mtx_lock_hook(mtx_t *mutex);
FIBER_STUB(mtx_lock);
int mtx_lock_hook(mtx_t *mutex)
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

int mtx_timedlock_hook(mtx_t *mutex, const struct timespec *when);
FIBER_STUB(mtx_timedlock);
int mtx_timedlock_hook(mtx_t *mutex, const struct timespec *when)
{
    UNLESS_ON(mtx_timedlock(mutex, when));
    return status_of(
        mutex_lock(MUTEX(mutex), time_deadline(CLOCK_REALTIME, when, CALLER), CALLER));
}

int mtx_unlock_hook(mtx_t *mutex);
FIBER_STUB(mtx_unlock);
int mtx_unlock_hook(mtx_t *mutex)
{
    UNLESS_ON(mtx_unlock(mutex));
    return status_of(mutex_unlock(MUTEX(mutex), CALLER));
}

int cnd_init_hook(cnd_t *condition);
FIBER_STUB(cnd_init);
int cnd_init_hook(cnd_t *condition)
{
    UNLESS_ON(cnd_init(condition));
    return status_of(condition_init(CONDITION(condition), NULL, CALLER));
}

void cnd_destroy_hook(cnd_t *condition);
FIBER_STUB(cnd_destroy);
void cnd_destroy_hook(cnd_t *condition)
{
    if (under_control())
        condition_destroy(CONDITION(condition), CALLER);
}

int cnd_wait_hook(cnd_t *condition, mtx_t *mutex);
FIBER_STUB(cnd_wait);
int cnd_wait_hook(cnd_t *condition, mtx_t *mutex)
{
    UNLESS_ON(cnd_wait(condition, mutex));
    return status_of(condition_wait(CONDITION(condition), MUTEX(mutex), NEVER, CALLER));
}

int cnd_timedwait_hook(cnd_t *condition, mtx_t *mutex, const struct timespec *when);
FIBER_STUB(cnd_timedwait);
int cnd_timedwait_hook(cnd_t *condition, mtx_t *mutex, const struct timespec *when)
{
    UNLESS_ON(cnd_timedwait(condition, mutex, when));
    return status_of(condition_wait(CONDITION(condition), MUTEX(mutex),
                                    time_deadline(CLOCK_REALTIME, when, CALLER), CALLER));
}

int cnd_signal_hook(cnd_t *condition);
FIBER_STUB(cnd_signal);
int cnd_signal_hook(cnd_t *condition)
{
    UNLESS_ON(cnd_signal(condition));
    return status_of(condition_signal(CONDITION(condition), CALLER));
}

int cnd_broadcast_hook(cnd_t *condition);
FIBER_STUB(cnd_broadcast);
int cnd_broadcast_hook(cnd_t *condition)
{
    UNLESS_ON(cnd_broadcast(condition));
    return status_of(condition_broadcast(CONDITION(condition), CALLER));
}

void call_once_hook(once_flag *flag, void (*routine)(void));
FIBER_STUB(call_once);
void call_once_hook(once_flag *flag, void (*routine)(void))
{
    UNLESS_ON(call_once(flag, routine));
    once_call((int *)(void *)flag, routine, CALLER);
}
