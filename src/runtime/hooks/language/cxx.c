/* C++: guards of function-local statics (Itanium ABI 3.3.3), and std::terminate.
 *
 * libstdc++ implements the guards with its own atomics and futexes, which are not instrumented:
 * the race detector would miss that the initialisation happens before every use. A guard's
 * first byte is 1 once the object is initialised (compilers test it inline). Mazur uses the
 * second byte: 1 while the initialisation is running. */
#include <dlfcn.h>

#include "base/hash.h"
#include "runtime/access/access.h"
#include "runtime/access/caller.h"
#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/language/language.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/race/race.h"

EXPORT int __cxa_guard_acquire(uint64_t *guard);
EXPORT void __cxa_guard_release(uint64_t *guard);
EXPORT void __cxa_guard_abort(uint64_t *guard);
EXPORT void _ZSt9terminatev(void);

/* The mangled type of the exception in flight; NULL: there is none. (After std::terminate there
 * is one, unless the program called it directly.) libstdc++ knows; a C program does not have
 * libstdc++. */
static const char *exception_in_flight(void)
{
    typedef void *current_type(void);
    current_type *current =
        (current_type *)(uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
    void **type = current ? current() : NULL;
    return type ? (const char *)type[1] : NULL; /* std::type_info: vtable, then the name */
}

enum { INITIALISED = 0, RUNNING = 1 };

static uint8_t *byte_of(uint64_t *guard, int index)
{
    return (uint8_t *)guard + index;
}

static bool guard_ready(struct thread *self)
{
    return *byte_of(self->wait.object, RUNNING) == 0;
}

/* The object is the first byte, because compiled code reads it as an atomic. */
static struct op guard_op(int kind, int flags, uint64_t *guard, uint64_t pc)
{
    struct op op = op_make(kind, flags, NULL, pc);
    op.nobjects = 1;
    op.object[0] = access_atomic_object(ADDRESS(guard), 1, true, pc);
    return op;
}

/* Does the C++ library initialise a variable of its own, such as the locks behind atomic
 * operations on shared_ptr? Mazur does not see its code test the guard, and the code does not
 * call this function once the guard is set. So whether a thread made an operation here would
 * depend on something that Mazur does not see. Which thread initialises the variable makes no
 * difference, so this is not an operation, unless a thread has to wait for it. */
static bool is_library_guard(uint64_t pc)
{
    return !module_instrumented(pc) && caller_counts(pc);
}

static bool is_awaited(const uint64_t *guard)
{
    for (int t = threadset_next(&rt.blocking, 0); t >= 0;
         t = threadset_next(&rt.blocking, t + 1))
        if (rt.thread[t].wait.ready == guard_ready && rt.thread[t].wait.object == guard)
            return true;
    return false;
}

int __cxa_guard_acquire(uint64_t *guard)
{
    UNLESS_ON(__cxa_guard_acquire(guard));
    if (is_library_guard(CALLER) && *byte_of(guard, RUNNING) == 0)
        return *byte_of(guard, RUNNING) = *byte_of(guard, INITIALISED) == 0;
    struct op op = guard_op(OP_ONCE_BEGIN, OP_READS | OP_WRITES | OP_MAY_BLOCK, guard, CALLER);
    rt.self->wait.object = guard;
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

static void finish_guard(uint64_t *guard, bool initialised, uint64_t pc)
{
    if (is_library_guard(pc) && !is_awaited(guard)) {
        *byte_of(guard, RUNNING) = 0;
        *byte_of(guard, INITIALISED) = initialised;
        return;
    }
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
    finish_guard(guard, true, CALLER);
}

void __cxa_guard_abort(uint64_t *guard)
{
    UNLESS_ON(__cxa_guard_abort(guard));
    finish_guard(guard, false, CALLER);
}

/* --- Exceptions that several threads hold, by std::exception_ptr ---
 *
 * The last holder to release the exception destroys the object; libstdc++ counts holders with
 * its own atomics. So each holder releases here (in the race detector's sense) what it did to
 * the object, and only the last one acquires it: the others must not be ordered by a count that
 * is not an operation.
 *
 * If nothing else orders the holders, the schedule decides which is the last. When that is
 * seen, the search learns that releasing is an operation on the exception, and starts over. */

enum { HOLDERS_COUNT = 128 }; /* distance from libstdc++'s count to the object */

#define HELD 64 /* exceptions that are tracked, a power of two */

static struct {
    uint32_t execution;
    bool is_operation;
    struct {
        uint32_t execution;
        uint32_t epoch; /* of the last release, as in race.h */
        uint64_t object;
    } last[HELD];
} holders;

void holders_begin(void)
{
    holders.execution++;
    holders.is_operation = lessons_have(&rt.board->lessons, LESSON_HOLDERS);
}

/* Has another thread released it, unordered with this release? If another exception has taken
 * its place in the table, the answer is yes, to be safe. */
static bool is_unordered(uint64_t object)
{
    uint32_t i = hash_slot(object, 6) % HELD;
    const uint32_t *row = RACE_HOT->clock[rt.current];
    bool taken = holders.last[i].execution == holders.execution;
    bool known = taken && holders.last[i].object == object;
    uint32_t epoch = known ? holders.last[i].epoch : 0;
    holders.last[i].execution = holders.execution;
    holders.last[i].object = object;
    holders.last[i].epoch = row[rt.current];
    return known ? row[epoch & ((1u << RACE_TID_BITS) - 1)] < epoch : taken;
}

static void let_go(const void *object, uint64_t pc)
{
    if (!object)
        return;
    if (!holders.is_operation && is_unordered(ADDRESS(object)))
        shared_learn(LESSON_HOLDERS, 0);
    if (holders.is_operation && rt.used > 1) {
        struct op op = op_make(OP_RMW, OP_READS | OP_WRITES, NULL, pc);
        op.object[op.nobjects++] = OBJECT_HOLDERS(ADDRESS(object));
        schedule_visible(&op);
    }
    race_release(rt.current, OBJECT_HOLDERS(ADDRESS(object)));
    if (*(const int *)((const char *)object - HOLDERS_COUNT) == 1)
        race_acquire(rt.current, OBJECT_HOLDERS(ADDRESS(object)));
}

/* The first word of an exception that std::rethrow_exception threw points to the original one;
 * any other exception is followed by its object (Itanium ABI 2.2.1, libstdc++'s layout). */
static const void *caught_object(void)
{
    enum { HEADER = 112, CLASS = HEADER - 32 };
    const uint64_t thrown = UINT64_C(0x474e5543432b2b00), thrown_again = thrown + 1;
    static const char *const *(*globals)(void);
    if (!globals)
        globals =
            (const char *const *(*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_get_globals");
    const char *header = *globals();
    uint64_t class = header ? *(const uint64_t *)(header + CLASS) : 0;
    if (class == thrown_again)
        return *(const void *const *)header;
    return class == thrown ? header + HEADER : NULL;
}

FORWARD(void, __cxa_end_catch, (void), (), let_go(caught_object(), CALLER))
FORWARD(void, _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv, (const void **pointer),
        (pointer), let_go(*pointer, CALLER))

/* What the exception says about itself, if it is a std::exception: the failure's detail. A
 * type_info knows whether a handler of its type catches an object of another type, and which
 * part of the object that is: its fifth virtual function in libstdc++. The third one of a
 * std::exception is what(). */
static void note_what(void)
{
    typedef void *current_type(void);
    typedef bool catcher(const void *self, const void *type, void **object, unsigned outer);
    typedef const char *teller(const void *self);
    enum { DO_CATCH = 4, WHAT = 2 };
    current_type *current =
        (current_type *)(uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_current_exception_type");
    const void *wanted = dlsym(RTLD_DEFAULT, "_ZTISt9exception");
    const void *thrown = current ? current() : NULL;
    void *object = (void *)(uintptr_t)caught_object();
    if (!wanted || !thrown || !object)
        return;
    const uintptr_t *virtual = *(const uintptr_t *const *)wanted;
    if (!((catcher *)virtual[DO_CATCH])(wanted, thrown, &object, 1))
        return;
    virtual = *(const uintptr_t *const *)object;
    const char *text = ((teller *)virtual[WHAT])(object);
    char *detail = failure_current()->detail;
    for (size_t i = 0; text && text[i] && i + 1 < BOARD_TEXT; i++)
        detail[i] = text[i]; /* the rest is zero */
}

void raise_exception_in_flight(const struct failure_details *details)
{
    rt.on = false;
    const char *type = exception_in_flight();
    if (!type)
        return;
    failure_note(FAILURE_EXCEPTION, details, "uncaught exception of type %s", type);
    if (rt.recording)
        note_what();
    schedule_end(OUTCOME_FAILED);
}

void _ZSt9terminatev(void)
{
    if (under_control()) {
        struct failure_details details = {.pc = CALLER};
        raise_exception_in_flight(&details);
        failure_raise(FAILURE_EXCEPTION, &details, "std::terminate() called");
    }
    real_prepare();
    real._ZSt9terminatev();
    __builtin_unreachable();
}
