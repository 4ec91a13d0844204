/* The driver: runs executions until the search is done.
 *
 *        on a stack of its own:  begin ─ fiber 0 runs main ─ end ─ restore ─┐
 *                                  ▲────────────────────────────────────────┘
 *
 * With --isolate=fork it forks at each begin. The search and the board are in shared memory, so
 * the parent sees the effect of the child's search_end(). */
#include "runtime/driver/driver.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/must.h"
#include "explore/search/auto.h"
#include "explore/search/strategies.h"
#include "runtime/access/access.h"
#include "runtime/arch/raw.h"
#include "runtime/core/attach.h"
#include "runtime/core/executor.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/threads.h"
#include "runtime/driver/checkpoint.h"
#include "runtime/driver/components.h"
#include "runtime/driver/leaf_work.h"
#include "runtime/driver/path.h"
#include "runtime/driver/pool_root.h"
#include "runtime/driver/unbounded.h"
#include "runtime/evidence/heap_map.h"
#include "runtime/evidence/history.h"
#include "runtime/faults/faults.h"
#include "runtime/hooks/files/early_channels.h"
#include "runtime/hooks/files/scratch.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/snapshot.h"
#include "runtime/race/race.h"
#include "runtime/waiting/counted.h"
#include "runtime/waiting/endless.h"
#include "runtime/waiting/fingerprint.h"
#include "runtime/waiting/trial.h"
#include "runtime/waiting/spin.h"
#include "runtime/waiting/spin_stack.h"
#include "runtime/waiting/waits.h"

#define DRIVER_STACK (256 * 1024)
#define SEARCH_STACK (8 << 20)

static struct main_call program;

/* --- One execution --- */

static int call_main(void *unused)
{
    (void)unused;
    return program.main(program.argc, program.argv, program.envp);
}

static void main_fiber(void *unused)
{
    (void)unused;
    int status = 0;
    rt.on = true;
    if (thread_call(call_main, NULL, &status))
        start_program_exit(status, 0);
    thread_end(); /* pthread_exit in main: the other threads continue */
}

/* From the thread that is current, which may stop where a checkpoint can be made. */
static void run_threads(void)
{
    do
        fiber_swap(&rt.driver, &rt.self->fiber);
    while (checkpoint_consider() || path_consider());
    rt.board->state = CHILD_SEARCHING;
}

/* Runs one execution up to schedule_end(). */
static void run_execution(void)
{
    struct thread *main_thread = &rt.thread[0];
    components_begin();
    rt.current = 0;
    rt.self = main_thread;
    rt.board->state = CHILD_RUNNING;
    if (path_begin() || (checkpoint_is_taken() && checkpoint_resume()))
        return run_threads();
    if (checkpoint_is_taken()) { /* the search has given up the execution */
        rt.board->state = CHILD_SEARCHING;
        return;
    }
    thread_reset(main_thread, 0);
    main_thread->life.parent = -1;
    main_thread->state = THREAD_RUNNABLE;
    fiber_prepare(&main_thread->fiber, main_fiber, NULL);
    checkpoint_begin();
    if (rt.os_threads) {
        scratch_clear(); /* left over from a run that was killed in the debugger */
        scratch_enter();
        executor_begin((uint64_t)(uintptr_t)program.main);
    }
    run_threads();
}

/* The table of bounds is most of the data and changes rarely, so it is copied only when it
 * does. */
static void publish_stats(const struct search_stats *stats)
{
    struct search_stats *board = &rt.board->stats;
    if (board->nrows != stats->nrows)
        *board = *stats;
    else
        __builtin_memcpy(board, stats, offsetof(struct search_stats, row));
}

/* Is it impossible to resume the search in another process? It is when the search was stopped
 * in the middle of an execution, when it compares states (the comparison uses the pages that
 * this process has seen written), and in the serial phase (all serial histories are found in
 * one run). */
static bool is_tied_to_process(void)
{
    return rt.torn || rt.fingerprints || rt.board->history_phase == HISTORY_SERIAL;
}

/* What the search beside the bounds finds is not reported yet. */
static bool finish_unbounded(bool more)
{
    if (failure_is_pending()) {
        failure_forget();
        if (!rt.board->start_over)
            unbounded_note_failure();
    }
    return unbounded_end(more);
}

static bool finish_execution(void)
{
    if (rt.recording) {
        failure_threads();
        heap_map_take();
    }
    if (UNLIKELY(rt.saw_timed) && !rt.any_timeouts)
        raise_reason(REASON_IDLE_TIMEOUTS, NULL);
    if (UNLIKELY(rt.saw_unproven_loop))
        raise_reason(REASON_UNPROVEN_LOOP, NULL);
    if (UNLIKELY(race_overflowed()))
        raise_reason(REASON_RACE_CLOCKS, NULL);
    bool stopped = rt.board->stop != 0;
    rt.pos.failure = rt.simplifying ? failure_identity() : 0;
    if (UNLIKELY(rt.probing))
        endless_probe_end();
    if (UNLIKELY(stacks_end()))
        rt.board->start_over = 1;
    /* A search that starts over need not process this execution. */
    bool more = rt.board->start_over || search_end(rt.search, &rt.pos, rt.outcome);
    if (rt.pos.depth > rt.board->max_visible)
        rt.board->max_visible = rt.pos.depth;
    if (rt.used > rt.board->max_threads)
        rt.board->max_threads = rt.used;
    rt.board->hot_pages = snapshot_hot_pages();
    if (UNLIKELY(unbounded_runs()))
        return finish_unbounded(more);
    if (UNLIKELY(unbounded_is_repeating())) {
        unbounded_end_repeating();
        return false;
    }
    publish_stats(search_stats(rt.search));
    failure_keep();
    if (rt.board->config.serial_only && rt.board->history_phase == HISTORY_NONE)
        more = false; /* the program records no history */
    bool left = search_unfinished(rt.search) || rt.torn;
    rt.board->left = !left ? LEFT_NOTHING : is_tied_to_process() ? LEFT_LOOSE : LEFT_MORE;
    return more && !stopped && !rt.recording;
}

static bool run_in_fork(void)
{
    rt.board->more = 0;
    rt.board->state = CHILD_RUNNING;
    long child = raw_syscall6(SYS_clone, 17 /* SIGCHLD */, 0, 0, 0, 0, 0);
    if (child == 0) {
        raw_syscall2(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
        scratch_enter();
        run_execution();
        rt.board->more = finish_execution();
        raw_syscall1(SYS_exit_group, 0);
    }
    if (child < 0) /* this is not the end of the search */
        rt_starved(
            "the kernel refuses to create another process (ulimit -u, a container's limit)");
    rt.forked = child;
    rt.board->forked = (uint32_t)child;
    int status = 0;
    while (raw_syscall4(SYS_wait4, child, (long)&status, 0, 0) == -EINTR) {
    }
    rt.forked = 0;
    rt.board->forked = 0;
    scratch_clear();
    early_channels_empty();
    /* The child died unexpectedly: die the same way, so that the parent sees it. */
    if ((status & 0x7f) != 0)
        raw_syscall2(SYS_kill, raw_syscall1(SYS_getpid, 0), status & 0x7f);
    else if (status != 0)
        raw_syscall1(SYS_exit_group, status >> 8 & 0xff);
    return rt.board->more != 0;
}

/* --- The search --- */

bool driver_create_search(void)
{
    struct board_config *config = &rt.board->config;
    struct pool_root *root = rt.pool_segment;
    access_init((char *)rt.pool_segment + POOL_TABLES);
    char *proofs = (char *)rt.pool_segment + POOL_TABLES + access_table_bytes();
    spin_proof_init(proofs);
    trial_init(proofs + spin_proof_bytes());
    if (!rt.recording)
        rt.board->nschedule = 0;
    rt.fingerprints = !rt.recording && !rt.simplifying && config->search.states &&
                      search_compares_states(&config->search);
    if (config->resume && root->search) {
        rt.search = root->search;
        search_unpack(rt.search, config->search.execs);
        search_set_claim(rt.search, &rt.board->claim);
        config->resume = false;
        unbounded_reset();
        return true;
    }
    if (root->pool)
        root->used += (pool_extent(root->pool) + 4095) & ~UINT64_C(4095);
    else
        root->used = rt.board->pool_tables =
            POOL_TABLES + access_table_bytes() + spin_proof_bytes() + trial_bytes();
    config->search.states_prove = !rt.check_races && !rt.store_buffers;
    config->search.was_cut = rt.board->was_cut;
    if (config->divide_most) /* what is run before the parts are known must repeat itself */
        config->search.scouts = false;
    if (waits_learned())
        raise_reason(REASON_WAITS_LEARNED, NULL);
    if (counted_learned())
        raise_reason(REASON_ROUNDS_COUNTED, NULL);
    char error[BOARD_TEXT] = "";
    uint64_t room = config->leaves ? attach_pool_bytes() / 2 : attach_pool_bytes();
    root->pool = pool_create((char *)rt.pool_segment + root->used, room - root->used);
    fingerprint_start(root->pool);
    if (rt.recording)
        rt.search = search_create_replay(root->pool, rt.board->schedule, rt.board->nschedule,
                                         &config->search);
    else if (rt.simplifying)
        rt.search = search_create_simplify(root->pool, rt.board->kept, rt.board->nkept,
                                           &config->search, &config->simplify);
    else
        rt.search = search_create(root->pool, &config->search, error, sizeof error);
    root->search = rt.search;
    leaf_work_start(root);
    unbounded_reset();
    if (rt.search)
        search_set_claim(rt.search, &rt.board->claim);
    else
        failure_note(FAILURE_INVALID, &(struct failure_details){0}, "%s", error);
    return rt.search;
}

static void reconsider_strategy(void)
{
    const struct pool_root *root = rt.pool_segment;
    if (leaf_work_is_shared())
        return; /* a leaf needs less memory, and cbpor has its own limit */
    if (auto_reconsider(&rt.board->config.search, pool_used(root->pool)))
        rt.board->start_over = 1;
}

/* Simplification starts over with the new lesson. With the lesson the given schedule may lead
 * elsewhere, so simplification continues only if the schedule still fails in the same way. */
static void remember_failure(void)
{
    struct simplification facts;
    const uint32_t *schedule;
    uint32_t n;
    search_simplified(rt.search, &facts, &schedule, &n);
    if (facts.failure)
        rt.board->config.simplify.failure = facts.failure;
}

/* Bounds that the search had finished before it starts over stay proven. The new lesson came
 * after them: if an execution within these bounds had shown the race, the wait, the overlap or
 * the shared file, the search would have started over then. So in all those executions the
 * accesses that become operations now were made by one thread only, or were ordered. */
static void keep_proven(void)
{
    const struct search_stats *stats = search_stats(rt.search);
    if (rt.simplifying || rt.board->history_phase == HISTORY_SERIAL || leaf_work_is_shared())
        return;
    if (stats->bound_done > rt.board->proven.bound_done)
        rt.board->proven = *stats;
}

/* Starts the search over with what it learned: a racing location whose accesses are now
 * scheduling points (as in CHESS), atomic objects that turned out to overlap, a better
 * strategy. The memory of the old search is not freed, since searches start over only a few
 * times. */
static bool start_over(void)
{
    if (rt.simplifying)
        remember_failure();
    checkpoint_drop(); /* main may do other operations before its first thread */
    keep_proven();
    claim_forget_search(&rt.board->claim);
    rt.board->start_over = 0;
    rt.board->nschedule = 0; /* the next execution is not comparable with the last one */
    rt.board->nfailures = 0;
    rt.board->round++;
    if (!rt.simplifying)
        rt.board->nkept = 0;
    return driver_create_search();
}

/* A search that ended after at most one execution, without a failure, without a finished bound
 * and not complete, has shown nothing: a lesson, or a dependence that it does not see, left it
 * nothing to do. Continue without a reduction, once. */
static bool ended_for_nothing(void)
{
    if (!rt.search || leaf_work_is_shared()) /* given up, with a failure (history.c) */
        return false;
    const struct search_stats *stats = search_stats(rt.search);
    return stats->executions <= 1 && stats->bound_done < 0 && !stats->complete &&
           rt.board->nfailures == 0 && rt.board->stop == 0 && rt.board->max_threads > 1 &&
           !rt.recording && !rt.simplifying && !search_unfinished(rt.search) &&
           auto_leave_reductions(&rt.board->config.search);
}

static void publish_simplest(void)
{
    struct board *board = rt.board;
    const uint32_t *schedule;
    uint32_t n;
    search_simplified(rt.search, &board->simplified, &schedule, &n);
    if (n > BOARD_SCHEDULE - board->nkept)
        return;
    board->kept_start[0] = 0;
    board->kept_start[1] = board->nkept;
    __builtin_memcpy(board->kept + board->nkept, schedule, n * sizeof *schedule);
    board->nkept += n;
}

static void drive_search(void *unused)
{
    (void)unused;
    bool forks = rt.board->config.isolate == ISOLATE_FORK && !rt.os_threads;
    struct pool_root *root = rt.pool_segment;
    bool more = !rt.board->config.waits_for_work || leaf_work_wait(root);
    while (more) {
        must(rt.search);
        search_begin(rt.search);
        if (forks) {
            more = run_in_fork();
        } else {
            run_execution();
            more = finish_execution();
            components_restore();
            if (rt.board->left != LEFT_NOTHING && !rt.board->start_over)
                reconsider_strategy();
        }
        if (UNLIKELY(rt.search && search_in_leaf(rt.search)))
            more = leaf_work_next(root, more);
        if (more && !rt.board->start_over && !unbounded_runs())
            unbounded_consider(root);
        if (!more && !rt.board->start_over && UNLIKELY(unbounded_repeats_failure(root)))
            more = true;
        if (!more && !rt.board->start_over && UNLIKELY(history_next_phase()))
            rt.board->start_over = 1;
        if (!more && !rt.board->start_over && UNLIKELY(ended_for_nothing()))
            rt.board->start_over = 1;
        if (UNLIKELY(rt.board->start_over) && !leaf_work_is_shared())
            more = !rt.recording && start_over();
    }
    if (rt.simplifying)
        publish_simplest();
    else if (rt.board->left == LEFT_MORE && (!rt.search || !search_pack(rt.search)))
        rt.board->left = LEFT_LOOSE;
    rt.board->state = CHILD_DONE;
    raw_syscall1(SYS_exit_group, 0);
}

static char *make_stack(size_t size)
{
    return (char *)rt_map(size) + size;
}

void driver_prepare(void)
{
    rt.driver.base = make_stack(DRIVER_STACK);
    rt.search_stack = make_stack(SEARCH_STACK);
    rt.driver.tls = rt.thread[0].fiber.tls;
}

void driver_run(const struct main_call *given)
{
    program = *given;
    fiber_prepare(&rt.driver, drive_search, NULL);
    fiber_jump(&rt.driver);
}
