/* Race detection: from the execution so far and the pending operations, which thread must be
 * tried where (paper 002, Algorithm 2 lines 4–7 and the Backtrack procedures).
 *
 * The paper looks at all pairs of threads in every state. Only pairs with the step just taken
 * can be new: that step against the pending operations of all others, also of disabled ones,
 * and the new pending operation of its thread against the last dependent step of each other. A
 * thread's pending operation changes by its own steps only, which the world guarantees.
 *
 * Where to go, plainly: the thread itself is added before the dependent step, or all enabled
 * ones where it is disabled there. That is not enough under sleep sets: a thread that sleeps
 * there is not run, so nobody finds out that another one had to come first. The optimised rule
 * adds a thread that can begin the sequence to be reached (source sets; Abdulla, Aronis,
 * Jonsson, Sagonas, POPL 2014):
 *
 *      S:  … ──e──▶ a ──▶ b ──▶ c ──▶  pending u       e and u are dependent
 *                   v = those of a, b, c that do not come after e in happens-before, then u
 *          goal: v in place of e. Initials of v: threads whose first step in v has no step of
 *          v before it. If one of them is in e's backtrack set nothing is to be done, else
 *          one is added.
 *
 * Cost: O(threads) per step, and O(threads²) per race with logarithmic look-ups. */
#include "explore/por.h"

static void add(struct por_frame *frame, int tid)
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

/* The state before the step that leaves frame `index`; of an atomic section, before all of it.
 */
static uint32_t state_before(const struct por *por, uint32_t index)
{
    return por->frames.item[index].unit;
}

/* Does `step` come after the step that leaves frame `index`, which thread `first` took? */
static bool comes_after(const struct por *por, uint32_t step, uint32_t index)
{
    return clocks_of(&por->clocks, step, (int)por->frames.item[index].chosen) > index;
}

/* Is every step that happens before `step`, but for its own thread's, older than the frame? */
static bool begins(const struct por *por, uint32_t step, int tid, uint32_t index)
{
    for (uint32_t t = 0; t < por->clocks.threads.count; t++)
        if ((int)t != tid && clocks_of(&por->clocks, step, (int)t) > index)
            return false;
    return true;
}

/* The same for the pending operation of `tid`, whose last dependent steps are the candidates;
 * those after the frame that are not the racing step itself are part of the sequence. */
static bool pending_begins(const struct por *por, int tid, uint32_t index)
{
    uint32_t racing = por->frames.item[index].chosen;
    if (!begins(por, por->clocks.threads.item[tid].last, tid, index))
        return false;
    for (uint32_t t = 0; t < por->clocks.threads.count; t++)
        if (t != racing && por->candidate.item[t] > index)
            return false;
    return true;
}

/* Can the thread begin the sequence that is to replace the step that leaves frame `index`? */
static bool is_initial(const struct por *por, int q, int tid, uint32_t index)
{
    if (!clocks_is_born(&por->clocks, q))
        return false;
    uint32_t first = clocks_first_after(&por->clocks, q, index);
    if (first)
        return !comes_after(por, first, index) && begins(por, first, q, index);
    return q == tid && pending_begins(por, tid, index);
}

/* Can `tid` come before the step that leaves frame `index` at all? Not if it was disabled there
 * and nothing since then, but for that step, could have enabled it. */
static bool reversible(const struct por *por, const struct por_frame *frame, int tid,
                       uint32_t index)
{
    return threadset_has(&frame->enabled, tid) || por->clocks.threads.item[tid].step > index ||
           !pending_begins(por, tid, index);
}

static void add_source(struct por *por, uint32_t index, int tid)
{
    struct por_frame *frame = &por->frames.item[index];
    if (!reversible(por, frame, tid, index))
        return;
    int found = -1;
    for (int q = threadset_next(&frame->enabled, 0); q >= 0;
         q = threadset_next(&frame->enabled, q + 1)) {
        if (q == (int)frame->chosen || !is_initial(por, q, tid, index))
            continue;
        if (threadset_has(&frame->backtrack, q))
            return;
        if (found < 0 || q == tid)
            found = q;
    }
    if (found >= 0)
        add(frame, found);
    else
        add_enabled(frame);
}

/* The race between the step that leaves frame `index` and the pending operation of `tid`. */
static void add_point(struct por *por, uint32_t index, int tid)
{
    if (por->rules.drop && ++por->points % por->rules.drop == 0)
        return;
    index = state_before(por, index);
    struct por_frame *frame = &por->frames.item[index];
    if (por->rules.sources)
        add_source(por, index, tid);
    else if (threadset_has(&frame->enabled, tid))
        add(frame, tid);
    else
        add_enabled(frame);
}

/* A point that only the bound needs. A thread that sleeps there would not be run (see above):
 * then all are added. */
static void add_conservative(struct por *por, uint32_t index, int tid)
{
    struct por_frame *frame = &por->frames.item[state_before(por, index)];
    bool asleep = threadset_has(&frame->sleep, tid) || threadset_has(&frame->bound_sleep, tid);
    if (threadset_has(&frame->enabled, tid) && (!asleep || threadset_has(&frame->done, tid)))
        threadset_add(&frame->conservative, tid);
    else
        add_all(&frame->conservative, &frame->enabled);
    if (por->rules.lazy)
        return;
    add_all(&frame->backtrack, &frame->conservative);
    frame->alternatives = (uint32_t)threadset_count(&frame->backtrack);
}

/* What the plain algorithm adds, at the dependent step itself and before it where the running
 * thread last changed (Algorithm 3, line 8). */
static void add_for_bound(struct por *por, uint32_t index, int tid)
{
    if (!por->rules.conservative || por->context->bound == BOUND_NONE)
        return;
    add_conservative(por, index, tid);
    uint32_t block = por->frames.item[index].block;
    if (block == index && index > 0)
        block = por->frames.item[index - 1].block;
    if (block < index)
        add_conservative(por, block, tid);
}

/* Does another candidate imply this one? It does if this one happens before it. */
static bool implied(const struct por *por, int tid, int other, uint32_t step)
{
    const struct clocks *clocks = &por->clocks;
    if (clocks_before(clocks, tid, other) >= step)
        return true;
    for (uint32_t t = 0; t < clocks->threads.count; t++) {
        uint32_t candidate = por->candidate.item[t];
        if (candidate > step && (int)t != other && clocks_of(clocks, candidate, other) >= step)
            return true;
    }
    return false;
}

/* Was the step before the thread came to be? Then there is nothing to reverse. */
static bool before_birth(const struct por *por, int tid, int other, uint32_t step)
{
    const struct clocks *clocks = &por->clocks;
    return clocks_of(clocks, clocks->threads.item[tid].birth, other) >= step;
}

/* A pending operation against the last dependent step of each other thread. */
static void detect_pending(struct por *por, const struct position *pos, int tid)
{
    struct clocks *clocks = &por->clocks;
    vector_reserve(por->context->pool, &por->candidate, clocks->threads.count);
    uint32_t *candidate = por->candidate.item;
    if (!clocks_candidates(clocks, tid, &pos->pending[tid], por->rules.skip_releases,
                           candidate))
        return;
    for (uint32_t other = 0; other < clocks->threads.count; other++) {
        uint32_t step = candidate[other];
        if (step && !before_birth(por, tid, (int)other, step) &&
            !(por->rules.transitive && implied(por, tid, (int)other, step)))
            add_point(por, step - 1, tid);
    }
}

static void detect_for_bound(struct por *por, const struct position *pos, int tid)
{
    struct clocks *clocks = &por->clocks;
    uint32_t *candidate = por->candidate.item;
    if (por->context->bound == BOUND_NONE ||
        !clocks_candidates(clocks, tid, &pos->pending[tid], false, candidate))
        return;
    for (uint32_t other = 0; other < clocks->threads.count; other++)
        if (candidate[other] && !before_birth(por, tid, (int)other, candidate[other]))
            add_for_bound(por, candidate[other] - 1, tid);
}

void por_detect(struct por *por, const struct position *pos)
{
    for (int tid = 0; tid < pos->nthreads; tid++) {
        const struct op *pending = &pos->pending[tid];
        if (pending->kind == OP_NONE)
            continue;
        bool fresh = !clocks_is_born(&por->clocks, tid) || tid == pos->last;
        if (!clocks_is_born(&por->clocks, tid))
            clocks_born(&por->clocks, tid);
        if (fresh) {
            detect_pending(por, pos, tid);
            detect_for_bound(por, pos, tid);
        } else if (pos->done && op_dependent(pos->done, pending)) {
            detect_pending(por, pos, tid);
            add_for_bound(por, por->cursor - 2, tid);
        }
    }
}
