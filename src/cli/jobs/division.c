/* See division.h. */
#include "cli/jobs/division.h"

#include <stdlib.h>

#include "base/must.h"
#include "cli/jobs/workers.h"

#define DIVIDE_LEAST 1000  /* executions at the end of a bound that make dividing worthwhile */
#define DIVIDE_MOST  20000 /* … in the middle of one: don't wait for its end */
#define LEAVES_EACH  16    /* leaves for each shard, if possible */
#define DIVIDED_EACH 4     /* leaves for each shard that may be divided for this */

void division_reset(struct shard_division *division)
{
    for (size_t i = 0; i < division->count; i++)
        free(division->leaf[i].record);
    free(division->leaf);
    *division = (struct shard_division){.current = -1};
}

void division_configure(const struct shard_division *division, struct board_config *config)
{
    if (division->current < 0) {
        config->divide_least = DIVIDE_LEAST;
        config->divide_most = DIVIDE_MOST;
    } else { /* at the end of the bound that the whole search had finished, or at once */
        config->divide_least = division->guesses ? UINT64_MAX : 1;
        config->divide_most = division->guesses ? 1 : UINT64_MAX;
    }
}

static struct shard_leaf *add_part(struct shard_division *division, const struct leaf *leaf,
                                   const struct slot_names *names, double weight)
{
    division->leaf = reallocarray(division->leaf, division->count + 1, sizeof *division->leaf);
    if (!division->leaf)
        abort();
    struct shard_leaf *part = &division->leaf[division->count++];
    *part = (struct shard_leaf){.record = leaf_record_new(leaf, names), .weight = weight};
    return part;
}

/* --- the parts of one leaf --- */

static void begin_parts(struct shard_division *division, const struct job *worker,
                        uint32_t place)
{
    division->giving = true;
    division->parts = 0;
    if (division->current < 0) {
        division->before = worker_counts(worker);
        division->guesses = place == 1;
        division->rest = 1;
    } else {
        division->rest = division->leaf[division->current].weight;
    }
}

static void take_part(struct jobs *jobs, const struct leaf *gift)
{
    struct shard_division *division = &jobs->division;
    const struct board *board = jobs->worker[0].shared->board;
    struct slot_names names = worker_names(board);
    double weight = (double)board->work.gift_executions;
    if (division->guesses)
        weight = division->rest /= 2;
    add_part(division, gift, &names, weight);
    division->parts++;
    ask_for_part(jobs, 0, UINT64_MAX);
}

/* There are no more parts: what is left is a leaf as well. */
static enum course end_parts(struct jobs *jobs)
{
    struct shard_division *division = &jobs->division;
    struct job *worker = &jobs->worker[0];
    const struct board *board = worker->shared->board;
    static struct leaf kept;
    kept = board->work.kept;
    if (board->work.gifts != division->parts || !leaf_is_sane(&kept)) {
        jobs->dispatch.why_one = "a part of the search was lost";
        return COURSE_ONE;
    }
    struct slot_names names = worker_names(board);
    double weight =
        division->guesses ? division->rest : (double)worker_counts(worker).executions;
    if (division->current < 0) {
        if (!shared_copy(&jobs->pattern, worker->shared)) {
            jobs->dispatch.why_one = "no memory for another process";
            return COURSE_ONE;
        }
        jobs->dispatch.layout = jobs->pattern.board->layout;
        add_part(division, &kept, &names, weight);
    } else {
        struct shard_leaf *leaf = &division->leaf[division->current];
        leaf->record->leaf = kept;
        leaf->record->names = names;
        leaf->weight = weight;
    }
    division->divided++;
    division->giving = false;
    return COURSE_ON;
}

/* --- which leaf is next --- */

static int heaviest_leaf(const struct shard_division *division, int shards)
{
    double all = 0;
    int best = -1;
    for (size_t i = 0; i < division->count; i++) {
        const struct shard_leaf *leaf = &division->leaf[i];
        all += leaf->weight;
        if (!leaf->indivisible && (best < 0 || leaf->weight > division->leaf[best].weight))
            best = (int)i;
    }
    size_t enough = (size_t)shards * LEAVES_EACH;
    if (best < 0 || division->count >= enough ||
        division->divided > (size_t)shards * DIVIDED_EACH ||
        division->leaf[best].weight * (double)enough <= all)
        return -1;
    return best;
}

/* Uses a fresh child, so that nothing depends on what the last one did. */
static enum course divide_next(struct jobs *jobs)
{
    struct shard_division *division = &jobs->division;
    struct job *worker = &jobs->worker[0];
    end_worker(worker);
    collect_found(jobs, worker->shared->board);
    division->current = heaviest_leaf(division, jobs->session->shard.of);
    if (division->current < 0)
        return COURSE_OVER;
    const struct shard_leaf *leaf = &division->leaf[division->current];
    int bound = division->before.bound - !division->guesses;
    if (!shared_copy(worker->shared, &jobs->pattern)) {
        jobs->dispatch.why_one = "no memory for another process";
        return COURSE_ONE;
    }
    worker->shared->board->nthreads = 0;
    start_worker(jobs, 0, true);
    bool handed = hand_leaf(worker, leaf->record, division->current, bound);
    must(handed); /* the child knows no slots yet */
    return COURSE_ON;
}

/* The child is done with the leaf, and there was nothing to divide. */
static enum course leave_whole(struct jobs *jobs)
{
    const struct board *board = jobs->worker[0].shared->board;
    take_reasons(jobs, board);
    jobs->dispatch.learner = 0;
    if (board->work.answer == WORK_LEARNED)
        return COURSE_OVER_AGAIN;
    if (board->work.answer != WORK_FINISHED) {
        jobs->dispatch.why_one = "a part of the search is too large";
        return COURSE_ONE;
    }
    jobs->division.leaf[jobs->division.current].indivisible = true;
    jobs->division.divided++;
    return divide_next(jobs);
}

enum course division_look(struct jobs *jobs)
{
    static struct leaf kept, gift;
    struct shard_division *division = &jobs->division;
    const struct job *worker = &jobs->worker[0];
    if (jobs->stopping || !worker->child)
        return COURSE_ON;
    const struct board_work *work = &worker->shared->board->work;
    uint32_t place = work_number(&work->dividing);
    if (!place) {
        bool done = division->current >= 0 && work_number(&work->answered) == worker->given;
        return done ? leave_whole(jobs) : COURSE_ON;
    }
    if (!division->giving)
        begin_parts(division, worker, place);
    int given = read_split(worker, &kept, &gift);
    if (given == 1)
        take_part(jobs, &gift);
    if (given != 0)
        return COURSE_ON;
    enum course course = end_parts(jobs);
    return course == COURSE_ON ? divide_next(jobs) : course;
}
