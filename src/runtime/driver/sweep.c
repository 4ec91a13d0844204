/* See sweep.h. Turns are counted in executions, so that the same program is searched in the
 * same turns on every machine; only a sweep that takes long is limited by time. */
#include "runtime/driver/sweep.h"

#include <sys/syscall.h>
#include <time.h>

#include "base/must.h"
#include "explore/search/search.h"
#include "explore/search/strategies.h"
#include "explore/strategy/strategy.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/driver/leaf_work.h"
#include "runtime/driver/pool_root.h"

#define FIRST_TURN 1000 /* executions of the search by bounds before the sweep begins */
#define RATIO      32   /* executions of the sweep for each of them */
#define RATIO_0    1 /* … while bound 0 is not finished: the program has many threads, and */
                     /* neither search will end soon (the scout of explore/search samples) */
#define MOST_TIME  UINT64_C(4000000000) /* nanoseconds for the sweep; later: */
#define FIRST_TIME UINT64_C(500000000)  /* slower programs are divided without a sweep */
#define SHARE      8                    /* at most one part in so many of the time */
#define LOOK       8                    /* executions between two looks at the clock */

static struct {
    struct search *main;   /* NULL: there is no sweep yet */
    struct search *search; /* NULL: none yet, or it is over */
    bool running;          /* it is the sweep's turn */
    bool repeating;        /* an execution of it that has failed */
    bool over;
    uint64_t turn;        /* executions after which the search by bounds gives way */
    uint64_t turn_begins; /* on the clock */
    uint64_t turn_until;  /* executions after which the sweep gives way */
    uint64_t begun;       /* on the clock: when the search by bounds began */
    uint64_t spent;       /* by the sweep: nanoseconds */
    uint32_t *schedule;   /* of an execution that has failed */
    uint32_t nschedule;
    uint64_t failed_after; /* executions */
} sweep;

static uint64_t read_clock(void)
{
    struct timespec time;
    raw_syscall2(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, (long)&time);
    return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

static uint64_t executions_of(const struct search *search)
{
    const struct search_stats *stats = search_stats(search);
    return stats->executions + stats->pruned + stats->assumed;
}

void sweep_reset(void)
{
    uint64_t spent = sweep.spent;
    __builtin_memset(&sweep, 0, sizeof sweep);
    sweep.turn = FIRST_TURN;
    sweep.begun = read_clock();
    sweep.spent = spent;
}

bool sweep_runs(void)
{
    return sweep.running;
}

/* Only where `auto` has chosen a search by bounds to be continued until nothing is left, and
 * all that the user wants to know is whether something fails. */
static bool is_wanted(void)
{
    const struct board_config *config = &rt.board->config;
    const struct search_options *search = &config->search;
    return !sweep.over && search->automatic && search->bound == BOUND_AUTO &&
           !search->keep_going && !search->count_states && search->execs == 0 &&
           search->fair < 0 && config->isolate == ISOLATE_SNAPSHOT && !config->divide_most &&
           !config->serial_only && rt.board->history_phase == HISTORY_NONE && !rt.recording &&
           !rt.simplifying && !rt.fingerprints && !rt.symmetric && !rt.os_threads &&
           !rt.board->was_cut && strategy_is(search, &strategy_cbpor) && !leaf_work_is_shared();
}

static bool has_time(void)
{
    uint64_t passed = read_clock() - sweep.begun;
    return sweep.spent < MOST_TIME || sweep.spent * SHARE < passed;
}

bool sweep_is_promising(void)
{
    return is_wanted() && sweep.spent < MOST_TIME &&
           (sweep.search || read_clock() - sweep.begun < FIRST_TIME);
}

/* --- turns --- */

static void take_over(struct search *search, bool sweeps)
{
    rt.search = search;
    rt.board->nschedule = 0; /* the next execution is not comparable with the last one */
    sweep.running = sweeps;
}

static bool create_sweep(struct pool_root *root)
{
    struct search_options options = rt.board->config.search;
    options.bound = BOUND_NONE;
    options.automatic = options.scouts = false;
    strategy_copy(options.strategy, sizeof options.strategy, strategy_optimal.name);
    sweep.search = search_create(root->pool, &options, NULL, 0);
    sweep.main = rt.search;
    sweep.over = !sweep.search;
    return sweep.search;
}

void sweep_consider(struct pool_root *root)
{
    if (executions_of(rt.search) < sweep.turn || !is_wanted())
        return;
    if (!has_time() || (!sweep.search && !create_sweep(root))) {
        sweep.turn += FIRST_TURN;
        return;
    }
    bool wide = search_stats(rt.search)->bound == 0;
    uint64_t so_far = executions_of(sweep.search), due = sweep.turn * (wide ? RATIO_0 : RATIO);
    sweep.turn *= 2;
    sweep.turn_until = due > so_far ? due : so_far;
    sweep.turn_begins = read_clock();
    take_over(sweep.search, true);
}

static void give_way(void)
{
    sweep.spent += read_clock() - sweep.turn_begins;
    take_over(sweep.main, false);
}

/* Every trace has been run. */
static void replace_main(void)
{
    const struct search_stats *bounded = search_stats(sweep.main);
    struct search_stats *stats = &rt.board->stats;
    claim_add(&rt.board->claim, search_claim(sweep.search));
    *stats = *search_stats(sweep.search);
    stats->complete = claim_allows(&rt.board->claim, CLAIM_SEARCHED);
    stats->bound = bounded->bound;
    stats->bound_done = bounded->bound_done;
    stats->nrows = bounded->nrows;
    __builtin_memcpy(stats->row, bounded->row, sizeof stats->row);
    rt.board->left = LEFT_NOTHING;
}

bool sweep_end(bool more)
{
    const struct search_stats *stats = search_stats(sweep.search);
    if (stats->complete && stats->nfailures_seen == 0) {
        replace_main();
        return false;
    }
    bool lost = !more || !claim_allows(search_claim(sweep.search), CLAIM_SEARCHED);
    bool looks = executions_of(sweep.search) % LOOK == 0;
    if (looks && sweep.spent + read_clock() - sweep.turn_begins > MOST_TIME &&
        sweep.spent + read_clock() - sweep.turn_begins > (read_clock() - sweep.begun) / SHARE)
        sweep.turn_until = 0;
    sweep.over = sweep.over || lost;
    if (sweep.over || rt.board->stop || rt.board->start_over ||
        executions_of(sweep.search) >= sweep.turn_until)
        give_way();
    return !rt.board->stop;
}

/* --- failures --- */

void sweep_note_failure(void)
{
    uint64_t length = rt.board->nschedule * sizeof *sweep.schedule;
    struct pool_root *root = rt.pool_segment;
    sweep.over = true;
    sweep.nschedule = rt.board->nschedule;
    sweep.schedule = pool_alloc(root->pool, length ? length : 1);
    __builtin_memcpy(sweep.schedule, rt.board->schedule, length);
    sweep.failed_after = executions_of(sweep.main) + executions_of(sweep.search);
}

bool sweep_repeats_failure(struct pool_root *root)
{
    if (!sweep.schedule || rt.board->nfailures > 0)
        return false;
    struct search *search = search_create_replay(root->pool, sweep.schedule, sweep.nschedule,
                                                 &rt.board->config.search);
    sweep.schedule = NULL;
    sweep.repeating = true;
    take_over(search, false);
    return true;
}

bool sweep_is_repeating(void)
{
    return sweep.repeating;
}

void sweep_end_repeating(void)
{
    const struct search_stats *stats = search_stats(sweep.main);
    failure_keep();
    if (rt.board->nfailures > 0) {
        rt.board->failure[0].execution = sweep.failed_after;
        rt.board->failure[0].bound = stats->bound;
        rt.board->stats.nfailures_seen++;
    }
    take_over(sweep.main, false);
}
