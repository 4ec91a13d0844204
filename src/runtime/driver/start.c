/* Start-up, the driver loop, and the end of an execution.
 *
 *   ld.so ─ constructors ─ __libc_start_main (ours) ─ libc's own ─ controlled_main
 *                                                        │ donors, snapshot
 *                                                        ▼
 *        driver, on a stack of its own:  begin ─ fiber 0 runs main ─ end ─ restore ─┐
 *                                          ▲─────────────────────────────────────────┘
 *
 * exit() runs the program's handlers as it always does; the handler that we registered before
 * any other runs last and ends the execution instead of the process (DESIGN 2.5, 7). While
 * handlers run the other threads go on: the operation PROCESS_EXIT comes after them.
 *
 * With --isolate=fork the driver forks at each begin; search and board are shared memory, so
 * the child's search_end() is the parent's. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "explore/search/auto.h"
#include "explore/search/strategies.h"
#include "runtime/memory/asan.h"
#include "runtime/hooks/files/early_channels.h"
#include "runtime/waiting/endless.h"
#include "runtime/core/executor.h"
#include "runtime/memory/heap.h"
#include "runtime/evidence/history.h"
#include "runtime/evidence/home.h"
#include "runtime/memory/memory.h"
#include "runtime/traps/places.h"
#include "runtime/race/race.h"
#include "runtime/memory/raw.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/core/runtime.h"
#include "runtime/hooks/files/scratch.h"
#include "runtime/memory/stacks.h"
#include "runtime/hooks/process/timers.h"
#include "runtime/traps/traps.h"

#define DRIVER_STACK (256 * 1024)
#define SEARCH_STACK (8 << 20)

typedef int main_function(int, char **, char **);

static struct {
    main_function *main;
    int argc;
    char **argv;
    char **envp;
} program;

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __cxa_atexit(void (*function)(void *), void *argument, void *module);

/* --- Before main ----------------------------------------------------------------------------
 */

/* libc may not have seen the environment yet: it lies behind argc and argv on the stack. */
extern void *__libc_stack_end;

static const char *environment(const char *name)
{
    char **at = (char **)__libc_stack_end;
    at += *(long *)__libc_stack_end + 2;
    for (; *at; at++) {
        size_t i = 0;
        while (name[i] && (*at)[i] == name[i])
            i++;
        if (name[i] == 0 && (*at)[i] == '=')
            return *at + i + 1;
    }
    return NULL;
}

/* The program shall not see how it was started. */
static void scrub_environment(void)
{
    static const char *const ours[] = {
        "MAZUR_BOARD=", "MAZUR_POOL=", "LD_PRELOAD=", "LD_BIND_NOW="};
    char **to = environ;
    for (char **from = environ; *from; from++) {
        bool keep = true;
        for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
            size_t j = 0;
            while (ours[i][j] && (*from)[j] == ours[i][j])
                j++;
            keep = keep && ours[i][j] != 0;
        }
        if (keep)
            *to++ = *from;
    }
    *to = NULL;
}

#define POOL_SHARE 4 /* of the limit on virtual memory, where there is one */

static uint64_t pool_bytes = POOL_BYTES;

static void *map_descriptor(const char *name, uint64_t address, uint64_t size)
{
    const char *text = environment(name);
    if (text == NULL)
        return NULL;
    long fd = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        fd = fd * 10 + (*text - '0');
    long result = raw_syscall6(SYS_mmap, (long)address, (long)size, PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
    raw_syscall1(SYS_close, fd);
    if (result == -ENOMEM)
        rt_starved(RT_NO_ADDRESSES);
    return result == (long)address ? (void *)address : NULL;
}

/* A process that can't go on leaves its reason as a failure: the parent reports it. */
static void leave_words(const char *message, int starved)
{
    struct board *board = rt.board;
    if (board->nfailures == BOARD_FAILURES)
        return;
    struct board_failure *failure = &board->failure[board->nfailures];
    *failure = (struct board_failure){.kind = starved ? FAILURE_LIMIT : FAILURE_INTERNAL,
                                      .tid = -1,
                                      .preemptions = -1,
                                      .bound = board->stats.bound,
                                      .execution = board->stats.executions + 1};
    for (uint32_t i = 0; i + 1 < BOARD_TEXT && message[i]; i++)
        failure->message[i] = message[i];
    board->nfailures = board->nfailures + 1;
}

static void leave_without_pool(struct pool *pool, size_t wanted)
{
    (void)pool;
    (void)wanted;
    rt_starved(
        "the search needs more memory than it can address (64 GB, or a quarter of ulimit -v)");
}

void start_attach(void)
{
    static bool tried;
    if (tried)
        return;
    tried = true;
    struct board *board = map_descriptor("MAZUR_BOARD", BOARD_ADDRESS, BOARD_BYTES);
    if (board == NULL || board->magic != BOARD_MAGIC)
        return;
    if (board->version != BOARD_VERSION)
        rt_fatal("libmazur.so and the mazur command are not of the same build");
    rt.board = board;
    rt_last_words = leave_words;
    pool_exhausted = leave_without_pool;
    if (rt_address_limit() && rt_address_limit() / POOL_SHARE < pool_bytes)
        pool_bytes = rt_address_limit() / POOL_SHARE & ~UINT64_C(4095);
    void *pool = map_descriptor("MAZUR_POOL", POOL_ADDRESS, pool_bytes);
    if (pool == NULL)
        rt_fatal("the pool's segment can't be mapped");
    rt.pool_segment = pool;
    rt.controlled = true;
}

static char *own_stack(size_t size)
{
    return (char *)rt_map(size) + size;
}

/* Does the module have destructors beyond what the compiler's start files bring along? */
static int note_fini(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    bool *any = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry =
            (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_FINI_ARRAYSZ && entry->d_un.d_val > sizeof(void *))
                *any = true;
    }
    return 0;
}

/* --- One execution --- */

/* The end of the process as an operation: it may come before or after any step of the other
 * threads, and switching away from it is free (DESIGN 6). */
static void end_process(void)
{
    struct op op =
        op_make(OP_PROCESS_EXIT, OP_YIELDS | OP_GLOBAL | OP_WRITES, NULL, rt.exit_pc);
    schedule_point(&op);
    if (failure_stuck_for_ever())
        failure_deadlock();
    schedule_done(&op);
    rt.on = false;
    rt.board->exit_status = rt.exit_status;
    if (rt.exit_status != 0)
        failure_raise(FAILURE_EXIT,
                      &(struct failure_details){.status = rt.exit_status, .pc = rt.exit_pc},
                      "exit status %d", rt.exit_status);
    if (rt.board->config.leaks)
        failure_leaks();
    history_finished();
    schedule_end(OUTCOME_FINISHED);
}

static void last_exit_handler(void *unused)
{
    (void)unused;
    if (!rt.controlled || rt.self == NULL)
        return;
    rt.on = false;
    fflush(NULL);
    rt.on = true;
    end_process();
}

void start_program_end(int status, uint64_t pc)
{
    rt.exit_status = status & 0xff;
    rt.exit_pc = pc;
    end_process();
    __builtin_unreachable();
}

void start_program_exit(int status, uint64_t pc)
{
    if (!rt.exiting || rt.exiting_thread != rt.current) {
        shared_begin_exit(pc);
        rt.exiting = true;
        rt.exiting_thread = rt.current;
        rt.exit_status = status & 0xff;
        rt.exit_pc = pc;
        thread_local_destructors();
    }
    real.exit(status);
    __builtin_unreachable();
}

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
    thread_end(); /* pthread_exit in main: the others go on */
}

/* Runs one execution up to schedule_end(). */
static void run_execution(void)
{
    struct thread *main_thread = &rt.thread[0];
    schedule_begin();
    waits_begin();
    shared_begin();
    access_begin();
    stacks_begin();
    heap_begin();
    race_begin();
    keys_begin();
    semaphores_begin();
    signals_begin();
    timers_begin();
    process_begin();
    invariants_begin();
    history_begin();
    rt.has_invariants = false;
    if (rt.recording)
        record_begin();
    thread_reset(main_thread, 0);
    main_thread->parent = -1;
    main_thread->state = THREAD_RUNNABLE;
    rt.current = 0;
    rt.self = main_thread;
    fiber_prepare(&main_thread->fiber, main_fiber, NULL);
    rt.board->state = CHILD_RUNNING;
    if (rt.os_threads)
        executor_begin((uint64_t)(uintptr_t)program.main);
    fiber_swap(&rt.driver, &main_thread->fiber);
    rt.board->state = CHILD_SEARCHING;
}

/* The table of bounds is most of it and changes rarely. */
static void publish_stats(const struct search_stats *stats)
{
    struct search_stats *board = &rt.board->stats;
    if (board->nrows != stats->nrows)
        *board = *stats;
    else
        __builtin_memcpy(board, stats, offsetof(struct search_stats, row));
}

/* Can the search be gone on with in another process? Not when it was stopped in the middle of
 * an execution; not when it compares states by the pages that this process has seen written;
 * and the serial histories are found in one go. */
static bool is_loose(void)
{
    return rt.torn || rt.fingerprints || rt.board->history_phase == HISTORY_SERIAL;
}

static bool finish_execution(void)
{
    if (rt.recording)
        failure_threads();
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
    /* A search that starts over has nothing more to think about. */
    bool more = rt.board->start_over || search_end(rt.search, &rt.pos, rt.outcome);
    const struct search_stats *stats = search_stats(rt.search);
    publish_stats(stats);
    if (rt.pos.depth > rt.board->max_visible)
        rt.board->max_visible = rt.pos.depth;
    if (rt.used > rt.board->max_threads)
        rt.board->max_threads = rt.used;
    rt.board->hot_pages = snapshot_hot_pages();
    failure_keep();
    if (rt.board->config.serial_only && rt.board->history_phase == HISTORY_NONE)
        more = false; /* the program makes no history */
    bool left = search_unfinished(rt.search) || rt.torn;
    rt.board->left = !left ? LEFT_NOTHING : is_loose() ? LEFT_LOOSE : LEFT_MORE;
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
    if (child < 0) /* not a search that has come to its end */
        rt_starved("the kernel makes no more processes (ulimit -u, a container's limit)");
    rt.forked = child;
    rt.board->forked = (uint32_t)child;
    int status = 0;
    while (raw_syscall4(SYS_wait4, child, (long)&status, 0, 0) == -EINTR) {
    }
    rt.forked = 0;
    rt.board->forked = 0;
    scratch_clear();
    early_channels_empty();
    /* it died behind our back: let the parent see the same death */
    if ((status & 0x7f) != 0)
        raw_syscall2(SYS_kill, raw_syscall1(SYS_getpid, 0), status & 0x7f);
    else if (status != 0)
        raw_syscall1(SYS_exit_group, status >> 8 & 0xff);
    return rt.board->more != 0;
}

/* The first page of the pool's segment says where the search is, for a restarted child; the
 * table of atomic objects follows, then pools, one per start of the search. */
struct pool_root {
    struct search *search;
    struct pool *pool;
    uint64_t used; /* bytes of the segment given away */
};

static bool create_search(void)
{
    struct board_config *config = &rt.board->config;
    struct pool_root *root = rt.pool_segment;
    access_init((char *)rt.pool_segment + 4096);
    spin_proof_init((char *)rt.pool_segment + 4096 + access_table_bytes());
    if (!rt.recording)
        rt.board->nschedule = 0;
    rt.fingerprints = !rt.recording && !rt.simplifying && config->search.states &&
                      search_compares_states(&config->search);
    if (config->resume && root->search != NULL) {
        rt.search = root->search;
        search_unpack(rt.search, config->search.execs);
        search_set_claim(rt.search, &rt.board->claim);
        config->resume = false;
        return true;
    }
    if (root->pool != NULL)
        root->used += (pool_extent(root->pool) + 4095) & ~UINT64_C(4095);
    else
        root->used = 4096 + access_table_bytes() + spin_proof_bytes();
    config->search.states_prove = !rt.check_races && !rt.store_buffers;
    config->search.was_cut = rt.board->was_cut;
    if (waits_learned())
        raise_reason(REASON_WAITS_LEARNED, NULL);
    char error[BOARD_TEXT] = "";
    root->pool = pool_create((char *)rt.pool_segment + root->used, pool_bytes - root->used);
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
    if (rt.search != NULL)
        search_set_claim(rt.search, &rt.board->claim);
    else
        failure_note(FAILURE_INVALID, &(struct failure_details){0}, "%s", error);
    return rt.search != NULL;
}

static void reconsider_strategy(void)
{
    const struct pool_root *root = rt.pool_segment;
    if (auto_reconsider(&rt.board->config.search, pool_used(root->pool)))
        rt.board->start_over = 1;
}

/* Simplification begins again with what it has learned, under which the schedule that it was
 * given may lead elsewhere: it goes on only if that fails in the same way. */
static void remember_failure(void)
{
    struct simplification facts;
    const uint32_t *schedule;
    uint32_t n;
    search_simplified(rt.search, &facts, &schedule, &n);
    if (facts.failure)
        rt.board->config.simplify.failure = facts.failure;
}

/* The bounds that the search had finished before it starts over stay proven. What it learned
 * came up after them: had an execution within them met the race, the wait, the overlap or the
 * shared file, the search would have started over there. A thread's accesses that become
 * operations now were its own, or ordered, in all of them. */
static void keep_proven(void)
{
    const struct search_stats *stats = search_stats(rt.search);
    if (rt.simplifying || rt.board->history_phase == HISTORY_SERIAL)
        return;
    if (stats->bound_done > rt.board->proven.bound_done)
        rt.board->proven = *stats;
}

/* The search begins again with what was learned: a racing location whose accesses are
 * scheduling points now (CHESS's loop; DESIGN 2.9), atomic objects that turned out to overlap,
 * a better strategy. The old search's memory is left behind: there are few such rounds. */
static bool start_over(void)
{
    if (rt.simplifying)
        remember_failure();
    keep_proven();
    claim_forget_search(&rt.board->claim);
    rt.board->start_over = 0;
    rt.board->nschedule = 0; /* the next execution is not comparable with the last one */
    rt.board->nfailures = 0;
    rt.board->round++;
    if (!rt.simplifying)
        rt.board->nkept = 0;
    return create_search();
}

/* A search that came to its end after at most one execution, without a failure, without a bound
 * and not complete, has shown nothing: what it learned, or a dependence that it does not see,
 * left it nothing to do. Go on without a reduction, once. */
static bool ended_for_nothing(void)
{
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

static void driver(void *unused)
{
    (void)unused;
    bool forks = rt.board->config.isolate == ISOLATE_FORK && !rt.os_threads;
    bool more = true;
    while (more) {
        search_begin(rt.search);
        if (forks) {
            more = run_in_fork();
        } else {
            run_execution();
            more = finish_execution();
            process_restore();
            files_restore();
            mappings_restore();
            snapshot_restore();
            if (rt.board->left != LEFT_NOTHING && !rt.board->start_over)
                reconsider_strategy();
        }
        if (!more && !rt.board->start_over && UNLIKELY(history_next_phase()))
            rt.board->start_over = 1;
        if (!more && !rt.board->start_over && UNLIKELY(ended_for_nothing()))
            rt.board->start_over = 1;
        if (UNLIKELY(rt.board->start_over))
            more = !rt.recording && start_over();
    }
    if (rt.simplifying)
        publish_simplest();
    else if (rt.board->left == LEFT_MORE && !search_pack(rt.search))
        rt.board->left = LEFT_LOOSE;
    rt.board->state = CHILD_DONE;
    raw_syscall1(SYS_exit_group, 0);
}

extern void _IO_doallocbuf(FILE *file); /* glibc's; in no header */

/* The buffer of standard output, which glibc else takes from the heap of the thread that prints
 * first: the names of that thread's blocks would depend on the schedule. */
static void prepare_output(void)
{
    if (stdout->_IO_buf_base == NULL)
        _IO_doallocbuf(stdout);
    if (rt.recording)
        setvbuf(stdout, NULL, _IOLBF, 0); /* what was printed before the failure is shown */
}

static int controlled_main(int argc, char **argv, char **envp)
{
    program.argc = argc;
    program.argv = argv;
    program.envp = envp;
    struct board_config *config = &rt.board->config;
    rt.recording = config->mode == BOARD_RECORD;
    rt.simplifying = config->mode == BOARD_SIMPLIFY;
    rt.os_threads = rt.recording && config->os_threads;
    rt.any_timeouts = config->timeouts == TIMEOUTS_ANY;
    /* also to ignore them: with one, nothing is complete */
    rt.check_races =
        config->races != RACES_IGNORE || !claim_has(&rt.board->claim, REASON_RACES_IGNORED);
    rt.explore_races = config->races == RACES_EXPLORE;
    rt.volatile_atomic = config->volatile_atomic;
    rt.store_buffers = config->store_buffers;
    if (rt.store_buffers)
        store_buffers_init();
    if (rt.recording) {
        race_context = failure_access_context;
        heap_stack = failure_stack_here;
    }
    prepare_output();
    uint64_t layout = rt.board->layout;
    rt.board->nmodules = 0;
    modules_note();
    rt.board->layout = modules_layout();
    if (config->resume && layout != rt.board->layout)
        failure_before_main("the program's memory is laid out differently than when the search "
                            "was stopped: it can't be gone on with");
    rt.board->instrumented = rt.ninstrumented > 0;
    rt.thread[0].fiber.tls = fiber_thread_pointer();
    rt.thread[0].handle = pthread_self();
    fiber_forget_rseq();
    if (rt.os_threads)
        executor_init();
    donors_init();
    unwinder_warm_up();
    if (rt.recording)
        home_init();
    glib_take_over();
    libstdcxx_take_over();
    signals_init();
    threads_reserve_stacks();
    if (!rt.recording && !rt.simplifying)
        auto_settle(&config->search, rt.ninstrumented > 0);
    places_look_up();
    places_set_rules();
    traps_install();
    if (rt.preempts_by_place)
        schedule_by_place();
    if (!create_search()) {
        rt.board->state = CHILD_DONE;
        raw_syscall1(SYS_exit_group, 0);
    }
    files_init();
    keys_snapshot();
    heap_snapshot();
    rt.driver.base = own_stack(DRIVER_STACK);
    rt.search_stack = own_stack(SEARCH_STACK);
    rt.driver.tls = rt.thread[0].fiber.tls;
    if (config->isolate == ISOLATE_SNAPSHOT && !rt.recording)
        snapshot_take();
    fiber_prepare(&rt.driver, driver, NULL);
    fiber_jump(&rt.driver);
}

EXPORT int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                               void (*)(void), void *);
    start_function *start = (start_function *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    start_attach();
    if (!rt.controlled)
        return start(main, argc, argv, init, fini, rtld_fini, stack_end);
    program.main = main;
    asan_init();
    scrub_environment();
    real_resolve();
    fiber_init();
    race_init();
    race_birth = heap_birth;
    bool destructors = false;
    dl_iterate_phdr(note_fini, &destructors);
    /* Registered first, run last; before it the destructors of the loaded modules, unless
     * there are none: _dl_fini costs more than a whole small execution. */
    __cxa_atexit(last_exit_handler, NULL, NULL);
    if (destructors && rtld_fini)
        __cxa_atexit((void (*)(void *))(uintptr_t)rtld_fini, NULL, NULL);
    return start(controlled_main, argc, argv, init, fini, NULL, stack_end);
}
