/* See leaf_work.h. Everything happens between executions; a child that has nothing to do
 * sleeps.
 *
 * A leaf whose bound is finished keeps its search here, which continues when the parent asks
 * for the next bound. When there is no free place, the leaf that was begun first is forgotten:
 * the parent hands it out again as if it had never been begun. */
#include "runtime/driver/leaf_work.h"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/must.h"
#include "runtime/arch/raw.h"
#include "runtime/core/attach.h"
#include "runtime/core/runtime.h"
#include "runtime/driver/pool_root.h"
#include "runtime/driver/unbounded.h"

#define PLACE_LEAST (UINT64_C(512) << 20) /* bytes that a search may need */
#define PAUSE       50000000 /* nanoseconds: how often a waiting child checks whether to stop */

bool leaf_work_is_shared(void)
{
    return rt.board->work.shared != 0;
}

/* The memory of one leaf. */
static uint64_t place_bytes(void)
{
    return attach_pool_bytes() / 2 / LEAVES_BEGUN & ~UINT64_C(4095);
}

void leaf_work_start(struct pool_root *root)
{
    static const struct leaf whole;
    __builtin_memset(root->leaf, 0, sizeof root->leaf);
    root->current = 0;
    uint32_t *able = &rt.board->work.able;
    *able = WORK_NOT_DIVIDED;
    if (!rt.board->config.leaves || rt.board->config.waits_for_work || !rt.search)
        return;
    if (rt.board->history_phase == HISTORY_SERIAL)
        *able = WORK_IS_SERIAL;
    else if (place_bytes() < PLACE_LEAST)
        *able = WORK_NO_ROOM;
    else if (search_enter(rt.search, &whole))
        *able = WORK_ABLE;
    if (*able != WORK_ABLE)
        return;
    root->leaf[0] = (struct begun_leaf){.search = rt.search, .pool = root->pool, .bound = -1};
}

/* --- leaves that were begun --- */

static char *place_of(uint32_t i)
{
    return (char *)rt.pool_segment + (attach_pool_bytes() / 2 & ~UINT64_C(4095)) +
           i * place_bytes();
}

static void forget_leaf(struct pool_root *root, uint32_t i)
{
    if (root->leaf[i].pool != root->pool)
        raw_syscall3(SYS_madvise, (long)place_of(i), (long)place_bytes(), MADV_REMOVE);
    root->leaf[i] = (struct begun_leaf){0};
}

static uint32_t find_place(struct pool_root *root)
{
    uint32_t oldest = 0;
    for (uint32_t i = 0; i < LEAVES_BEGUN; i++) {
        if (!root->leaf[i].search)
            return i;
        if (root->leaf[i].number < root->leaf[oldest].number)
            oldest = i;
    }
    forget_leaf(root, oldest);
    return oldest;
}

/* Resumes a leaf that was begun, with everything that its search found so far. */
static bool take_up(struct pool_root *root)
{
    const struct board_work *work = &rt.board->work;
    for (uint32_t i = 0; i < LEAVES_BEGUN; i++) {
        struct begun_leaf *leaf = &root->leaf[i];
        if (!leaf->search || leaf->number != work->leaf_number)
            continue;
        if (leaf->bound + 1 != work->bound || !search_is_held(leaf->search)) {
            forget_leaf(root, i);
            return false;
        }
        root->current = i;
        return true;
    }
    return false;
}

/* False: it can't be searched. */
static bool begin_leaf(struct pool_root *root)
{
    const struct board_work *work = &rt.board->work;
    struct search_options options = rt.board->config.search;
    options.first_bound = work->bound;
    options.seed += (uint64_t)work->leaf_number << 8; /* so that no two scouts run the same */
    uint32_t i = find_place(root);
    struct pool *pool = pool_create(place_of(i), place_bytes());
    struct search *search = search_create(pool, &options, NULL, 0);
    if (!search || !search_enter(search, &work->leaf))
        return false;
    search_set_claim(search, &rt.board->claim);
    root->leaf[i] = (struct begun_leaf){
        .number = work->leaf_number, .bound = -1, .search = search, .pool = pool};
    root->current = i;
    return true;
}

/* --- the parent --- */

static void tell_parent(enum work_answer what)
{
    struct board_work *work = &rt.board->work;
    work->answer = what;
    work_tell(&work->answered, work->asked);
}

static void publish_counts(void)
{
    rt.board->stats = *search_stats(rt.search);
}

/* Tells the parent that the bound is finished. */
static void finish_bound(struct pool_root *root)
{
    struct begun_leaf *leaf = &root->leaf[root->current];
    leaf->bound = rt.board->work.bound;
    publish_counts();
    rt.board->stats.pruned_by_bound |= search_is_held(rt.search);
    tell_parent(search_gave_up(rt.search) ? WORK_GAVE_UP : WORK_FINISHED);
}

/* Sleeps until the parent changes the number, but not for long. */
static void wait_for_change(volatile uint32_t *number, uint32_t value)
{
    const struct timespec pause = {0, PAUSE};
    raw_syscall4(SYS_futex, (long)number, FUTEX_WAIT, (long)value, (long)&pause);
}

/* Waits for a leaf and begins or resumes it. False: the search must stop. */
bool leaf_work_wait(struct pool_root *root)
{
    struct board_work *work = &rt.board->work;
    for (;;) {
        rt.board->state = CHILD_SEARCHING;
        uint32_t answered = work->answered;
        while (work_number(&work->asked) == answered) {
            if (rt.board->stop)
                return false;
            wait_for_change(&work->asked, answered);
        }
        bool known = take_up(root);
        if (!known && !begin_leaf(root)) {
            tell_parent(WORK_GAVE_UP);
            continue;
        }
        root->search = rt.search = root->leaf[root->current].search;
        rt.board->nschedule = 0; /* the next execution is not comparable with the last one */
        bool runs = !known || search_next_bound(rt.search);
        publish_counts();
        if (runs)
            return true;
        finish_bound(root);
    }
}

static void give_part(bool dividing)
{
    struct board_work *work = &rt.board->work;
    bool first = !work->shared && !dividing;
    uint64_t before = search_stats(rt.search)->executions;
    uint64_t most = dividing ? UINT64_MAX : work->split_most;
    work->split_given = search_split(rt.search, &work->gift, &work->kept, most);
    work->gift_executions = before - search_stats(rt.search)->executions;
    work->split_bound = search_stats(rt.search)->bound;
    if (work->split_given) {
        work->shared = 1;
        work->gifts++;
        publish_counts();
    }
    work_tell(&work->split_answered, work->split_asked);
    while (first && work->split_given && !work_number(&work->go) && !rt.board->stop)
        wait_for_change(&work->go, 0);
}

/* --shard: is the leaf to be divided at this point? The answer must not depend on anything that
 * differs between two searches of the same program. */
static uint32_t division_place(bool more)
{
    const struct board_config *config = &rt.board->config;
    const struct search_stats *stats = search_stats(rt.search);
    if (!config->divide_most)
        return 0;
    if (more)
        return stats->executions >= config->divide_most ? 1 : 0;
    return search_is_held(rt.search) && stats->executions >= config->divide_least ? 2 : 0;
}

/* Gives away one part after another as long as the parent asks; then the parent ends this
 * process. False: there is nothing to give away here. */
static bool divide_leaf(uint32_t place)
{
    struct board_work *work = &rt.board->work;
    give_part(true);
    if (!work->split_given)
        return false;
    work_tell(&work->dividing, place);
    while (!rt.board->stop) {
        uint32_t answered = work->split_answered;
        if (work_number(&work->split_asked) == answered)
            wait_for_change(&work->split_asked, answered);
        else
            give_part(true);
    }
    return true;
}

/* No other process searches: continues with the next bound at once, as a search without leaves
 * does. It does so even when the search must stop, so that it can be resumed there. */
static bool go_on_alone(bool stopped)
{
    while (search_is_held(rt.search)) {
        bool more = search_next_bound(rt.search);
        publish_counts();
        if (more) {
            rt.board->left = LEFT_MORE;
            return !stopped;
        }
    }
    return false;
}

bool leaf_work_next(struct pool_root *root, bool more)
{
    struct board_work *work = &rt.board->work;
    if (!search_in_leaf(rt.search))
        return more;
    if (UNLIKELY(rt.board->start_over)) {
        if (!leaf_work_is_shared())
            return more;
        tell_parent(WORK_LEARNED);
        return leaf_work_wait(root); /* not for long: the parent ends all children */
    }
    uint32_t place = UNLIKELY(rt.board->config.divide_most) ? division_place(more) : 0;
    if (place && divide_leaf(place))
        return false;
    if (UNLIKELY(work_number(&work->split_asked) != work->split_answered) && more) {
        if (search_is_taken_over(rt.search))
            work->able = WORK_TAKEN_OVER;
        if (!unbounded_is_promising())
            give_part(false);
    }
    if (more || (!search_closed_bound(rt.search) && !search_gave_up(rt.search)))
        return more;
    if (!leaf_work_is_shared())
        return go_on_alone(rt.board->stop != 0);
    finish_bound(root);
    return leaf_work_wait(root);
}
