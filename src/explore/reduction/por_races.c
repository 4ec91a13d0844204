/* Race detection: from the execution so far, which thread must be tried where.
 *
 * The plain rule (paper 002, Algorithm 2 lines 4–7 and Algorithm 3): in every state each
 * pending operation, also of a disabled thread, is compared with the last dependent step of
 * each other thread. Its thread is added before that step, or all enabled threads if it is
 * disabled there. Only pairs with the step just taken can be new: that step against the pending
 * operations of all others, and the new pending operation of its thread against older steps.
 *
 * With sleep sets this is not enough: a thread that sleeps there is not run, so the search does
 * not find out that another one had to come first. The optimised rule adds a thread that can
 * begin the sequence to be reached (source sets; Abdulla, Aronis, Jonsson, Sagonas, POPL 2014):
 *
 *      S:  … ──e──▶ a ──▶ b ──▶ c ──u──▶           e and u are dependent
 *                   v = those of a, b, c that do not come after e in happens-before, then u
 *          goal: v in place of e. Initials of v: threads whose first step in v has no step of
 *          v before it. If one of them is in e's backtrack set nothing is to be done, else
 *          one is added.
 *
 * It looks at steps when they are executed, in their final form: a failed CAS has become a read
 * and commutes with reads. Operations that are never executed count at the end, in their
 * pending form. Under a bound the plain points are collected, too, as conservative ones
 * (por.h).
 *
 * The world guarantees that only a thread's own steps change its pending operation. Cost:
 * O(threads) per step, and O(threads²) per race with logarithmic look-ups. */
#include "explore/reduction/por.h"

static void add_thread(struct por_frame *frame, int tid)
{
    if (threadset_has(&frame->backtrack, tid))
        return;
    threadset_add(&frame->backtrack, tid);
    frame->alternatives++;
}

static void add_all(threadset *set, const threadset *more)
{
    for (int i = 0; i < THREADSET_WORDS; i++)
        set->word[i] |= more->word[i];
}

static void add_enabled(struct por_frame *frame)
{
    add_all(&frame->backtrack, &frame->enabled);
    frame->alternatives = (uint32_t)threadset_count(&frame->backtrack);
}

/* Does `step` come after the step that leaves frame `index`, which thread `first` took? */
static bool comes_after(const struct por *por, uint32_t step, uint32_t index)
{
    return clocks_of(&por->clocks, step, (int)por->frames.item[index].chosen) > index;
}

/* Is every step that happens before `step`, except its own thread's, older than the frame? */
static bool begins_after(const struct por *por, uint32_t step, int tid, uint32_t index)
{
    for (uint32_t t = 0; t < por->clocks.threads.count; t++)
        if ((int)t != tid && clocks_of(&por->clocks, step, (int)t) > index)
            return false;
    return true;
}

/* Does thread t have a step that is part of the goal sequence and dependent with `op`? */
static bool has_dependent(const struct por *por, int t, const struct op *op, uint32_t index)
{
    bool releases;
    uint32_t step = por->candidate.item[t];
    for (; step > index; step = clocks_dependent(&por->clocks, t, op, step, &releases))
        if (!comes_after(por, step, index))
            return true;
    return false;
}

/* The same as begins_after() for the pending operation of `tid`. */
static bool next_begins(const struct por *por, int tid, const struct op *op, uint32_t index)
{
    if (!begins_after(por, por->clocks.threads.item[tid].last, tid, index))
        return false;
    for (uint32_t t = 0; t < por->clocks.threads.count; t++)
        if (t != (uint32_t)tid && has_dependent(por, (int)t, op, index))
            return false;
    return true;
}

/* Can the thread begin the sequence that will replace the step that leaves frame `index`? */
static bool is_initial(const struct por *por, int q, int tid, const struct op *op,
                       uint32_t index)
{
    if (!clocks_is_born(&por->clocks, q))
        return false;
    uint32_t first = clocks_first_after(&por->clocks, q, index);
    if (first)
        return !comes_after(por, first, index) && begins_after(por, first, q, index);
    return q == tid && next_begins(por, tid, op, index);
}

/* Can `tid` come before the step that leaves frame `index` at all? Not if it was disabled there
 * and nothing since then, except that step, could have enabled it. */
static bool is_reversible(const struct por *por, int tid, const struct op *op, uint32_t index)
{
    return threadset_has(&por->frames.item[index].enabled, tid) ||
           por->clocks.threads.item[tid].step > index || !next_begins(por, tid, op, index);
}

static void add_source(struct por *por, uint32_t index, int tid, const struct op *op)
{
    struct por_frame *frame = &por->frames.item[index];
    int found = -1;
    for (int q = threadset_next(&frame->enabled, 0); q >= 0;
         q = threadset_next(&frame->enabled, q + 1)) {
        if (!is_initial(por, q, tid, op, index))
            continue;
        if (threadset_has(&frame->backtrack, q))
            return;
        if (found < 0 || q == tid)
            found = q;
    }
    if (found >= 0)
        add_thread(frame, found);
    else
        add_enabled(frame);
}

/* What the plain algorithm adds at a frame. A thread that sleeps there would not be run (see
 * above), nor would one that is beyond the fair bound (paper 002, 5.3): then all are added. */
static void add_plain_at(struct por *por, uint32_t index, int tid, bool hold_back)
{
    struct por_frame *frame = &por->frames.item[index];
    threadset *set = hold_back ? &frame->conservative : &frame->backtrack;
    bool asleep = threadset_has(&frame->sleep, tid) || threadset_has(&frame->bound_sleep, tid);
    bool unfair = por->context->bound != BOUND_NONE && threadset_has(&frame->unfair, tid);
    if (threadset_has(&frame->enabled, tid) && !unfair &&
        (!asleep || threadset_has(&frame->done, tid)))
        threadset_add(set, tid);
    else
        add_all(set, &frame->enabled);
    if (!hold_back)
        frame->alternatives = (uint32_t)threadset_count(&frame->backtrack);
}

void por_add_point(struct por *por, uint32_t index, int tid)
{
    add_plain_at(por, index, tid, false);
}

void por_add_conservative(struct por *por, uint32_t index, int tid)
{
    add_plain_at(por, index, tid, !por_lacks(por, PART_DEFERRED));
}

/* Backtrack of Algorithm 3: at the dependent step itself, and under a bound also before it
 * where the running thread last changed (line 8). */
static void add_plain(struct por *por, uint32_t index, int tid)
{
    bool bounded = por_bounded(por);
    if (por->plain || bounded)
        add_plain_at(por, index, tid, !por_lacks(por, PART_DEFERRED));
    uint32_t block = por->frames.item[index].block;
    if (block == index && index > 0)
        block = por->frames.item[index - 1].block;
    if (bounded && block < index)
        por_add_conservative(por, block, tid);
}

/* Did the step come before the thread was created? Then there is nothing to reverse. */
static bool before_birth(const struct por *por, int tid, int other, uint32_t step)
{
    const struct clocks *clocks = &por->clocks;
    return clocks_of(clocks, clocks->threads.item[tid].birth, other) >= step;
}

/* The last step of `other` that is in a race with `op` of `tid`. A step that can't be reversed
 * hides nothing: earlier ones count. */
static uint32_t racing_step(const struct por *por, int tid, const struct op *op, int other)
{
    bool releases;
    uint32_t below = UINT32_MAX;
    for (;;) {
        below = clocks_dependent(&por->clocks, other, op, below, &releases);
        if (below == 0 || before_birth(por, tid, other, below))
            return 0;
        if (!releases && is_reversible(por, tid, op, below - 1))
            return below;
    }
}

/* Without optimisation 3: also before the releases of `other` that come after the step of
 * racing_step(). */
static void add_before_releases(struct por *por, int tid, const struct op *op, int other)
{
    bool releases = true;
    uint32_t below = clocks_dependent(&por->clocks, other, op, UINT32_MAX, &releases);
    for (; below && releases && !before_birth(por, tid, other, below);
         below = clocks_dependent(&por->clocks, other, op, below, &releases))
        por_add_point(por, below - 1, tid);
}

/* Is the race implied? It is if the step happens before the thread's own last step, or before
 * a step that is in a race itself: reversing that one comes first. */
static bool is_implied(const struct por *por, int tid, int other, uint32_t step)
{
    const struct clocks *clocks = &por->clocks;
    if (por_lacks(por, PART_TRANSITIVE))
        return false;
    if (clocks_before(clocks, tid, other) >= step)
        return true;
    for (uint32_t t = 0; t < clocks->threads.count; t++) {
        uint32_t racing = por->racing.item[t];
        if (racing > step && (int)t != other && clocks_of(clocks, racing, other) >= step)
            return true;
    }
    return false;
}

void por_races(struct por *por, int tid, const struct op *op)
{
    struct clocks *clocks = &por->clocks;
    uint32_t threads = clocks->threads.count;
    vector_reserve(por->context->pool, &por->candidate, threads);
    vector_reserve(por->context->pool, &por->racing, threads);
    if (por->plain || !clocks_candidates(clocks, tid, op, por->candidate.item))
        return;
    for (uint32_t t = 0; t < threads; t++)
        por->racing.item[t] = por->candidate.item[t] ? racing_step(por, tid, op, (int)t) : 0;
    for (uint32_t t = 0; t < threads; t++) {
        uint32_t step = por->racing.item[t];
        if (por->candidate.item[t] && por_lacks(por, PART_RELEASE))
            add_before_releases(por, tid, op, (int)t);
        if (!step || is_implied(por, tid, (int)t, step))
            continue;
        if (por_lacks(por, PART_SOURCE))
            por_add_point(por, step - 1, tid);
        else
            add_source(por, step - 1, tid, op);
    }
}

static void plain_points(struct por *por, int tid, const struct op *op)
{
    struct clocks *clocks = &por->clocks;
    vector_reserve(por->context->pool, &por->candidate, clocks->threads.count);
    uint32_t *candidate = por->candidate.item;
    if (!clocks_candidates(clocks, tid, op, candidate))
        return;
    for (uint32_t other = 0; other < clocks->threads.count; other++)
        if (candidate[other] && !before_birth(por, tid, (int)other, candidate[other]))
            add_plain(por, candidate[other] - 1, tid);
}

/* Threads can only continue by a time-out: the last steps of all threads led to this, although
 * no object shows it. They decide which thread continues without a preemption, so a bound
 * depends on them. */
static bool time_is_over(const struct position *pos)
{
    int tid = threadset_next(&pos->enabled, 0);
    for (; tid >= 0; tid = threadset_next(&pos->enabled, tid + 1))
        if (!(pos->pending[tid].flags & OP_TIMED))
            return false;
    return true;
}

static void plain_time_out(struct por *por, const struct position *pos)
{
    for (int tid = threadset_next(&pos->enabled, 0); tid >= 0;
         tid = threadset_next(&pos->enabled, tid + 1))
        for (uint32_t other = 0; other < por->clocks.threads.count; other++) {
            uint32_t step = por->clocks.threads.item[other].step;
            if (step && other != (uint32_t)tid)
                add_plain(por, step - 1, tid);
        }
}

void por_plain_races(struct por *por, const struct position *pos, const struct op *done)
{
    if (!por->plain && !por_bounded(por))
        return;
    for (int tid = 0; tid < pos->nthreads; tid++) {
        const struct op *pending = &pos->pending[tid];
        if (pending->kind == OP_NONE)
            continue;
        bool fresh = tid == pos->last || clocks_birth(&por->clocks, tid) == por->clocks.steps;
        if (fresh)
            plain_points(por, tid, pending);
        else if (op_dependent(done, pending))
            add_plain(por, por->clocks.steps - 1, tid);
    }
    if (pos->last >= 0 && done->flags & OP_GLOBAL) /* its pending form may have claimed less */
        plain_points(por, pos->last, done);
    if (pos->last >= 0 && time_is_over(pos))
        plain_time_out(por, pos);
}
