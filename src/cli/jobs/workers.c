/* See workers.h. */
#define _GNU_SOURCE
#include "cli/jobs/workers.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cli/watch/open_shared.h"

/* --- what boards say while their children run --- */

struct search_stats worker_counts(const struct job *worker)
{
    struct search_stats stats = worker->shared->board->stats;
    stats_sanitize(&stats);
    return stats;
}

struct slot_names worker_names(const struct board *board)
{
    struct slot_names names = {0};
    for (uint32_t i = 0; i < board->nthreads && i < LEAF_THREADS; i++) {
        names.slot[i].parent = board->thread[i].parent;
        names.slot[i].number = board->thread[i].number;
        names.count = i + 1;
    }
    return names;
}

void take_reasons(struct jobs *jobs, const struct board *board)
{
    struct claim claim = board->claim;
    claim_sanitize(&claim);
    dispatch_reasons(&jobs->dispatch, &claim);
}

/* --- starting and ending children --- */

void start_worker(struct jobs *jobs, int number, bool waits)
{
    struct job *worker = &jobs->worker[number];
    struct board *board = worker->shared->board;
    board->config.leaves = true;
    board->config.waits_for_work = waits;
    board->work.shared = waits;
    board->config.divide_least = board->config.divide_most = 0;
    if (jobs->dividing)
        division_configure(&jobs->division, &board->config);
    worker->supervision = search_supervision(jobs->session, worker->shared, jobs->invisible);
    worker->supervision.tick = NULL;
    worker->supervision.places_known = waits || jobs->session->shared.board->round > 0;
    worker->supervision.nplaces = board->nplaces;
    worker->given = board->work.asked = !waits; /* the first one has the whole search */
    worker->split_asked = 0;
    dispatch_joined(&jobs->dispatch, number, clock_seconds());
    worker->child = child_start(&worker->supervision);
}

/* A child that waits for a leaf. */
bool add_worker(struct jobs *jobs, int number)
{
    struct job *worker = &jobs->worker[number];
    if (number > 0 && !worker->shared->board && !open_shared(worker->shared))
        return false;
    if (!shared_copy(worker->shared, &jobs->pattern))
        return false;
    start_worker(jobs, number, true);
    return true;
}

/* End a child whose board is of no interest. */
void end_worker(struct job *worker)
{
    if (!worker->child)
        return;
    if (child_is_running(worker->child)) {
        child_kill(worker->child);
        while (child_look(worker->child))
            children_wait(&worker->child, 1, LOOK_OFTEN);
    }
    child_end(worker->child);
    worker->child = NULL;
}

void end_workers(struct jobs *jobs)
{
    for (int i = 0; i < jobs->count; i++)
        end_worker(&jobs->worker[i]);
}

/* Collects the failures on the board of a child that has ended, but not because of a failure.
 */
void collect_found(struct jobs *jobs, struct board *board)
{
    static const struct ending finished = {.end = CHILD_FINISHED};
    note_ended_blocks(board);
    take_reasons(jobs, board);
    jobs->session->harvested = 0;
    collect_failures(jobs->session, board, &finished, true);
}

/* --- messages --- */

void wake_child(volatile uint32_t *number)
{
    syscall(SYS_futex, number, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

void ask_for_part(void *context, int number, uint64_t most)
{
    struct job *worker = &((struct jobs *)context)->worker[number];
    worker->shared->board->work.split_most = most;
    work_tell(&worker->shared->board->work.split_asked, ++worker->split_asked);
}

/* The child's answer to that. 1: a part, 0: nothing, -1: it has not answered. */
int read_split(const struct job *worker, struct leaf *kept, struct leaf *gift)
{
    const struct board_work *work = &worker->shared->board->work;
    if (work_number(&work->split_answered) != worker->split_asked)
        return -1;
    if (!work->split_given)
        return 0;
    *kept = work->kept;
    *gift = work->gift;
    return leaf_is_sane(kept) && leaf_is_sane(gift);
}

/* Does the child use the same slots for the threads that it has seen so far? The other slots
 * are sent to it. */
static bool agree_on_slots(struct board *board, const struct slot_names *names)
{
    uint32_t known = board->nthreads < names->count ? board->nthreads : names->count;
    for (uint32_t i = 0; i < known; i++)
        if (board->thread[i].parent != names->slot[i].parent ||
            board->thread[i].number != names->slot[i].number)
            return false;
    for (uint32_t i = known; i < names->count; i++) {
        board->thread[i].parent = names->slot[i].parent;
        board->thread[i].number = names->slot[i].number;
        board->nthreads = i + 1;
    }
    return true;
}

bool hand_leaf(struct job *worker, const struct leaf_record *record, int leaf, int bound)
{
    struct board_work *work = &worker->shared->board->work;
    if (!agree_on_slots(worker->shared->board, &record->names))
        return false;
    work->leaf = record->leaf;
    work->leaf_number = (uint32_t)leaf;
    work->bound = bound;
    work_tell(&work->asked, ++worker->given);
    wake_child(&work->asked);
    return true;
}

/* The worker waits. */
bool give_leaf(void *context, int number, int leaf, int bound)
{
    struct jobs *jobs = context;
    struct job *worker = &jobs->worker[number];
    const struct leaf_record *record = jobs->dispatch.foreman.leaf[leaf];
    if (hand_leaf(worker, record, leaf, bound))
        return true;
    end_worker(worker); /* another process can have other numbers */
    collect_found(jobs, worker->shared->board);
    if (!shared_copy(worker->shared, &jobs->pattern))
        return false;
    worker->shared->board->nthreads = 0;
    start_worker(jobs, number, true);
    dispatch_renewed(&jobs->dispatch, number, leaf);
    return hand_leaf(worker, record, leaf, bound);
}
