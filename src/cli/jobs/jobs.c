/* See jobs.h.
 *
 *     one child, the whole search ── it can be split, and takes long ──▶ shared out
 *        ▲                                                                  │
 *        └── a child has learned: all start over with the lesson ───────────┤
 *                                                                           ▼
 *     one child, without leaves  ◀── a leaf can't be done, … ────── every leaf, bound by bound
 *
 * The search begins in one child, as if there were no others: most searches are over before
 * another process could have started, lessons come early, and `auto` can still choose. The
 * children that join in get a copy of its board, with everything that is known about the
 * program; the *pattern* is kept for those that replace one that was killed.
 *
 * Who gets which leaf is decided in dispatch.h, and what all of them prove in foreman.h. This
 * file starts and ends children and passes messages (board/messages.h). */
#define _GNU_SOURCE
#include "cli/jobs/jobs.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "cli/jobs/kept_leaves.h"
#include "cli/jobs/workers.h"
#include "cli/watch/open_shared.h"
#include "explore/search/strategies.h"

#define FIRST_LINE  0.5  /* seconds to wait until it is clear whether there are several jobs */
#define KILLED_MOST 1000 /* children that may be killed from outside before it is a failure */
#define LOOK_SELDOM 20   /* milliseconds: one child */

static enum course lacks_memory(struct jobs *jobs)
{
    jobs->dispatch.why_one = "no memory for another process";
    return COURSE_ONE;
}

/* A child was killed from outside: its leaf is done again by a new one. */
static enum course replace_worker(struct jobs *jobs, int number)
{
    if (++jobs->killed > KILLED_MOST)
        return COURSE_OVER;
    if (jobs->shared_out) { /* also the leaves that it had finished */
        collect_found(jobs, jobs->worker[number].shared->board);
        dispatch_lost(&jobs->dispatch, number);
        return add_worker(jobs, number) ? COURSE_ON : lacks_memory(jobs);
    }
    if (!shared_copy(&jobs->session->shared, &jobs->pattern))
        return lacks_memory(jobs);
    division_reset(&jobs->division); /* also the part that was being divided */
    start_worker(jobs, 0, false);
    return COURSE_ON;
}

/* Did the last child that was killed run the same schedule? A program that kills itself does so
 * at the same place again. */
static bool died_here_before(struct jobs *jobs, const struct board *board)
{
    uint64_t hash = board->nschedule;
    for (uint32_t i = 0; i < board->nschedule; i++)
        hash = hash_join(hash, board->schedule[i]);
    bool again = jobs->killed > 0 && jobs->death == hash;
    jobs->death = hash;
    return again;
}

static bool died_by_itself(enum child_end end)
{
    return end == CHILD_CRASHED || end == CHILD_LEFT || end == CHILD_HUNG;
}

static enum course worker_ended(struct jobs *jobs, int number)
{
    struct search_session *session = jobs->session;
    struct job *worker = &jobs->worker[number];
    struct ending ending = child_end(worker->child);
    struct board *board = worker->shared->board;
    worker->child = NULL;
    jobs->stopping |= ending.timed_out || ending.interrupted;
    if (died_here_before(jobs, board) && program_kills_itself(session, board, &ending))
        ending.end = CHILD_CRASHED;
    if (ending.end == CHILD_TAKEN && ending.culprit == CULPRIT_SENDER && !jobs->stopping)
        return replace_worker(jobs, number);
    if (!session->ending.timed_out && !session->ending.interrupted)
        session->ending = ending;
    if (ending.end == CHILD_NOT_STARTED)
        return COURSE_OVER;
    note_ended_blocks(board);
    take_reasons(jobs, board);
    bool before = session->nfound > 0;
    session->harvested = 0;
    collect_failures(session, board, &ending, jobs->shared_out);
    bool keeps_going = session->options->settings.search.keep_going;
    if (died_by_itself(ending.end) && keeps_going && !jobs->stopping) {
        jobs->dispatch.why_one = "the program ends its process";
        return COURSE_ONE;
    }
    if (!jobs->shared_out)
        return COURSE_OVER;
    if (session->nfound > 0 && !before && !keeps_going)
        return COURSE_OVER;
    if (jobs->stopping) { /* the others end, too */
        for (int i = 0; i < jobs->count; i++)
            if (jobs->worker[i].child)
                return COURSE_ON;
        return COURSE_OVER;
    }
    return COURSE_OVER; /* the reason is on its board */
}

static enum course look_at_children(struct jobs *jobs)
{
    enum course course = COURSE_ON;
    for (int i = 0; i < jobs->count && course == COURSE_ON; i++) {
        struct job *worker = &jobs->worker[i];
        if (worker->child && (!child_is_running(worker->child) || !child_look(worker->child)))
            course = worker_ended(jobs, i);
    }
    return course;
}

/* --- sharing out --- */

static int last_bound(const struct search_session *session)
{
    const struct search_options *search = &session->options->settings.search;
    int last = strategy_has(session->shared.board->config.search.strategy, STRATEGY_DELAYS)
                   ? search->delay
                   : search->bound;
    return last >= 0 ? last : INT_MAX;
}

static void add_workers(struct jobs *jobs, int from)
{
    if (jobs->count > 1)
        progress_jobs(&jobs->session->progress, jobs->count, NULL);
    for (int i = from; i < jobs->count; i++)
        if (!add_worker(jobs, i)) {
            jobs->count = i; /* the others never join */
            break;
        }
}

/* --shard: the search was divided. What was dealt to this shard is shared out. */
static enum course take_shard(struct jobs *jobs)
{
    struct search_session *session = jobs->session;
    struct shard_division *division = &jobs->division;
    struct foreman *foreman = &jobs->dispatch.foreman;
    struct shard *shard = &session->shard;
    jobs->dividing = false;
    jobs->shared_out = session->shared_out = true;
    shards_deal(division->leaf, division->count, shard->of);
    foreman_begin(foreman, &division->before, last_bound(session));
    for (size_t i = 0; i < division->count; i++)
        if (division->leaf[i].shard == shard->index - 1)
            foreman_add(foreman, division->leaf[i].record);
    shard->whole = false;
    shard->tree = shards_hash(division->leaf, division->count);
    shard->leaves = (unsigned)division->count;
    shard->own = (unsigned)foreman->count;
    progress_shard(&session->progress, shard->index, shard->of, division->before.nrows);
    add_workers(jobs, 0);
    return jobs->count > 0 ? COURSE_ON : lacks_memory(jobs);
}

/* --resume: the leaves of the search that was stopped are shared out. */
static void take_kept(struct jobs *jobs)
{
    struct search_session *session = jobs->session;
    struct dispatch *dispatch = &jobs->dispatch;
    struct board *board = session->shared.board;
    dispatch->claim = board->claim;
    dispatch->layout = board->layout;
    bool good = leaves_unpack(&dispatch->foreman, &session->kept.leaves);
    must(good); /* search_program.c has tried */
    buffer_release(&session->kept.leaves);
    board->config.resume = false;
    jobs->shared_out = session->shared_out = true;
}

/* The search was stopped: what --resume needs. Failures stay with the processes that found
 * them. */
static void keep_leaves(struct jobs *jobs)
{
    struct search_session *session = jobs->session;
    struct kept_search *kept = &session->kept;
    struct board *board = jobs->pattern.board;
    if (!jobs->stopping || !jobs->shared_out || session->nfound > 0 || session->shard.of > 0 ||
        foreman_bound_is_done(&jobs->dispatch.foreman))
        return;
    leaves_pack(&jobs->dispatch.foreman, &kept->leaves);
    board->stats = session->shared.board->stats;
    board->claim = jobs->dispatch.claim;
    board->left = LEFT_MORE;
    kept->seconds += session->seconds;
    resume_keep(kept, session->program, &jobs->pattern);
    kept->seconds -= session->seconds;
    buffer_release(&kept->leaves);
}

/* The first part was given away: others can join in. */
static enum course share_out(struct jobs *jobs, const struct leaf *kept,
                             const struct leaf *gift)
{
    struct search_session *session = jobs->session;
    struct job *first = &jobs->worker[0];
    const struct board *board = first->shared->board;
    struct search_stats before = worker_counts(first);
    before.bound = board->work.split_bound;
    struct slot_names names = worker_names(board);
    jobs->shared_out = session->shared_out = true;
    if (!shared_copy(&jobs->pattern, first->shared))
        return lacks_memory(jobs);
    dispatch_share(&jobs->dispatch, &before, last_bound(session), kept, gift, &names,
                   jobs->pattern.board->layout);
    work_tell(&first->shared->board->work.go, 1);
    wake_child(&first->shared->board->work.go);
    add_workers(jobs, 1);
    return COURSE_ON;
}

/* A search of milliseconds is not worth another process; and one whose bound is nearly finished
 * only if it is long, because the others repeat what was run. */
static bool is_time_to_share(const struct jobs *jobs, double now)
{
    double least = jobs->session->share_after;
    double seconds = now - jobs->started;
    struct search_stats stats = worker_counts(&jobs->worker[0]);
    double expected = foreman_expects(&stats);
    bool young = expected <= 0 || expected >= 2 * (double)stats.executions;
    return seconds >= (young ? least : 2 * least);
}

static bool is_entangled(const struct board *board)
{
    struct claim claim = board->claim;
    claim_sanitize(&claim);
    return dispatch_is_entangled(&claim);
}

/* One child searches alone: can it give a part away? */
static enum course consider_sharing(struct jobs *jobs, double now)
{
    static struct leaf kept, gift;
    struct job *first = &jobs->worker[0];
    const struct board *board = first->shared->board;
    if (!is_time_to_share(jobs, now) || !board->started_threads || jobs->stopping)
        return COURSE_ON;
    if (!jobs->dispatch.worker[0].asked) {
        if (dispatch_may_ask(&jobs->dispatch, 0, now) && !is_entangled(board))
            dispatch_ask(&jobs->dispatch, 0, UINT64_MAX);
        return COURSE_ON;
    }
    int given = read_split(first, &kept, &gift);
    if (given == 0)
        dispatch_no_gift(&jobs->dispatch, 0, now);
    return given == 1 ? share_out(jobs, &kept, &gift) : COURSE_ON;
}

/* --- the search in leaves --- */

static enum course hear_worker(struct jobs *jobs, int number, double now)
{
    static struct leaf kept, gift;
    struct job *worker = &jobs->worker[number];
    struct dispatch *dispatch = &jobs->dispatch;
    if (!worker->child || dispatch->worker[number].leaf < 0)
        return COURSE_ON;
    const struct board *board = worker->shared->board;
    bool answered = work_number(&board->work.answered) == worker->given;
    int given = dispatch->worker[number].asked ? read_split(worker, &kept, &gift) : -1;
    if (given == 1) {
        struct slot_names names = worker_names(board);
        dispatch_gift(dispatch, number, &kept, &gift, &names);
    } else if (given == 0) {
        dispatch_no_gift(dispatch, number, now);
    }
    struct search_stats stats = worker_counts(worker);
    if (!answered) {
        dispatch_counts(dispatch, number, &stats);
        return COURSE_ON;
    }
    /* if a part was asked for too late, it will come from its next leaf */
    take_reasons(jobs, board);
    struct leaf_answer answer = {.what = board->work.answer,
                                 .stats = stats,
                                 .gifts = board->work.gifts,
                                 .layout = board->layout};
    return dispatch_answer(dispatch, number, &answer, now);
}

static enum course direct_workers(struct jobs *jobs, double now)
{
    enum course course = COURSE_ON;
    for (int i = 0; i < jobs->count && course == COURSE_ON; i++)
        course = hear_worker(jobs, i, now);
    return course == COURSE_ON && !jobs->stopping ? dispatch_direct(&jobs->dispatch, now)
                                                  : course;
}

/* Why the search of one process is not shared out; NULL: it may be. */
static const char *why_undivided(const struct board *board)
{
    switch (board->work.able) {
    case WORK_ABLE:
        return is_entangled(board) ? dispatch_entangled : NULL;
    case WORK_TAKEN_OVER:
        return "a strategy whose searches are not divided has taken over";
    case WORK_IS_SERIAL:
        return "the serial part of a history is found by one";
    case WORK_NO_ROOM:
        return "no memory for several searches";
    default:
        return "searches of its strategy are not divided";
    }
}

/* Tells the user if the search can't be divided. */
static void tell_if_unable(const struct jobs *jobs)
{
    struct search_session *session = jobs->session;
    if (!session->tells_jobs || jobs->shared_out)
        return;
    const char *why = why_undivided(session->shared.board);
    if (why)
        progress_jobs(&session->progress, 1, why);
}

static void show_progress(struct jobs *jobs, double now)
{
    struct search_session *session = jobs->session;
    const struct board *board = session->shared.board;
    double seconds = now - jobs->started;
    if (!jobs->worker[0].child || !progress_is_due(&session->progress, board, seconds) ||
        (!jobs->shared_out && seconds < FIRST_LINE))
        return;
    tell_if_unable(jobs);
    struct search_stats stats = jobs->shared_out ? foreman_counts(&jobs->dispatch.foreman)
                                                 : worker_counts(&jobs->worker[0]);
    progress_show(&session->progress, board, &stats, seconds);
}

static enum course take_turn(struct jobs *jobs, double now)
{
    if (jobs->shared_out)
        return direct_workers(jobs, now);
    if (!jobs->dividing)
        return consider_sharing(jobs, now);
    enum course course = division_look(jobs);
    return course == COURSE_OVER ? take_shard(jobs) : course;
}

static enum course run_course(struct jobs *jobs)
{
    enum course course = COURSE_ON;
    while (course == COURSE_ON) {
        bool is_patient =
            !jobs->shared_out && !jobs->dividing && jobs->session->share_after > 0;
        struct child *children[jobs->count];
        size_t running = 0;
        for (int i = 0; i < jobs->count; i++)
            if (jobs->worker[i].child && child_is_running(jobs->worker[i].child))
                children[running++] = jobs->worker[i].child;
        children_wait(children, running, is_patient ? LOOK_SELDOM : LOOK_OFTEN);
        course = look_at_children(jobs);
        double now = clock_seconds();
        if (course == COURSE_ON)
            course = take_turn(jobs, now);
        show_progress(jobs, now);
    }
    return course;
}

/* --- the end, and other beginnings --- */

static int compare_found(const void *left, const void *right)
{
    const struct board_failure *a = &((const struct found_failure *)left)->failure;
    const struct board_failure *b = &((const struct found_failure *)right)->failure;
    if (a->bound != b->bound)
        return a->bound < b->bound ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    int order = strcmp(a->message, b->message);
    if (order)
        return order;
    return a->stack.pc[0] < b->stack.pc[0] ? -1 : a->stack.pc[0] > b->stack.pc[0];
}

/* In a shard, rows and bounds on the board are those of the whole search; what it finished of
 * its own part is recorded separately. */
static void take_apart(struct jobs *jobs, bool finished)
{
    struct shard *shard = &jobs->session->shard;
    struct search_stats *stats = &jobs->session->shared.board->stats;
    const struct search_stats *before = &jobs->division.before;
    shard->exhausted = finished && stats->complete;
    shard->bound_done = stats->bound_done;
    for (int i = before->nrows; i < stats->nrows; i++)
        shard->row[shard->nrows++] = stats->row[i];
    stats->nrows = before->nrows;
    stats->bound_done = before->bound_done;
    stats->complete = false;
    char which[32];
    snprintf(which, sizeof which, "%d of %d", shard->index, shard->of);
    claim_raise(&jobs->dispatch.claim, REASON_SHARD, which);
}

/* The session's board gets what all children did. */
static void sum_up(struct jobs *jobs)
{
    struct search_session *session = jobs->session;
    struct board *board = session->shared.board;
    const struct foreman *foreman = &jobs->dispatch.foreman;
    bool finished = foreman_bound_is_done(foreman);
    for (int i = 0; i < jobs->count; i++) {
        struct board *other = jobs->worker[i].shared->board;
        if (!other)
            continue;
        collect_found(jobs, other);
        dispatch_counts(&jobs->dispatch, i, &other->stats);
        if (other->max_threads > board->max_threads)
            board->max_threads = other->max_threads;
        if (other->max_visible > board->max_visible)
            board->max_visible = other->max_visible;
    }
    board->stats = finished ? foreman->total : foreman_counts(foreman);
    if (board->stats.nfailures_seen > 0 && session->nfound == 0) /* it was overwritten */
        claim_raise(&jobs->dispatch.claim, REASON_DOUBTFUL, NULL);
    if (session->shard.of > 0 && !session->shard.whole)
        take_apart(jobs, finished);
    board->claim = jobs->dispatch.claim;
    board->left = finished ? LEFT_NOTHING : LEFT_LOOSE;
    if (finished || session->ending.end == CHILD_KILLED)
        session->ending.end = CHILD_FINISHED;
    qsort(session->found, session->nfound, sizeof *session->found, compare_found);
    /* it is a count of only the process that found the failure */
    if (session->nfound > 0 && !session->options->settings.search.keep_going)
        session->found[0].failure.execution = board->stats.executions;
}

/* The search was stopped while it was divided: the last child has searched a part of it. */
static void leave_division(struct jobs *jobs)
{
    struct board *board = jobs->session->shared.board;
    board->stats = jobs->division.before;
    board->left = LEFT_LOOSE;
    board->claim = jobs->dispatch.claim;
}

/* A fresh start on the session's board; proven bounds stay proven. `again`: in all children,
 * with what one of them has learned. */
static bool renew_session(struct jobs *jobs, const struct shared *from, bool again)
{
    struct search_session *session = jobs->session;
    const struct search_stats *total = &jobs->dispatch.foreman.total;
    if (from != &jobs->pattern && !shared_copy(&jobs->pattern, from))
        return false;
    end_workers(jobs);
    for (int i = 0; i < jobs->count && !again && jobs->shared_out; i++)
        if (jobs->worker[i].shared->board)
            collect_found(jobs, jobs->worker[i].shared->board);
    if (!shared_copy(&session->shared, &jobs->pattern))
        return false;
    struct board *board = session->shared.board;
    board->config.waits_for_work = false;
    board->round++;
    if (total->bound_done > board->proven.bound_done)
        board->proven = *total;
    if (again) /* with the lesson they may not be */
        drop_failures(session);
    dispatch_restart(&jobs->dispatch);
    claim_forget_search(&board->claim);
    claim_add(&board->claim, &jobs->dispatch.claim);
    if (jobs->shared_out &&
        session->shard.of > 0) /* the others do not know what it has learned */
        jobs->dividing = false;
    session->shard.whole = session->shard.of > 0;
    division_reset(&jobs->division);
    jobs->shared_out = session->shared_out = false;
    return true;
}

static bool open_jobs(struct jobs *jobs)
{
    jobs->worker = allocate((size_t)jobs->count * sizeof *jobs->worker);
    memset(jobs->worker, 0, (size_t)jobs->count * sizeof *jobs->worker);
    for (int i = 0; i < jobs->count; i++) {
        jobs->worker[i].own = (struct shared){.board_fd = -1, .pool_fd = -1};
        jobs->worker[i].shared = i == 0 ? &jobs->session->shared : &jobs->worker[i].own;
    }
    jobs->started = clock_seconds();
    shared_give(&jobs->session->shared);
    return open_shared(&jobs->pattern) && shared_copy(&jobs->pattern, &jobs->session->shared);
}

static void close_jobs(struct jobs *jobs, int count)
{
    for (int i = 1; i < count; i++)
        if (jobs->worker[i].own.board)
            shared_close(&jobs->worker[i].own);
    if (jobs->pattern.board)
        shared_close(&jobs->pattern);
    division_reset(&jobs->division);
    dispatch_close(&jobs->dispatch);
    free(jobs->worker);
}

/* The next run on this board has the whole program. */
static void leave_leaves(struct board_config *config)
{
    config->leaves = config->waits_for_work = false;
    config->divide_least = config->divide_most = 0;
}

bool run_jobs(struct search_session *session, bool invisible)
{
    static struct jobs jobs; /* its list of reasons is large */
    int count = session->jobs;
    jobs = (struct jobs){.session = session,
                         .invisible = invisible,
                         .count = count,
                         .dividing = session->shard.of > 0,
                         .division = {.current = -1}};
    dispatch_open(&jobs.dispatch,
                  (struct transport){.context = &jobs, .give = give_leaf, .ask = ask_for_part},
                  count);
    bool over = false;
    if (session->kept.leaves.length > 0)
        take_kept(&jobs);
    if (open_jobs(&jobs)) {
        enum course course;
        do {
            if (!jobs.shared_out)
                start_worker(&jobs, 0, false);
            else
                add_workers(&jobs, 0);
            course = run_course(&jobs);
        } while (course == COURSE_OVER_AGAIN &&
                 renew_session(&jobs, jobs.worker[jobs.dispatch.learner].shared, true));
        over = course != COURSE_ONE || !renew_session(&jobs, &jobs.pattern, false);
        end_workers(&jobs);
        if (over && !jobs.shared_out && jobs.division.count > 0)
            leave_division(&jobs);
        if (over && jobs.shared_out)
            sum_up(&jobs);
        else if (over)
            tell_if_unable(&jobs);
    }
    session->seconds += clock_seconds() - jobs.started;
    leave_leaves(&session->shared.board->config);
    if (over)
        keep_leaves(&jobs);
    else
        progress_jobs(&session->progress, 1, jobs.dispatch.why_one);
    close_jobs(&jobs, count);
    return over;
}
