/* See dispatch.h. */
#include "cli/jobs/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "base/must.h"
#include "host/buffer.h"

#define ASK_AGAIN  0.005 /* seconds until a worker that had nothing to give is asked again */
#define ASK_SELDOM 0.02  /* … at most */
#define ASK_FIRST  0.002 /* seconds until a leaf is large enough to be split */

/* A part may be given away in advance if it costs at most one in so many executions of its
 * leaf. */
#define REPEATS_ONE_IN 64

void dispatch_open(struct dispatch *dispatch, struct transport transport, int count)
{
    *dispatch = (struct dispatch){.transport = transport, .count = count};
    foreman_close(&dispatch->foreman); /* nothing is finished */
    dispatch->worker = allocate((size_t)count * sizeof *dispatch->worker);
    for (int i = 0; i < count; i++)
        dispatch->worker[i] = (struct dispatch_worker){.leaf = -1};
}

void dispatch_close(struct dispatch *dispatch)
{
    foreman_close(&dispatch->foreman);
    free(dispatch->worker);
    dispatch->worker = NULL;
}

void dispatch_restart(struct dispatch *dispatch)
{
    foreman_close(&dispatch->foreman);
    claim_forget_search(&dispatch->claim);
    memset(&dispatch->spent, 0, sizeof dispatch->spent);
    for (int i = 0; i < dispatch->count; i++)
        dispatch->worker[i] = (struct dispatch_worker){.leaf = -1};
}

void dispatch_share(struct dispatch *dispatch, const struct search_stats *before,
                    int last_bound, const struct leaf *kept, const struct leaf *gift,
                    const struct slot_names *names, uint64_t layout)
{
    foreman_open(&dispatch->foreman, before, last_bound, kept, gift, names);
    dispatch->layout = layout;
    dispatch->worker[0].leaf = 0;
    dispatch->worker[0].asked = false; /* the gift is its answer: it is taken once */
    dispatch->worker[0].gifts = 1;
}

/* --- reports of workers --- */

void dispatch_joined(struct dispatch *dispatch, int worker, double now)
{
    dispatch->worker[worker] =
        (struct dispatch_worker){.here = true, .leaf = -1, .given_at = now};
}

void dispatch_lost(struct dispatch *dispatch, int worker)
{
    dispatch->worker[worker] = (struct dispatch_worker){.leaf = -1};
    foreman_lost(&dispatch->foreman, worker);
}

void dispatch_renewed(struct dispatch *dispatch, int worker, int leaf)
{
    double now = dispatch->worker[worker].given_at;
    dispatch_lost(dispatch, worker);
    dispatch_joined(dispatch, worker, now);
    foreman_take(&dispatch->foreman, leaf, worker);
}

void dispatch_counts(struct dispatch *dispatch, int worker, const struct search_stats *stats)
{
    int leaf = dispatch->worker[worker].leaf;
    if (leaf >= 0)
        dispatch->foreman.leaf[leaf]->live = *stats;
}

void dispatch_reasons(struct dispatch *dispatch, const struct claim *claim)
{
    claim_add(&dispatch->claim, claim);
}

void dispatch_gift(struct dispatch *dispatch, int number, const struct leaf *kept,
                   const struct leaf *gift, const struct slot_names *names)
{
    struct dispatch_worker *worker = &dispatch->worker[number];
    worker->asked = false;
    worker->gifts++;
    worker->ask_pause = 0;
    foreman_split(&dispatch->foreman, worker->leaf, kept, gift, names);
    dispatch->spent.idle = 0;
}

void dispatch_no_gift(struct dispatch *dispatch, int number, double now)
{
    struct dispatch_worker *worker = &dispatch->worker[number];
    worker->asked = false;
    worker->ask_pause = worker->ask_pause > 0 ? 2 * worker->ask_pause : ASK_AGAIN;
    if (worker->ask_pause > ASK_SELDOM)
        worker->ask_pause = ASK_SELDOM;
    worker->ask_after = now + worker->ask_pause;
}

const char dispatch_entangled[] = "the program changes something that processes share";

bool dispatch_is_entangled(const struct claim *claim)
{
    static const enum claim_reason outside[] = {REASON_UNCONTROLLED, REASON_FILES_CHANGED,
                                                REASON_MAPPED_FILE, REASON_PROCESS_SHARED};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        if (claim_has(claim, outside[i]))
            return true;
    return false;
}

/* Has the leaf been searched completely within the bound, as far as the reasons allow? */
static bool is_whole(const struct dispatch *dispatch, const struct search_stats *stats)
{
    int bound = dispatch->foreman.total.bound;
    bool reached = bound != BOUND_NONE && stats->bound_done >= bound;
    return reached || stats->complete || !claim_allows(&dispatch->claim, CLAIM_SEARCHED);
}

static void count_speed(struct dispatch *dispatch, int worker, int leaf,
                        const struct search_stats *stats, double now)
{
    uint64_t known = dispatch->foreman.leaf[leaf]->known;
    if (stats->executions <= known)
        return;
    dispatch->spent.seconds += now - dispatch->worker[worker].given_at;
    dispatch->spent.executions += (double)(stats->executions - known);
}

enum course dispatch_answer(struct dispatch *dispatch, int number,
                            const struct leaf_answer *answer, double now)
{
    struct dispatch_worker *worker = &dispatch->worker[number];
    int leaf = worker->leaf;
    worker->leaf = -1;
    count_speed(dispatch, number, leaf, &answer->stats, now);
    dispatch->learner = number;
    if (answer->what == WORK_LEARNED)
        return COURSE_OVER_AGAIN;
    if (answer->what != WORK_FINISHED || !is_whole(dispatch, &answer->stats))
        dispatch->why_one = "a part of the search is too large";
    else if (answer->gifts != worker->gifts)
        dispatch->why_one = "a part of the search was lost";
    else if (answer->layout != dispatch->layout)
        dispatch->why_one = "its memory layout differs between processes";
    else if (dispatch_is_entangled(&dispatch->claim))
        dispatch->why_one = dispatch_entangled;
    if (dispatch->why_one)
        return COURSE_ONE;
    foreman_finished(&dispatch->foreman, leaf, &answer->stats);
    return COURSE_ON;
}

/* --- orders to workers --- */

bool dispatch_may_ask(const struct dispatch *dispatch, int worker, double now)
{
    const struct dispatch_worker *asked = &dispatch->worker[worker];
    return asked->here && !asked->asked && now >= asked->ask_after;
}

void dispatch_ask(struct dispatch *dispatch, int worker, uint64_t most)
{
    dispatch->worker[worker].asked = true;
    dispatch->transport.ask(dispatch->transport.context, worker, most);
}

/* --- what is repeated ---
 *
 * Who gets a leaf that another worker has begun, or a part of one, repeats what was run of it.
 * A worker knows how much that is of the part that it would give, so it is told how much may be
 * repeated: nearly nothing as long as nobody is idle, and then no more, in all, than could have
 * been run in the time that workers were idle. */

static void count_idle_time(struct dispatch *dispatch, double now)
{
    double passed = dispatch->spent.at > 0 ? now - dispatch->spent.at : 0;
    dispatch->spent.at = now;
    for (int i = 0; i < dispatch->count; i++)
        if (dispatch->worker[i].here && dispatch->worker[i].leaf < 0)
            dispatch->spent.idle += passed;
}

/* As many executions as could have been repeated while workers had nothing to do. */
static double idle_executions(const struct dispatch *dispatch)
{
    if (dispatch->spent.executions <= 0)
        return 0;
    return dispatch->spent.idle * dispatch->spent.executions / dispatch->spent.seconds;
}

/* As many executions as the worker could have run while others had nothing to do. */
static double idle_executions_of(const struct dispatch *dispatch, int number, double now)
{
    const struct dispatch_worker *worker = &dispatch->worker[number];
    const struct leaf_record *leaf = dispatch->foreman.leaf[worker->leaf];
    double seconds = now - worker->given_at;
    if (leaf->live.executions <= leaf->known || seconds <= 0)
        return 0;
    return dispatch->spent.idle * (double)(leaf->live.executions - leaf->known) / seconds;
}

static void ask_for_part(struct dispatch *dispatch, int number, bool idle, double now)
{
    const struct leaf_record *leaf = dispatch->foreman.leaf[dispatch->worker[number].leaf];
    uint64_t most = leaf->live.executions / REPEATS_ONE_IN;
    if (idle)
        most += (uint64_t)idle_executions_of(dispatch, number, now);
    dispatch_ask(dispatch, number, most);
}

static enum course employ_worker(struct dispatch *dispatch, int number, double now)
{
    struct dispatch_worker *worker = &dispatch->worker[number];
    if (!worker->here || worker->leaf >= 0)
        return COURSE_ON;
    int leaf = foreman_next(&dispatch->foreman, number, idle_executions(dispatch));
    if (leaf < 0)
        return COURSE_ON;
    if (!dispatch->transport.give(dispatch->transport.context, number, leaf,
                                  dispatch->foreman.total.bound)) {
        dispatch->why_one = "no memory for another process";
        return COURSE_ONE;
    }
    worker->leaf = leaf;
    worker->given_at = now;
    const struct leaf_record *taken = dispatch->foreman.leaf[leaf];
    if (taken->stats.executions > taken->known) /* what others had run of it is repeated */
        dispatch->spent.idle = 0;
    return COURSE_ON;
}

/* Asks for enough parts that no worker is idle, now or soon. */
static void ask_for_parts(struct dispatch *dispatch, double now)
{
    int wanted = (dispatch->count + 2) / 4;
    int idle = 0;
    for (int i = 0; i < dispatch->count; i++) {
        idle += dispatch->worker[i].here && dispatch->worker[i].leaf < 0;
        wanted -= dispatch->worker[i].asked;
    }
    wanted += idle - (int)foreman_open_leaves(&dispatch->foreman);
    for (int i = 0; i < dispatch->count && wanted > 0; i++)
        if (dispatch->worker[i].leaf >= 0 && dispatch_may_ask(dispatch, i, now) &&
            now - dispatch->worker[i].given_at >= ASK_FIRST) {
            ask_for_part(dispatch, i, idle > 0, now);
            wanted--;
        }
}

enum course dispatch_direct(struct dispatch *dispatch, double now)
{
    enum course course = COURSE_ON;
    if (foreman_bound_is_done(&dispatch->foreman) &&
        !foreman_next_bound(&dispatch->foreman, &dispatch->claim))
        return COURSE_OVER;
    for (int i = 0; i < dispatch->count && course == COURSE_ON; i++)
        course = employ_worker(dispatch, i, now);
    ask_for_parts(dispatch, now);
    count_idle_time(dispatch, now);
    return course;
}
