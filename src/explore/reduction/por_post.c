/* The postconditions of paper 002, checked while the search runs (--postconditions). Section 6
 * of the paper reports that its authors did so. They say what must be in the backtrack sets of
 * a path before the search leaves a state:
 *
 *   Definition 5.2    for every thread u and every other thread v, where S_i is v's last step
 * that depends on u's next operation: u is in the backtrack set before S_i, or everybody who is
 * enabled there if u is not; and with a preemption bound the same where the run of steps before
 * S_i began (S_j) Definition 5.4    the same with a fair bound, but everybody before a release
 *
 * Everything is found again by comparing the operations themselves, one by one, and not from
 * the clocks that race detection uses. It is checked on arrival in a state instead of on
 * leaving it: backtrack sets only grow while they are on the path. That it holds for all
 * sequences below a state, not only for those that are run, is checked on programs that are
 * small enough (selftest/checks_postconditions.c).
 *
 * Two things are not in the paper: a step before u was created has no other order, and where a
 * thread yields, switching is free, so that a run of steps ends there. */
#include "base/must.h"
#include "explore/reduction/por.h"

void por_post_step(struct por *por, const struct op *done, bool unknown)
{
    if (!por->context->options.postconditions)
        return;
    por->performed.count = por->cursor - 1;
    struct por_performed *step = vector_add(por->context->pool, &por->performed);
    *step = (struct por_performed){*done, unknown};
}

static bool step_depends(const struct por_performed *step, const struct op *next)
{
    return step->unknown || op_dependent(&step->op, next);
}

/* The last frame that `other` left by a step that depends on the operation, or -1. */
static int last_dependent(const struct por *por, const struct op *next, int other)
{
    int index = (int)por->clocks.steps - 1;
    while (index >= 0 && ((int)por->frames.item[index].chosen != other ||
                          !step_depends(&por->performed.item[index], next)))
        index--;
    return index;
}

/* Where the thread that takes the step from frame `index` was last switched to before it (S_j
 * of Definition 5.2), or -1. */
static int switch_before(const struct por *por, int index)
{
    const struct por_frame *frame = por->frames.item;
    if (--index < 0)
        return -1;
    while (index > 0 && frame[index - 1].chosen == frame[index].chosen &&
           !frame[index].last_yields)
        index--;
    return index;
}

/* Is the thread, or everybody, to be explored from the frame? */
static bool has_point(const struct por *por, int index, int tid, bool everybody)
{
    const struct por_frame *frame = &por->frames.item[index];
    if (!everybody && threadset_has(&frame->enabled, tid) &&
        threadset_has(&frame->backtrack, tid))
        return true;
    threadset missing = frame->enabled;
    for (int i = 0; i < THREADSET_WORDS; i++)
        missing.word[i] &= ~frame->backtrack.word[i];
    return threadset_count(&missing) == 0;
}

static void check_pair(const struct por *por, int tid, const struct op *next, int other)
{
    int index = last_dependent(por, next, other);
    if (index < 0 || por->performed.item[index].unknown ||
        clocks_of(&por->clocks, clocks_birth(&por->clocks, tid), other) > (uint32_t)index)
        return;
    bool fair = por->context->options.fair >= 0;
    bool releases = por->performed.item[index].op.flags & OP_MAY_RELEASE;
    must(has_point(por, index, tid, fair && releases)); /* Definition 5.2, 1; Definition 5.4 */
    int before = switch_before(por, index);
    if (por->context->bound != BOUND_NONE && before >= 0)
        must(has_point(por, before, tid, false)); /* Definition 5.2, 2 */
}

void por_post_check(struct por *por, const struct position *pos)
{
    if (!por->context->options.postconditions)
        return;
    for (int tid = 0; tid < pos->nthreads; tid++)
        for (int other = 0; other < pos->nthreads; other++)
            if (other != tid && pos->pending[tid].kind != OP_NONE)
                check_pair(por, tid, &pos->pending[tid], other);
    por->context->stats.postconditions++;
}
