/* See scout.h. Turns are counted in executions, so that the same program is searched in the same
 * turns on every machine; only a scout that takes long is limited by time. */
#include "runtime/driver/scout.h"

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

#define FIRST_TURN 1000 /* executions of the search by bounds before the scout begins */
#define RATIO      32   /* executions of the scout for each of them */
#define MOST_TIME  UINT64_C(4000000000) /* nanoseconds for the scout; later: */
#define FIRST_TIME UINT64_C(500000000)  /* slower programs are divided without a scout */
#define SHARE      8                    /* at most one part in so many of the time */
#define LOOK       8                    /* executions between two looks at the clock */

static struct {
    struct search *main;   /* NULL: there is no scout yet */
    struct search *search; /* NULL: none yet, or it is over */
    bool running;          /* it is the scout's turn */
    bool repeating;        /* an execution of it that has failed */
    bool over;
    uint64_t turn;        /* executions after which the search by bounds gives way */
    uint64_t turn_begins; /* on the clock */
    uint64_t turn_until;  /* executions after which the scout gives way */
    uint64_t begun;       /* on the clock: when the search by bounds began */
    uint64_t spent;       /* by the scout: nanoseconds */
    uint32_t *schedule;   /* of an execution that has failed */
    uint32_t nschedule;
    uint64_t failed_after; /* executions */
} scout;

static uint64_t now(void)
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

void scout_reset(void)
{
    uint64_t spent = scout.spent;
    __builtin_memset(&scout, 0, sizeof scout);
    scout.turn = FIRST_TURN;
    scout.begun = now();
    scout.spent = spent;
}

bool scout_runs(void)
{
    return scout.running;
}

/* Only where `auto` has chosen a search by bounds to be continued until nothing is left, and all
 * that the user wants to know is whether something fails. */
static bool is_wanted(void)
{
    const struct board_config *config = &rt.board->config;
    const struct search_options *search = &config->search;
    return !scout.over && search->automatic && search->bound == BOUND_AUTO &&
           !search->keep_going && !search->count_states && search->execs == 0 &&
           search->fair < 0 && config->isolate == ISOLATE_SNAPSHOT && !config->divide_most &&
           !config->serial_only && rt.board->history_phase == HISTORY_NONE && !rt.recording &&
           !rt.simplifying && !rt.fingerprints && !rt.symmetric && !rt.os_threads && !rt.board->was_cut &&
           strategy_is(search, &strategy_cbpor) && !leaf_work_is_shared();
}

static bool has_time(void)
{
    uint64_t passed = now() - scout.begun;
    return scout.spent < MOST_TIME || scout.spent * SHARE < passed;
}

bool scout_is_promising(void)
{
    return is_wanted() && scout.spent < MOST_TIME &&
           (scout.search || now() - scout.begun < FIRST_TIME);
}

/* --- turns --- */

static void take_over(struct search *search, bool scouts)
{
    rt.search = search;
    rt.board->nschedule = 0; /* the next execution is not comparable with the last one */
    scout.running = scouts;
}

static bool create_scout(struct pool_root *root)
{
    struct search_options options = rt.board->config.search;
    options.bound = BOUND_NONE;
    options.automatic = false;
    strategy_copy(options.strategy, sizeof options.strategy, strategy_optimal.name);
    scout.search = search_create(root->pool, &options, NULL, 0);
    scout.main = rt.search;
    scout.over = !scout.search;
    return scout.search;
}

void scout_consider(struct pool_root *root)
{
    if (executions_of(rt.search) < scout.turn || !is_wanted())
        return;
    if (!has_time() || (!scout.search && !create_scout(root))) {
        scout.turn += FIRST_TURN;
        return;
    }
    uint64_t so_far = executions_of(scout.search), due = scout.turn * RATIO;
    scout.turn *= 2;
    scout.turn_until = due > so_far ? due : so_far;
    scout.turn_begins = now();
    take_over(scout.search, true);
}

static void give_way(void)
{
    scout.spent += now() - scout.turn_begins;
    take_over(scout.main, false);
}

/* Every trace has been run. */
static void replace_main(void)
{
    const struct search_stats *bounded = search_stats(scout.main);
    struct search_stats *stats = &rt.board->stats;
    claim_add(&rt.board->claim, search_claim(scout.search));
    *stats = *search_stats(scout.search);
    stats->complete = claim_allows(&rt.board->claim, CLAIM_SEARCHED);
    stats->bound = bounded->bound;
    stats->bound_done = bounded->bound_done;
    stats->nrows = bounded->nrows;
    __builtin_memcpy(stats->row, bounded->row, sizeof stats->row);
    rt.board->left = LEFT_NOTHING;
}

bool scout_end(bool more)
{
    const struct search_stats *stats = search_stats(scout.search);
    if (stats->complete && stats->nfailures_seen == 0) {
        replace_main();
        return false;
    }
    bool lost = !more || !claim_allows(search_claim(scout.search), CLAIM_SEARCHED);
    bool looks = executions_of(scout.search) % LOOK == 0;
    if (looks && scout.spent + now() - scout.turn_begins > MOST_TIME &&
        scout.spent + now() - scout.turn_begins > (now() - scout.begun) / SHARE)
        scout.turn_until = 0;
    scout.over = scout.over || lost;
    if (scout.over || rt.board->stop || rt.board->start_over ||
        executions_of(scout.search) >= scout.turn_until)
        give_way();
    return !rt.board->stop;
}

/* --- failures --- */

void scout_note_failure(void)
{
    uint64_t length = rt.board->nschedule * sizeof *scout.schedule;
    struct pool_root *root = rt.pool_segment;
    scout.over = true;
    scout.nschedule = rt.board->nschedule;
    scout.schedule = pool_alloc(root->pool, length ? length : 1);
    __builtin_memcpy(scout.schedule, rt.board->schedule, length);
    scout.failed_after = executions_of(scout.main) + executions_of(scout.search);
}

bool scout_repeats_failure(struct pool_root *root)
{
    if (!scout.schedule || rt.board->nfailures > 0)
        return false;
    struct search *search = search_create_replay(root->pool, scout.schedule, scout.nschedule,
                                                 &rt.board->config.search);
    scout.schedule = NULL;
    scout.repeating = true;
    take_over(search, false);
    return true;
}

bool scout_is_repeating(void)
{
    return scout.repeating;
}

void scout_end_repeating(void)
{
    const struct search_stats *stats = search_stats(scout.main);
    failure_keep();
    if (rt.board->nfailures > 0) {
        rt.board->failure[0].execution = scout.failed_after;
        rt.board->failure[0].bound = stats->bound;
        rt.board->stats.nfailures_seen++;
    }
    take_over(scout.main, false);
}
