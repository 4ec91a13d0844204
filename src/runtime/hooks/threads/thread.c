/* Threads: create, join, detach, exit, names, and destructors of thread-local storage (POSIX
 * pthread_create(3p) and its neighbours). */
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "runtime/access/caller.h"
#include "runtime/access/returned_frames.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/core/symmetry.h"
#include "runtime/core/threads.h"
#include "runtime/evidence/record.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/deadline.h"
#include "runtime/hooks/threads/keys.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/hooks/threads/locks.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/snapshot.h"
#include "runtime/memory/stacks.h"
#include "runtime/race/race.h"
#include "runtime/waiting/clock.h"
#include "runtime/waiting/spin.h"

#define STACK_GUARD (UINT64_C(64) << 10)

/* --- The life of a thread --- */

/* pthread_exit unwinds the stack with libc's own code, which stops at the innermost registered
 * buffer: ours, in the bottom frame. (The compiler's pthread_cleanup_push uses the same two
 * functions.) */
bool thread_call(int (*function)(void *), void *argument, int *result)
{
    __pthread_unwind_buf_t buffer;
    if (__sigsetjmp_cancel(buffer.__cancel_jmp_buf, 0) != 0)
        return false;
    __pthread_register_cancel(&buffer);
    rt.self->routine_end = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    *result = function(argument);
    if (UNLIKELY(rt.looking_ahead)) /* a trial ends with the thread's function */
        calls_up.look_ahead_at_end(*result);
    return true;
}

/* Has the awaited thread ended? Main counts as ended while it waits for the others. */
static bool awaited_has_ended(struct thread *self)
{
    return rt.thread[self->wait.detail].life.ended;
}

/* Main waits for the end of a thread. Other threads may join that thread before or after. */
static void await_end(int slot)
{
    struct op op = op_make(OP_JOIN, OP_READS | OP_MAY_BLOCK, NULL, 0);
    op.nobjects = 1;
    op.object[0] = OBJECT_END(slot);
    rt.self->wait.detail = (uint64_t)slot;
    rt.self->time.deadline = NEVER;
    schedule_point_blocking(&op, awaited_has_ended);
    /* The process ends after its threads, so exit handlers come after everything they did. */
    race_thread_join(0, slot);
    schedule_done(&op);
}

/* pthread_exit(3p): the process exits with status 0 after the last thread has ended. Here the
 * main thread always does this. If the last thread to end did it, equivalent orders of the
 * threads' ends would behave differently.
 *
 * Main waits for one thread after another, so that each wait depends only on the end of that
 * thread. The order must follow from what main knows: its own children, and the children of a
 * thread that has ended and can't create more. */
static void exit_after_all(void)
{
    int awaited[THREADS_MAX];
    uint32_t n = 1;
    awaited[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct thread *parent = &rt.thread[awaited[i]];
        if (i > 0)
            await_end(awaited[i]);
        for (uint32_t child = 0; child < parent->life.children; child++)
            awaited[n++] = thread_slot_of_child(parent->slot, child);
    }
    start_program_exit(0, 0);
}

void thread_end(void)
{
    struct thread *self = rt.self;
    thread_local_destructors();
    keys_run_destructors();
    struct op op = op_make(OP_THREAD_EXIT, OP_WRITES | OP_MAY_RELEASE, NULL, 0);
    op.nobjects = 1;
    op.object[0] = OBJECT_THREAD(self->slot);
    if (UNLIKELY(self->nlocks > 0))
        mutexes_end_with_thread(&op);
    op_add_object(&op, OBJECT_END(self->slot));
    schedule_point(&op);
    if (UNLIKELY(self->nlocks > 0))
        mutexes_leave_behind();
    frames_thread_ends(self);
    self->life.ended = true;
    race_release(self->slot, OBJECT_THREAD(self->slot));
    schedule_done(&op);
    if (self->slot == 0)
        exit_after_all();
    schedule_leave();
}

static int call_routine(void *argument)
{
    struct thread *self = argument;
    void *result = self->life.routine(self->life.argument);
    if (!self->life.exit_by_call)
        self->life.result = result;
    return 0;
}

static void thread_fiber(void *argument)
{
    struct thread *self = argument;
    int unused;
    if (UNLIKELY(rt.symmetric))
        symmetry_start(self);
    schedule_done(&rt.pending[self->slot]); /* START was picked */
    self->life.exit_by_call = false;
    signals_thread_started();
    thread_call(call_routine, self, &unused);
    thread_end();
}

static void inherit_from_parent(struct thread *child, const struct thread *parent)
{
    child->life.parent = parent->slot;
    child->life.number = parent->life.children - 1;
    child->time.now = parent->time.now;
    child->random = parent->random;
    child->signals.mask = parent->signals.mask; /* pthread_create(3p) */
}

static void apply_attributes(struct thread *child, const pthread_attr_t *attributes,
                             uint64_t pc)
{
    int detach_state = PTHREAD_CREATE_JOINABLE;
    size_t stack_size = 0;
    if (attributes) {
        pthread_attr_getdetachstate(attributes, &detach_state);
        pthread_attr_getstacksize(attributes, &stack_size);
    }
    if (stack_size > STACK_SLOT - STACK_GUARD)
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                      "a thread asks for a stack of more than 63 MiB");
    thread_give_stack(child, stack_size);
    child->life.detached = detach_state == PTHREAD_CREATE_DETACHED;
}

int thread_start(pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *),
                 void *argument, uint64_t pc)
{
    struct thread *parent = rt.self;
    if (rt.used == 1)
        calls_up.offer_checkpoint();
    /* The slot is chosen before the operation, because the search sees it. */
    int slot = thread_slot_of_child(parent->slot, parent->life.children);
    if (slot < 0)
        failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                      "the program starts more than %d threads", THREADS_MAX - 1);
    caller_writes(handle, sizeof *handle, pc); /* before the new thread starts */
    if (attributes)
        caller_reads(attributes, sizeof *attributes, pc);
    struct op op = op_make(OP_CREATE, OP_WRITES | OP_MAY_RELEASE, NULL, pc);
    op.nobjects = 1;
    op.object[0] = OBJECT_THREAD(slot);
    rt.board->started_threads = 1;
    time_fix_date();
    schedule_point(&op);
    parent->life.children++;
    struct thread *child = &rt.thread[slot];
    thread_reset(child, slot);
    inherit_from_parent(child, parent);
    child->life.routine = routine;
    child->life.argument = argument;
    if (!donors_lend(child))
        rt_starved(
            "the kernel refuses to create another thread (ulimit -u, a container's limit)");
    frames_thread_begins(child);
    apply_attributes(child, attributes, pc);
    child->state = THREAD_RUNNABLE;
    fiber_prepare(&child->fiber, thread_fiber, child);
    race_thread_create(parent->slot, slot);
    rt.pending[slot] = op_make(OP_START, OP_READS, NULL, (uint64_t)(uintptr_t)routine);
    rt.pending[slot].nobjects = 1;
    rt.pending[slot].object[0] = OBJECT_THREAD(slot);
    if (rt.used <= (uint32_t)slot)
        rt.used = (uint32_t)slot + 1;
    rt.pos.nthreads = (int)rt.used;
    threadset_add(&rt.pos.enabled, slot);
    if (UNLIKELY(rt.symmetric))
        symmetry_created(parent, child);
    rt.alive++;
    rt.board->thread[slot].start_routine = (uint64_t)(uintptr_t)routine;
    snapshot_touch(handle, sizeof *handle);
    *handle = child->life.handle;
    if (UNLIKELY(rt.recording))
        record_facts.other = slot;
    schedule_done(&op);
    return 0;
}

int pthread_create_hook(pthread_t *handle, const pthread_attr_t *attributes,
                        void *(*routine)(void *), void *argument);
FIBER_STUB(pthread_create);
int pthread_create_hook(pthread_t *handle, const pthread_attr_t *attributes,
                        void *(*routine)(void *), void *argument)
{
    if (!under_control() && rt.controlled && !rt.self && !rt.search)
        failure_before_main("a thread was started before main");
    UNLESS_ON(pthread_create(handle, attributes, routine, argument));
    return thread_start(handle, attributes, routine, argument, CALLER);
}

static bool target_finished(struct thread *self)
{
    return self->time.timed_out || awaited_has_ended(self) || thread_is_cancelled(self);
}

/* pthread_join(3p): joining a detached or already joined thread is undefined, so it is
 * misuse. */
static void check_joinable(const struct thread *thread, uint64_t pc)
{
    struct failure_details details = {.pc = pc};
    if (thread->life.detached)
        failure_raise(FAILURE_MISUSE, &details, "pthread_join of a detached thread");
    if (thread->life.joined)
        failure_raise(FAILURE_MISUSE, &details,
                      "pthread_join of a thread that was joined before");
}

/* The operation was picked, and the thread has ended. Another thread may have joined or
 * detached it since the operation became pending. */
static int finish_join(struct thread *thread, struct op *op, void **result)
{
    struct thread *self = rt.self;
    check_joinable(thread, op->pc);
    thread->life.joined = true;
    thread->life.joiner = self->slot;
    if (self->time.now < thread->time.now)
        self->time.now = thread->time.now;
    race_thread_join(self->slot, thread->slot);
    if (result)
        *result = thread->life.result;
    schedule_done(op);
    if (result)
        caller_writes(result, sizeof *result, op->pc);
    return 0;
}

static struct thread *find_joinable(pthread_t handle, uint64_t pc)
{
    int target = thread_of_handle(handle);
    if (target < 0)
        failure_raise(FAILURE_MISUSE, &(struct failure_details){.pc = pc},
                      "pthread_join of a thread that does not exist");
    check_joinable(&rt.thread[target], pc);
    return &rt.thread[target];
}

static int join_thread(pthread_t handle, void **result, uint64_t deadline, uint64_t pc)
{
    struct thread *self = rt.self, *thread = find_joinable(handle, pc);
    int target = thread->slot;
    if (target == self->slot)
        return EDEADLK;
    struct op op = op_make(OP_JOIN, OP_READS | OP_WRITES | OP_MAY_BLOCK, NULL, pc);
    op.nobjects = 1;
    op.object[0] = OBJECT_THREAD(target);
    self->wait.detail = (uint64_t)target;
    self->time.deadline = deadline;
    if (deadline != NEVER)
        op.flags |= OP_TIMED;
    schedule_point_blocking(&op, target_finished);
    if (UNLIKELY(rt.recording))
        record_facts.other = target;
    cancel_if_asked(&op);
    if (schedule_timed_out()) {
        op.flags |= OP_TIMED_OUT;
        schedule_done(&op);
        return ETIMEDOUT;
    }
    return finish_join(thread, &op, result);
}

int pthread_join_hook(pthread_t handle, void **result);
FIBER_STUB(pthread_join);
int pthread_join_hook(pthread_t handle, void **result)
{
    UNLESS_ON(pthread_join(handle, result));
    return join_thread(handle, result, NEVER, CALLER);
}

int pthread_timedjoin_np_hook(pthread_t handle, void **result, const struct timespec *when);
FIBER_STUB(pthread_timedjoin_np);
int pthread_timedjoin_np_hook(pthread_t handle, void **result, const struct timespec *when)
{
    UNLESS_ON(pthread_timedjoin_np(handle, result, when));
    return join_thread(handle, result, time_deadline(CLOCK_REALTIME, when, CALLER), CALLER);
}

int pthread_clockjoin_np_hook(pthread_t handle, void **result, clockid_t clock,
                              const struct timespec *when);
FIBER_STUB(pthread_clockjoin_np);
int pthread_clockjoin_np_hook(pthread_t handle, void **result, clockid_t clock,
                              const struct timespec *when)
{
    UNLESS_ON(pthread_clockjoin_np(handle, result, clock, when));
    return join_thread(handle, result, time_deadline(clock, when, CALLER), CALLER);
}

/* pthread_tryjoin_np(3): "performs a nonblocking join". */
int pthread_tryjoin_np_hook(pthread_t handle, void **result);
FIBER_STUB(pthread_tryjoin_np);
int pthread_tryjoin_np_hook(pthread_t handle, void **result)
{
    UNLESS_ON(pthread_tryjoin_np(handle, result));
    if (thread_of_handle(handle) < 0)
        return ESRCH;
    struct thread *thread = find_joinable(handle, CALLER);
    struct op op = op_make(OP_JOIN, OP_READS | OP_WRITES, NULL, CALLER);
    op.nobjects = 1;
    op.object[0] = OBJECT_THREAD(thread->slot);
    spin_point(&op, 0, op.pc);
    if (thread->life.ended)
        return finish_join(thread, &op, result);
    op.flags = OP_READS | OP_FAILED;
    spin_note_read(op.pc, (uint64_t)(uintptr_t)&thread->life.ended, op.object[0],
                   thread->life.ended, sizeof thread->life.ended);
    schedule_done(&op);
    return EBUSY;
}

static int detach_thread(pthread_t handle, uint64_t pc)
{
    int target = thread_of_handle(handle);
    struct failure_details details = {.pc = pc};
    if (target < 0)
        failure_raise(FAILURE_MISUSE, &details,
                      "pthread_detach of a thread that does not exist");
    /* As a read it commutes with the thread's start. It also commutes with a join or another
     * detach, but with these it is misuse in either order. */
    struct op op = op_make(OP_DETACH, OP_READS, NULL, pc);
    op.nobjects = 1;
    op.object[0] = OBJECT_THREAD(target);
    schedule_point(&op);
    if (rt.thread[target].life.detached || rt.thread[target].life.joined)
        failure_raise(FAILURE_MISUSE, &details, "pthread_detach of a thread that is %s",
                      rt.thread[target].life.detached ? "already detached" : "already joined");
    rt.thread[target].life.detached = true;
    schedule_done(&op);
    return 0;
}

int pthread_detach_hook(pthread_t handle);
FIBER_STUB(pthread_detach);
int pthread_detach_hook(pthread_t handle)
{
    UNLESS_ON(pthread_detach(handle));
    return detach_thread(handle, CALLER);
}

EXPORT void pthread_exit(void *result)
{
    if (under_control()) {
        rt.self->life.result = result;
        rt.self->life.exit_by_call = true;
    } else if (!real.close) {
        real_resolve();
    }
    real.pthread_exit(result);
    __builtin_unreachable();
}

/* A thread's name and processors are set by the thread itself or by its creator, and hardly
 * ever read. So setting them is not an operation until the search has seen one thread read what
 * another sets. */
void thread_setting_changes(int target, uint64_t pc)
{
    struct thread *thread = &rt.thread[target];
    if (target != rt.current && thread->life.asked_own_setting)
        shared_look_other(SHARED_SETTINGS, pc);
    thread->life.set_by_other |= target != rt.current;
    shared_change_own(SHARED_SETTINGS, pc);
}

void thread_setting_asked(int target, uint64_t pc)
{
    struct thread *self = rt.self;
    if (target != self->slot || self->life.set_by_other) {
        shared_look_other(SHARED_SETTINGS, pc);
    } else {
        self->life.asked_own_setting = true;
        shared_look_state(SHARED_SETTINGS, pc);
    }
}

EXPORT int pthread_setname_np(pthread_t handle, const char *name)
{
    UNLESS_ON(pthread_setname_np(handle, name));
    int target = thread_of_handle(handle);
    if (target < 0)
        return ESRCH;
    size_t i = 0;
    for (; name[i] && i < sizeof rt.thread[0].life.name; i++) {
    }
    if (i >= sizeof rt.thread[0].life.name)
        return ERANGE;
    caller_reads(name, i + 1, CALLER);
    thread_setting_changes(target, CALLER);
    __builtin_memcpy(rt.thread[target].life.name, name, i + 1);
    return 0;
}

EXPORT int pthread_getname_np(pthread_t handle, char *name, size_t size)
{
    UNLESS_ON(pthread_getname_np(handle, name, size));
    int target = thread_of_handle(handle);
    if (target < 0)
        return ESRCH;
    thread_setting_asked(target, CALLER);
    size_t length = __builtin_strlen(rt.thread[target].life.name) + 1;
    if (size < length)
        return ERANGE;
    caller_writes(name, length, CALLER);
    __builtin_memcpy(name, rt.thread[target].life.name, length);
    return 0;
}

/* --- C++ thread_local destructors --- */

struct exit_function {
    void (*function)(void *);
    void *object;
    struct exit_function *next;
};

EXPORT int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module);
int __cxa_thread_atexit_impl(void (*function)(void *), void *object, void *module)
{
    UNLESS_ON(__cxa_thread_atexit_impl(function, object, module));
    struct exit_function *entry = heap_alloc(rt.current, sizeof *entry, 0, false, CALLER);
    entry->function = function;
    entry->object = object;
    entry->next = rt.self->life.exit_functions;
    rt.self->life.exit_functions = entry;
    return 0;
}

void thread_local_destructors(void)
{
    struct exit_function *entry;
    while ((entry = rt.self->life.exit_functions)) {
        rt.self->life.exit_functions = entry->next;
        void (*function)(void *) = entry->function;
        void *object = entry->object;
        heap_free(rt.current, entry, 0);
        function(object);
    }
}

/* --- The unwinder --- */

static void *exit_at_once(void *unused)
{
    real.pthread_exit(unused);
    return NULL;
}

/* libc loads libgcc_s at the first pthread_exit. That must not happen during an execution: each
 * restore would undo it, and the next execution would load it again. */
void unwinder_warm_up(void)
{
    pthread_t thread;
    if (real.pthread_create(&thread, NULL, exit_at_once, NULL) == 0)
        real.pthread_join(thread, NULL);
}

/* --- Where a thread's stack is --- */

/* libc would return the donor's stack. */
EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t *attributes)
{
    UNLESS_ON(pthread_getattr_np(handle, attributes));
    int target = thread_of_handle(handle);
    if (target < 0)
        return ESRCH;
    const struct thread *thread = &rt.thread[target];
    caller_writes(attributes, sizeof *attributes, CALLER);
    rt.on = false;
    int error = real.pthread_getattr_np(handle, attributes);
    if (error == 0)
        error = real.pthread_attr_setstack(
            attributes, thread->fiber.stack,
            (size_t)((const char *)thread->fiber.base - thread->fiber.stack));
    if (error == 0)
        error = pthread_attr_setdetachstate(attributes, thread->life.detached
                                                            ? PTHREAD_CREATE_DETACHED
                                                            : PTHREAD_CREATE_JOINABLE);
    rt.on = true;
    return error;
}

EXPORT int pthread_attr_setstack(pthread_attr_t *attributes, void *address, size_t size)
{
    UNLESS_ON(pthread_attr_setstack(attributes, address, size));
    raise_reason(REASON_OWN_STACKS, NULL);
    caller_writes(attributes, sizeof *attributes, CALLER);
    return real.pthread_attr_setstack(attributes, address, size);
}
