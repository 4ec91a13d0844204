/* Signals that the program sends to its own threads: dispositions, masks, pthread_kill, raise,
 * kill of itself, sigwait, sigsuspend (POSIX 2.4 Signal Concepts). None of these calls reaches
 * the kernel, for which all threads are one OS thread.
 *
 * Sending is an operation. If the receiving thread does not block the signal, delivery becomes
 * its next operation, before the pending one: the handler runs on the thread's stack, and then
 * the pending operation is announced again. A handler that runs while a call waits ends the
 * call with EINTR where POSIX says so.
 *
 * So the search does not try a handler between two operations of the interrupted thread, nor
 * later than the thread's next operation; if a handler ran, the result says so. Sending and
 * delivery are dependent on every operation (OP_GLOBAL), since few programs send many
 * signals. */
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "runtime/access/caller.h"
#include "runtime/arch/execution_state.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/core/shared_state.h"
#include "runtime/core/threads.h"
#include "runtime/evidence/record.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/signal_delivery.h"
#include "runtime/race/race.h"

#define BIT(number)    (UINT64_C(1) << ((number)-1))
#define SIGNALS        65
#define REALTIME_FIRST 32 /* the kernel's; libc keeps two of them for itself */

static struct {
    uint64_t known; /* which of the dispositions below the execution has changed */
    struct sigaction action[SIGNALS];
    uint64_t pending;            /* sent to the process while all threads blocked it */
    uint64_t timed;              /* the last one of this number was sent by a timer, */
    union sigval value[SIGNALS]; /* … with this */
} signals;
EXECUTION_STATE(signals);

void signals_begin(void)
{
    signals.known = 0;
    signals.pending = 0;
    signals.timed = 0;
}

static bool is_valid(int number)
{
    return number > 0 && number < SIGNALS;
}

/* Only libc's functions may look into a set. On Linux its first 64 bits are the signals. */
static uint64_t bits_of(const sigset_t *set)
{
    return *(const uint64_t *)set;
}

static struct sigaction *action_of(int number)
{
    struct sigaction *action = &signals.action[number];
    if (!(signals.known & BIT(number))) {
        bool ours = number == SIGSEGV || number == SIGBUS || number == SIGFPE ||
                    number == SIGILL || number == SIGURG || number == SIGPIPE;
        if (ours || real.sigaction(number, NULL, action) != 0)
            *action = (struct sigaction){.sa_handler = SIG_DFL};
        signals.known |= BIT(number);
    }
    return action;
}

static bool is_ignored(int number)
{
    void (*handler)(int) = action_of(number)->sa_handler;
    bool by_default =
        number == SIGCHLD || number == SIGURG || number == SIGWINCH || number == SIGCONT;
    return handler == SIG_IGN || (handler == SIG_DFL && by_default);
}

/* --- Delivery, in the context of the thread --- */

/* Where a handler may run: for sigprocmask(3p), raise(3p) and sigsuspend(3p) POSIX says exactly
 * where. A signal from another thread or a timer may arrive between any two instructions. */
enum arrival { ARRIVES_HERE, ARRIVES_ANYWHERE };

static bool stops_process(int number)
{
    return number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU;
}

static void run_handler(struct thread *self, int number, enum arrival arrival)
{
    struct sigaction *entry = action_of(number);
    if (entry->sa_flags & SA_RESETHAND)
        shared_change_state(SHARED_HANDLERS, 0);
    if (is_ignored(number))
        return;
    struct sigaction action = *entry;
    if (action.sa_handler == SIG_DFL && stops_process(number))
        failure_raise(
            FAILURE_INVALID, &(struct failure_details){.signal = number},
            "the program stops itself by signal %d (%s), and Mazur does not model how it "
            "would go on (SIGCONT)",
            number, sigabbrev_np(number));
    if (action.sa_handler == SIG_DFL)
        failure_raise(FAILURE_CRASH, &(struct failure_details){.signal = number},
                      "terminated by signal %d (%s)", number, sigabbrev_np(number));
    if (action.sa_flags & SA_RESETHAND)
        *entry = (struct sigaction){.sa_handler = SIG_DFL};
    if (arrival == ARRIVES_ANYWHERE)
        raise_reason(REASON_HANDLER_PLACES, NULL);
    uint64_t mask = self->signals.mask;
    self->signals.mask |= bits_of(&action.sa_mask);
    if (!(action.sa_flags & SA_NODEFER))
        self->signals.mask |= BIT(number);
    int saved = errno;
    if (action.sa_flags & SA_SIGINFO) {
        siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
        if (signals.timed & BIT(number)) {
            info.si_code = SI_TIMER;
            info.si_value = signals.value[number];
        }
        ucontext_t context = {0};
        action.sa_sigaction(number, &info, &context);
    } else {
        action.sa_handler(number);
    }
    errno = saved;
    self->signals.mask = mask;
    self->signals.handled = self->signals.handled_in_spin = true;
    if (!(action.sa_flags & SA_RESTART))
        self->signals.handled_without_restart = true;
}

static void deliver_unblocked(enum arrival arrival)
{
    struct thread *self = rt.self;
    for (;;) {
        uint64_t mine = self->signals.pending & ~self->signals.mask;
        uint64_t any = mine | (signals.pending & ~self->signals.mask);
        if (LIKELY(any == 0))
            return;
        int number = __builtin_ctzll(any) + 1;
        if (mine & BIT(number))
            self->signals.pending &= ~BIT(number);
        else
            signals.pending &= ~BIT(number);
        race_acquire(rt.current, OBJECT_SIGNALS(rt.current));
        race_acquire(rt.current, OBJECT_ALL_SIGNALS);
        race_acquire(rt.current, OBJECT_TIMERS);
        run_handler(self, number, arrival);
    }
}

/* The signal may have arrived just before the call began to wait; then the wait continues. If
 * the call did not have to wait when the signal was sent, this is the only possibility. It is
 * impossible if the call unblocks the signal only while it waits, or if a timer sent the signal
 * because all threads were waiting. */
static bool came_before_wait(struct thread *self)
{
    if (!self->signals.interruptible || self->signals.keeps_mask ||
        self->signals.interrupted_idle)
        return false;
    return !self->signals.interrupted_wait || schedule_choose(2) == 1;
}

/* The handler may wait itself, so restore what the interrupted operation waits for. */
void signals_deliver(void)
{
    struct thread *self = rt.self;
    bool interruptible = self->signals.interruptible;
    bool before = came_before_wait(self);
    bool (*ready)(struct thread *) = self->wait.ready;
    void *wait_object = self->wait.object;
    uint64_t wait_detail = self->wait.detail;
    uint64_t deadline = self->time.deadline;
    self->signals.interrupted = false;
    self->time.deadline = NEVER;
    struct op op = rt.pending[self->slot];
    schedule_done(&op);
    deliver_unblocked(self->signals.keeps_mask ? ARRIVES_HERE : ARRIVES_ANYWHERE);
    self->signals.interruptible = interruptible;
    if (before) {
        self->signals.handled = false;
        self->signals.handled_without_restart = false;
    }
    self->wait.ready = ready;
    self->wait.object = wait_object;
    self->wait.detail = wait_detail;
    self->time.deadline = deadline;
}

void signals_thread_started(void)
{
    if (UNLIKELY(rt.self->signals.pending & ~rt.self->signals.mask))
        deliver_unblocked(ARRIVES_HERE);
}

/* --- Sending --- */

static struct op signal_op(uint64_t pc)
{
    return op_make(OP_SIGNAL, OP_READS | OP_WRITES | OP_GLOBAL | OP_MAY_RELEASE, NULL, pc);
}

/* The thread's next operation is the delivery; a thread that has not started yet does it when
 * it starts. */
static void interrupt_thread(struct thread *thread)
{
    if (thread->signals.interrupted || thread->state == THREAD_FINISHED ||
        rt.pending[thread->slot].kind == OP_START)
        return;
    thread->signals.interrupted = true;
    thread->signals.interrupted_idle = false;
    thread->signals.interrupted_wait =
        threadset_has(&rt.blocking, thread->slot) && !thread->wait.ready(thread);
    uint64_t pc = rt.pending[thread->slot].pc;
    rt.pending[thread->slot] = signal_op(pc);
}

/* Linux queues real-time signals, whoever sends them: signal(7). The second one would be lost
 * here, and a thread that waits for both would wait for ever. */
static void refuse_queue(uint64_t pending, int number)
{
    if (UNLIKELY(number >= REALTIME_FIRST && pending & BIT(number)))
        failure_raise(FAILURE_INVALID, &(struct failure_details){.signal = number},
                      "real-time signal %d is sent while it is already pending, and Mazur does "
                      "not model queues of signals",
                      number);
}

static void send_to_thread(struct thread *thread, int number)
{
    bool blocked = thread->signals.mask & BIT(number);
    if (is_ignored(number) && !blocked)
        return;
    refuse_queue(thread->signals.pending, number);
    race_release(rt.current, OBJECT_SIGNALS(thread->slot));
    thread->signals.pending |= BIT(number);
    signals.timed &= ~BIT(number);
    if (!blocked && thread != rt.self)
        interrupt_thread(thread);
}

/* Any thread that does not block the signal may get it: signal(7). NULL: all block it. */
static struct thread *find_taker(int number)
{
    int candidates[THREADS_MAX];
    int n = 0;
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        bool alive = thread->state != THREAD_NONE && thread->state != THREAD_FINISHED;
        if (alive &&
            (!(thread->signals.mask & BIT(number)) || (thread->signals.awaited & BIT(number))))
            candidates[n++] = (int)t;
    }
    return n > 0 ? &rt.thread[candidates[schedule_choose(n)]] : NULL;
}

static void send_to_process(int number)
{
    struct thread *thread = find_taker(number);
    if (thread) {
        send_to_thread(thread, number);
        return;
    }
    refuse_queue(signals.pending, number);
    race_release(rt.current, OBJECT_ALL_SIGNALS);
    signals.pending |= BIT(number);
}

bool signals_would_kill(int number)
{
    return !is_valid(number) ||
           (action_of(number)->sa_handler == SIG_DFL && !is_ignored(number));
}

/* No thread sends this signal: it is ordered only after what preceded the setting of the timer
 * (OBJECT_TIMERS). The current thread may itself be waiting: time passes when no thread can
 * run. */
void signals_from_timer(int number, union sigval value, uint64_t when)
{
    struct thread *thread = find_taker(number);
    signals.value[number] = value;
    signals.timed |= BIT(number);
    if (!thread) {
        signals.pending |= BIT(number);
        return;
    }
    bool waits = threadset_has(&rt.blocking, thread->slot);
    if (thread->time.now < when)
        thread->time.now = when;
    thread->signals.pending |= BIT(number);
    if (thread->signals.mask & BIT(number) || is_ignored(number))
        return;
    if (thread != rt.self || waits) {
        interrupt_thread(thread);
        thread->signals.interrupted_idle = waits;
    } else {
        deliver_unblocked(ARRIVES_ANYWHERE);
    }
}

static void send_signal(struct thread *target, int number, uint64_t pc)
{
    struct op op = signal_op(pc);
    if (target != rt.self)
        schedule_leave_reductions();
    schedule_point(&op);
    if (target)
        thread_check_lifetime(target->slot, "pthread_kill", pc);
    if (UNLIKELY(rt.recording))
        record_facts.other = target ? target->slot : -1;
    if (target)
        send_to_thread(target, number);
    else
        send_to_process(number);
    schedule_done(&op);
    deliver_unblocked(ARRIVES_HERE); /* raise(3p) returns only after the handler has */
}

void signals_raise(int number)
{
    send_to_thread(rt.self, number);
    deliver_unblocked(ARRIVES_HERE);
}

/* pthread_kill(3p), signal 0: "error checking shall be performed but no signal shall actually
 * be sent". */
static void look_for_thread(int target, uint64_t pc)
{
    struct op op = op_make(OP_SIGNAL, OP_READS, NULL, pc);
    op.object[op.nobjects++] = OBJECT_THREAD(target);
    schedule_point(&op);
    thread_check_lifetime(target, "pthread_kill", pc);
    schedule_done(&op);
}

EXPORT int pthread_kill(pthread_t handle, int number)
{
    UNLESS_ON(pthread_kill(handle, number));
    int target = thread_of_handle(handle);
    if (target < 0)
        return ESRCH;
    if (number < 0 || number >= SIGNALS)
        return EINVAL;
    if (number != 0)
        send_signal(&rt.thread[target], number, CALLER);
    else if (target != rt.current)
        look_for_thread(target, CALLER);
    return 0;
}

/* --- Kernel thread ids: main has the process id, the others their own --- */

#define FIRST_THREAD_ID 1000000

EXPORT pid_t gettid(void)
{
    if (!under_control())
        return (pid_t)raw_syscall1(SYS_gettid, 0);
    return rt.current == 0 ? (pid_t)raw_syscall1(SYS_getpid, 0) : FIRST_THREAD_ID + rt.current;
}

EXPORT int tgkill(pid_t process, pid_t id, int number)
{
    UNLESS_ON(tgkill(process, id, number));
    int slot = id == process ? 0 : id - FIRST_THREAD_ID;
    if (process != raw_syscall1(SYS_getpid, 0)) {
        failure_uncontrolled("tgkill");
        return real.tgkill(process, id, number);
    }
    if (number < 0 || number >= SIGNALS)
        return (int)signals_fail(EINVAL);
    if (slot < 0 || slot >= (int)rt.used || rt.thread[slot].state == THREAD_FINISHED)
        return (int)signals_fail(ESRCH);
    if (number != 0)
        send_signal(&rt.thread[slot], number, CALLER);
    return 0;
}

EXPORT int raise(int number)
{
    UNLESS_ON(raise(number));
    if (!is_valid(number))
        return (int)signals_fail(EINVAL);
    send_signal(rt.self, number, CALLER);
    return 0;
}

EXPORT int kill(pid_t process, int number)
{
    UNLESS_ON(kill(process, number));
    if (process != 0 && process != raw_syscall1(SYS_getpid, 0)) {
        failure_uncontrolled("kill");
        return real.kill(process, number);
    }
    if (number < 0 || number >= SIGNALS)
        return (int)signals_fail(EINVAL);
    if (number != 0)
        send_signal(NULL, number, CALLER);
    return 0;
}

/* --- Dispositions and masks --- */

EXPORT int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    UNLESS_ON(sigaction(number, action, old));
    if (!is_valid(number) || (action && (number == SIGKILL || number == SIGSTOP)))
        return (int)signals_fail(EINVAL);
    struct sigaction *entry = action_of(number);
    if (action)
        caller_reads(action, sizeof *action, CALLER);
    if (old)
        caller_writes(old, sizeof *old, CALLER);
    if (action)
        shared_change_state(SHARED_HANDLERS, CALLER);
    else
        shared_look_state(SHARED_HANDLERS, CALLER);
    struct sigaction before = *entry;
    if (action)
        *entry = *action;
    if (old)
        *old = before;
    return 0;
}

/* The header maps signal() to one of these, depending on the program's feature macros. */
#define SIGNAL_FUNCTION(name, flags)                                                           \
    EXPORT sighandler_t name(int number, sighandler_t handler);                                \
    EXPORT sighandler_t name(int number, sighandler_t handler)                                 \
    {                                                                                          \
        UNLESS_ON(name(number, handler));                                                      \
        struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;             \
        return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;               \
    }

SIGNAL_FUNCTION(signal, SA_RESTART)
SIGNAL_FUNCTION(__sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))
SIGNAL_FUNCTION(sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))

static int change_mask(int how, const sigset_t *set, sigset_t *old, uint64_t pc)
{
    struct thread *self = rt.self;
    if (set)
        caller_reads(set, sizeof(uint64_t), pc);
    if (old) {
        caller_writes(old, sizeof(uint64_t), pc);
        sigemptyset(old);
        *(uint64_t *)old = self->signals.mask;
    }
    if (!set)
        return 0;
    uint64_t bits = bits_of(set) & ~(BIT(SIGKILL) | BIT(SIGSTOP));
    if (how == SIG_BLOCK)
        self->signals.mask |= bits;
    else if (how == SIG_UNBLOCK)
        self->signals.mask &= ~bits;
    else if (how == SIG_SETMASK)
        self->signals.mask = bits;
    else
        return EINVAL;
    deliver_unblocked(ARRIVES_HERE);
    return 0;
}

EXPORT int pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
    UNLESS_ON(pthread_sigmask(how, set, old));
    return change_mask(how, set, old, CALLER);
}

EXPORT int sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
    UNLESS_ON(sigprocmask(how, set, old));
    int error = change_mask(how, set, old, CALLER);
    return error ? (int)signals_fail(error) : 0;
}

/* sighold(3p), sigrelse(3p), sigignore(3p), siginterrupt(3p): other interfaces to the same
 * things. */
#define CHANGES_ONE(name, call)                                                                \
    EXPORT int name(int number);                                                               \
    int name(int number)                                                                       \
    {                                                                                          \
        sigset_t one;                                                                          \
        sigemptyset(&one);                                                                     \
        return sigaddset(&one, number) == 0 ? call : -1;                                       \
    }
CHANGES_ONE(sighold, sigprocmask(SIG_BLOCK, &one, NULL))
CHANGES_ONE(sigrelse, sigprocmask(SIG_UNBLOCK, &one, NULL))
CHANGES_ONE(sigignore, signal(number, SIG_IGN) == SIG_ERR ? -1 : 0)

EXPORT int siginterrupt(int number, int interrupts)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0)
        return -1;
    action.sa_flags = interrupts ? action.sa_flags & ~SA_RESTART : action.sa_flags | SA_RESTART;
    return sigaction(number, &action, NULL);
}

EXPORT int sigpending(sigset_t *set)
{
    UNLESS_ON(sigpending(set));
    shared_look(SHARED_PROCESS, CALLER); /* sending a signal is dependent on all operations */
    caller_writes(set, sizeof(uint64_t), CALLER);
    sigemptyset(set);
    *(uint64_t *)set = (rt.self->signals.pending | signals.pending) & rt.self->signals.mask;
    return 0;
}

/* Mazur's own handlers need the alternate stack; the program's run on the thread's stack. */
EXPORT int sigaltstack(const stack_t *restrict stack, stack_t *restrict old)
{
    UNLESS_ON(sigaltstack(stack, old));
    if (stack)
        caller_reads(stack, sizeof *stack, CALLER);
    if (old) {
        caller_writes(old, sizeof *old, CALLER);
        *old = (stack_t){.ss_flags = SS_DISABLE};
    }
    return 0;
}

uint64_t signals_swap_mask(const sigset_t *mask)
{
    uint64_t old = rt.self->signals.mask;
    if (mask)
        rt.self->signals.mask = bits_of(mask);
    rt.self->signals.keeps_mask = rt.self->signals.mask != old;
    return old;
}

void signals_restore_mask(uint64_t mask)
{
    rt.self->signals.mask = mask;
    rt.self->signals.keeps_mask = false;
    deliver_unblocked(ARRIVES_HERE);
}

void signals_after_fork(void)
{
    for (int number = 1; number < SIGNALS; number++)
        if (signals.known & BIT(number))
            real.sigaction(number, &signals.action[number], NULL);
}

/* --- Waiting for signals --- */

static bool was_handled(struct thread *self)
{
    return self->signals.handled || thread_is_cancelled(self);
}

static int suspend_thread(uint64_t mask, uint64_t pc)
{
    struct thread *self = rt.self;
    uint64_t old = self->signals.mask;
    self->signals.mask = mask;
    self->signals.keeps_mask = mask != old;
    signals_begin_wait(self);
    deliver_unblocked(ARRIVES_HERE);
    struct op op = signal_op(pc);
    op.flags |= OP_MAY_BLOCK;
    schedule_point_blocking(&op, was_handled);
    signals_end_wait(self);
    self->signals.keeps_mask = false;
    self->signals.mask = old;
    cancel_if_asked(&op);
    schedule_done(&op);
    deliver_unblocked(ARRIVES_HERE);
    return (int)signals_fail(EINTR);
}

int signals_pause(uint64_t pc)
{
    return suspend_thread(rt.self->signals.mask, pc);
}

EXPORT int pause(void)
{
    UNLESS_ON(pause());
    return signals_pause(CALLER);
}

EXPORT int sigsuspend(const sigset_t *mask)
{
    UNLESS_ON(sigsuspend(mask));
    caller_reads(mask, sizeof(uint64_t), CALLER);
    return suspend_thread(bits_of(mask), CALLER);
}

static bool has_arrived(struct thread *self)
{
    return self->time.timed_out ||
           ((self->signals.pending | signals.pending) & self->signals.awaited) ||
           thread_is_cancelled(self);
}

/* sigwait(3p): takes a pending signal of the set; 0 when time is up. */
static int take_signal(const sigset_t *set, uint64_t deadline, uint64_t pc)
{
    struct thread *self = rt.self;
    caller_reads(set, sizeof(uint64_t), pc);
    self->signals.awaited = bits_of(set);
    struct op op = signal_op(pc);
    op.flags |= OP_MAY_BLOCK;
    if (deadline != NEVER)
        op.flags |= OP_TIMED;
    self->time.deadline = deadline;
    schedule_point_blocking(&op, has_arrived);
    uint64_t arrived = (self->signals.pending | signals.pending) & self->signals.awaited;
    self->signals.awaited = 0;
    cancel_if_asked(&op);
    self->time.deadline = NEVER;
    int number = arrived ? __builtin_ctzll(arrived) + 1 : 0;
    if (number == 0)
        op.flags |= OP_TIMED_OUT;
    else if (self->signals.pending & BIT(number))
        self->signals.pending &= ~BIT(number);
    else
        signals.pending &= ~BIT(number);
    race_acquire(rt.current, OBJECT_SIGNALS(rt.current));
    race_acquire(rt.current, OBJECT_ALL_SIGNALS);
    schedule_done(&op);
    return number;
}

EXPORT int sigwait(const sigset_t *restrict set, int *restrict number)
{
    UNLESS_ON(sigwait(set, number));
    int taken = take_signal(set, NEVER, CALLER);
    caller_writes(number, sizeof *number, CALLER);
    *number = taken;
    return 0;
}

static void fill_info(siginfo_t *info, int number, uint64_t pc)
{
    if (!info)
        return;
    caller_writes(info, sizeof *info, pc);
    *info = (siginfo_t){.si_signo = number, .si_code = SI_TKILL};
}

EXPORT int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    UNLESS_ON(sigwaitinfo(set, info));
    int number = take_signal(set, NEVER, CALLER);
    fill_info(info, number, CALLER);
    return number;
}

EXPORT int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                        const struct timespec *restrict timeout)
{
    UNLESS_ON(sigtimedwait(set, info, timeout));
    if (timeout)
        caller_reads(timeout, sizeof *timeout, CALLER);
    uint64_t deadline = timeout ? rt.self->time.now + (uint64_t)timeout->tv_sec * 1000000000 +
                                      (uint64_t)timeout->tv_nsec
                                : NEVER;
    int number = take_signal(set, deadline, CALLER);
    if (number == 0)
        return (int)signals_fail(EAGAIN);
    fill_info(info, number, CALLER);
    return number;
}
