/* C++: guards of function-local statics (Itanium ABI 3.3.3), and std::terminate.
 *
 * libstdc++ implements the guards with atomics and futexes of its own, which are not
 * instrumented: the race detector would miss that the initialisation happens before every use.
 * A guard's first byte is 1 once the object is initialised (compilers test it inline); the
 * second byte is ours: initialisation is running. */
#include "runtime/race.h"
#include "runtime/real.h"
#include "runtime/runtime.h"

#define ADDRESS(p) ((uint64_t)(uintptr_t)(p))

EXPORT int __cxa_guard_acquire(uint64_t *guard);
EXPORT void __cxa_guard_release(uint64_t *guard);
EXPORT void __cxa_guard_abort(uint64_t *guard);
EXPORT void _ZSt9terminatev(void);

enum { INITIALISED = 0, RUNNING = 1 };

static uint8_t *byte_of(uint64_t *guard, int index)
{
    return (uint8_t *)guard + index;
}

static bool guard_ready(struct thread *self)
{
    return *byte_of(self->wait_object, RUNNING) == 0;
}

/* Compilers read the first byte as an atomic: it names the object. */
static struct op guard_op(int kind, int flags, uint64_t *guard, uint64_t pc)
{
    struct op op = op_make(kind, flags, NULL, pc);
    op.nobjects = 1;
    op.object[0] = access_atomic_object(ADDRESS(guard), 1, true, pc);
    return op;
}

int __cxa_guard_acquire(uint64_t *guard)
{
    UNLESS_ON(__cxa_guard_acquire(guard));
    struct op op = guard_op(OP_ONCE_BEGIN, OP_READS | OP_WRITES | OP_MAY_BLOCK, guard, CALLER);
    rt.self->wait_object = guard;
    schedule_point_blocking(&op, guard_ready);
    bool first = *byte_of(guard, INITIALISED) == 0;
    if (first)
        *byte_of(guard, RUNNING) = 1;
    else
        op.flags &= (uint16_t)~OP_WRITES;
    race_acquire(rt.current, ADDRESS(guard));
    schedule_done(&op);
    return first;
}

static void finish(uint64_t *guard, bool initialised, uint64_t pc)
{
    struct op op = guard_op(OP_ONCE_END, OP_WRITES | OP_MAY_RELEASE, guard, pc);
    schedule_point(&op);
    *byte_of(guard, RUNNING) = 0;
    *byte_of(guard, INITIALISED) = initialised;
    race_release(rt.current, ADDRESS(guard));
    race_atomic_store(rt.current, ADDRESS(guard), 1, __ATOMIC_RELEASE, pc);
    schedule_done(&op);
}

void __cxa_guard_release(uint64_t *guard)
{
    UNLESS_ON(__cxa_guard_release(guard));
    finish(guard, true, CALLER);
}

void __cxa_guard_abort(uint64_t *guard)
{
    UNLESS_ON(__cxa_guard_abort(guard));
    finish(guard, false, CALLER);
}

void _ZSt9terminatev(void)
{
    if (rt.on) {
        struct failure_details details = {.pc = CALLER};
        rt.on = false;
        const char *type = exception_in_flight();
        if (type)
            failure_raise(FAILURE_EXCEPTION, &details, "uncaught exception of type %s", type);
        failure_raise(FAILURE_EXCEPTION, &details, "std::terminate() called");
    }
    if (real.close == NULL)
        real_resolve();
    real._ZSt9terminatev();
    __builtin_unreachable();
}
