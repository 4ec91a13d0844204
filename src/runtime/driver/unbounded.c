/* See unbounded.h. Turns are counted in executions, so that the same program is searched in the
 * same turns on every machine; only one that takes long is limited by time. */
#include "runtime/driver/unbounded.h"

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

#define FIRST_TURN 300 /* executions of the search by bounds before the other search begins */
#define RATIO      32  /* executions of it for each of them */
/* … while bound 0 is not finished: the program has many threads, and neither search will end
 * soon (the scout of explore/search samples) */
#define RATIO_0 1
/* nanoseconds: slower programs are divided without one */
#define FIRST_TIME UINT64_C(500000000)
#define SHARE      8 /* at most one part in so many of the time, once unbounded_time is over */
#define LOOK       8 /* executions between two looks at the clock */

static struct {
    struct search *main;   /* NULL: there is none yet */
    struct search *search; /* NULL: none yet, or it is over */
    bool running;          /* it is its turn */
    bool repeating;        /* an execution of it that has failed */
    bool over;
    uint64_t turn;        /* executions after which the search by bounds gives way */
    uint64_t turn_begins; /* on the clock */
    uint64_t turn_until;  /* executions after which the other search gives way */
    uint64_t begun;       /* on the clock: when the search by bounds began */
    uint64_t spent;       /* by the other search: nanoseconds */
    uint32_t *schedule;   /* of an execution that has failed */
    uint32_t nschedule;
    uint64_t failed_after; /* executions */
} other;

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

void unbounded_reset(void)
{
    uint64_t spent = other.spent;
    __builtin_memset(&other, 0, sizeof other);
    other.turn = FIRST_TURN;
    other.begun = read_clock();
    other.spent = spent;
}

bool unbounded_runs(void)
{
    return other.running;
}

/* Only where `auto` has chosen a search by bounds to be continued until nothing is left, and
 * all that the user wants to know is whether something fails. */
static bool is_wanted(void)
{
    const struct board_config *config = &rt.board->config;
    const struct search_options *search = &config->search;
    return !other.over && search->automatic && search->bound == BOUND_AUTO &&
           search->scout == SCOUT_ON && !search->keep_going && !search->count_states &&
           search->execs == 0 && search->fair < 0 && config->isolate == ISOLATE_SNAPSHOT &&
           !config->divide_most && !config->serial_only &&
           rt.board->history_phase == HISTORY_NONE && !rt.recording && !rt.simplifying &&
           !rt.fingerprints && !rt.symmetric && !rt.os_threads && !rt.board->was_cut &&
           strategy_is(search, &strategy_cbpor) && !leaf_work_is_shared();
}

static bool has_time(void)
{
    uint64_t passed = read_clock() - other.begun;
    return other.spent < rt.board->config.unbounded_time || other.spent * SHARE < passed;
}

bool unbounded_is_promising(void)
{
    return is_wanted() && other.spent < rt.board->config.unbounded_time &&
           (other.search || read_clock() - other.begun < FIRST_TIME);
}

/* --- turns --- */

static void take_over(struct search *search, bool unbounded)
{
    rt.search = search;
    rt.board->nschedule = 0; /* the next execution is not comparable with the last one */
    other.running = unbounded;
}

static bool create_unbounded(struct pool_root *root)
{
    struct search_options options = rt.board->config.search;
    options.bound = BOUND_NONE;
    options.automatic = options.scouts = false;
    strategy_copy(options.strategy, sizeof options.strategy, strategy_optimal.name);
    other.search = search_create(root->pool, &options, NULL, 0);
    other.main = rt.search;
    other.over = !other.search;
    return other.search;
}

void unbounded_consider(struct pool_root *root)
{
    if (executions_of(rt.search) < other.turn || !is_wanted())
        return;
    if (!has_time() || (!other.search && !create_unbounded(root))) {
        other.turn += FIRST_TURN;
        return;
    }
    bool wide = search_stats(rt.search)->bound == 0;
    uint64_t so_far = executions_of(other.search), due = other.turn * (wide ? RATIO_0 : RATIO);
    other.turn *= 2;
    other.turn_until = due > so_far ? due : so_far;
    other.turn_begins = read_clock();
    take_over(other.search, true);
}

static void give_way(void)
{
    other.spent += read_clock() - other.turn_begins;
    take_over(other.main, false);
}

/* Every trace has been run. */
static void replace_main(void)
{
    const struct search_stats *bounded = search_stats(other.main);
    struct search_stats *stats = &rt.board->stats;
    claim_add(&rt.board->claim, search_claim(other.search));
    *stats = *search_stats(other.search);
    stats->complete = claim_allows(&rt.board->claim, CLAIM_SEARCHED);
    stats->bound = bounded->bound;
    stats->bound_done = bounded->bound_done;
    stats->nrows = bounded->nrows;
    __builtin_memcpy(stats->row, bounded->row, sizeof stats->row);
    rt.board->left = LEFT_NOTHING;
}

bool unbounded_end(bool more)
{
    const struct search_stats *stats = search_stats(other.search);
    if (stats->complete && stats->nfailures_seen == 0) {
        replace_main();
        return false;
    }
    bool lost = !more || !claim_allows(search_claim(other.search), CLAIM_SEARCHED);
    bool looks = executions_of(other.search) % LOOK == 0;
    if (looks &&
        other.spent + read_clock() - other.turn_begins > rt.board->config.unbounded_time &&
        other.spent + read_clock() - other.turn_begins > (read_clock() - other.begun) / SHARE)
        other.turn_until = 0;
    other.over = other.over || lost;
    if (other.over || rt.board->stop || rt.board->start_over ||
        executions_of(other.search) >= other.turn_until)
        give_way();
    return !rt.board->stop;
}

/* --- failures --- */

void unbounded_note_failure(void)
{
    uint64_t length = rt.board->nschedule * sizeof *other.schedule;
    struct pool_root *root = rt.pool_segment;
    other.over = true;
    other.nschedule = rt.board->nschedule;
    other.schedule = pool_alloc(root->pool, length ? length : 1);
    __builtin_memcpy(other.schedule, rt.board->schedule, length);
    other.failed_after = executions_of(other.main) + executions_of(other.search);
}

bool unbounded_repeats_failure(struct pool_root *root)
{
    if (!other.schedule || rt.board->nfailures > 0)
        return false;
    struct search *search = search_create_replay(root->pool, other.schedule, other.nschedule,
                                                 &rt.board->config.search);
    other.schedule = NULL;
    other.repeating = true;
    take_over(search, false);
    return true;
}

bool unbounded_is_repeating(void)
{
    return other.repeating;
}

void unbounded_end_repeating(void)
{
    const struct search_stats *stats = search_stats(other.main);
    failure_keep();
    if (rt.board->nfailures > 0) {
        rt.board->failure[0].execution = other.failed_after;
        rt.board->failure[0].bound = stats->bound;
        rt.board->stats.nfailures_seen++;
    }
    take_over(other.main, false);
}
