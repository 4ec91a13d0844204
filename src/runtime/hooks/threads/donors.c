/* Donors: real threads that are created once, park for ever and lend their thread-local storage
 * to fibers. glibc sets up a complete thread for each of them, so errno, __thread variables,
 * pthread_self and C++ exceptions work in a fiber as in any thread.
 *
 * Slot t > 0 borrows donor t - 1 in every execution, so a thread's pthread_t is always the
 * same. A donor's storage lies in its own stack mapping and is part of the snapshot; donors
 * made during an execution are added to it. (The next restore removes them from glibc's lists.
 * That does no harm: a parked thread is never joined, cancelled or freed.)
 *
 * Under mazur debug a donor does not park: it runs the thread itself (executor.h). */
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>

#include "runtime/arch/raw.h"
#include "runtime/core/executor.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/memory/snapshot.h"

/* These are made before the snapshot: libc allocates memory for a donor on the program's heap,
 * and doing that during an execution would shift the addresses of the program's next blocks. */
#define DONORS_FIRST 32
#define DONOR_STACK  (64 * 1024)

static struct donor {
    pthread_t handle;
    uintptr_t tls;
    uint32_t ready;
} donors[THREADS_MAX];
static uint32_t ndonors;

static void *donor_main(void *argument)
{
    struct donor *donor = argument;
    uint64_t all_signals = ~UINT64_C(0);
    raw_syscall4(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, (long)&all_signals, 0, 8);
    donor->tls = fiber_thread_pointer();
    fiber_forget_rseq();
    if (rt.os_threads)
        executor_donor((int)(donor - donors) + 1, &donor->ready);
    fiber_park(&donor->ready);
}

static bool make_thread(pthread_t *handle, void *(*routine)(void *), void *argument)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    size_t size = DONOR_STACK;
    int error;
    /* Programs with much static TLS need more than the usual size. */
    do {
        pthread_attr_setstacksize(&attributes, size);
        error = real.pthread_create(handle, &attributes, routine, argument);
        size *= 4;
    } while (error == 22 /* EINVAL */ && size <= 64u << 20);
    pthread_attr_destroy(&attributes);
    return error == 0;
}

static bool add_donor(void)
{
    struct donor *donor = &donors[ndonors];
    if (!make_thread(&donor->handle, donor_main, donor))
        return false;
    while (!__atomic_load_n(&donor->ready, __ATOMIC_ACQUIRE))
        raw_syscall4(SYS_futex, (long)&donor->ready, FUTEX_WAIT_PRIVATE, 0, 0);
    ndonors++;
    return true;
}

/* --- A place for the process that runs an execution ---
 *
 * With --isolate=fork and a low limit on processes (ulimit -u), the donors would use up the
 * limit. So an extra thread holds one place while the donors are made, and then ends. */

struct kept_place {
    pthread_t handle;
    uint32_t is_over;
    long tid;
};

static void *keep_place(void *argument)
{
    struct kept_place *place = argument;
    place->tid = raw_syscall1(SYS_gettid, 0);
    while (!__atomic_load_n(&place->is_over, __ATOMIC_ACQUIRE))
        raw_syscall4(SYS_futex, (long)&place->is_over, FUTEX_WAIT_PRIVATE, 0, 0);
    return NULL;
}

/* The kernel still counts a thread for a while after it can be joined, so this waits until its
 * id no longer exists. */
static void free_place(struct kept_place *place)
{
    long process = raw_syscall1(SYS_getpid, 0);
    __atomic_store_n(&place->is_over, 1, __ATOMIC_RELEASE);
    raw_syscall4(SYS_futex, (long)&place->is_over, FUTEX_WAKE_PRIVATE, 1, 0);
    real.pthread_join(place->handle, NULL);
    while (raw_syscall4(SYS_tgkill, process, place->tid, 0, 0) == 0)
        raw_syscall1(SYS_sched_yield, 0);
}

void donors_init(void)
{
    struct kept_place place = {0};
    bool forks = rt.board->config.isolate == ISOLATE_FORK && !rt.os_threads;
    bool is_kept = forks && make_thread(&place.handle, keep_place, &place);
    for (int i = 0; i < DONORS_FIRST && add_donor(); i++) {
    }
    if (is_kept)
        free_place(&place);
}

bool donors_lend(struct thread *thread)
{
    uint32_t wanted = (uint32_t)thread->slot - 1;
    if (rt.os_threads && !executor_has(thread->slot))
        failure_raise(FAILURE_NONDETERMINISM, &(struct failure_details){0},
                      "the program starts a thread that the trace does not have");
    while (wanted >= ndonors) {
        if (!add_donor())
            return false;
        snapshot_add_mapping(donors[ndonors - 1].tls);
    }
    thread->life.handle = donors[wanted].handle;
    thread->fiber.tls = donors[wanted].tls;
    return true;
}
