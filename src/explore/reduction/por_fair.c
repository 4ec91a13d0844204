/* The fair bound (fair.h) with reduction (paper 002, sections 4.3.2, 5.2 and 5.3). It cuts the
 * cycles of programs that wait in loops, on the understanding that a thread yields when, and
 * only when, it makes no progress. An execution that is fair in this sense and still reaches
 * the depth limit is a livelock.
 *
 * A release (any step that may enable a thread with few yields) raises the cost of others, so
 * all enabled threads are to be tried before it (Algorithm 4), and with a preemption bound also
 * before any step that changes which threads can run, or may run under the fair bound (5.3).
 * With both bounds a thread that is beyond the fair bound can be left without a preemption. So
 * a yield after which it is another thread's turn to yield is distinguished from other yields:
 * it matters when a thread yields, not only which one. As in por.h these are conservative
 * points: they are explored when a bound has pruned something below. */
#include "explore/reduction/por.h"

void por_fair_begin(struct por *por)
{
    fair_begin(&por->fair);
}

void por_fair_step(struct por *por, const struct position *pos)
{
    if (por->context->options.fair >= 0)
        fair_step(&por->fair, por->context->pool, pos);
}

static void try_everybody(struct por *por, struct por_frame *frame)
{
    for (int i = 0; i < THREADSET_WORDS; i++)
        frame->conservative.word[i] |= frame->enabled.word[i];
    if (por_lacks(por, PART_DEFERRED))
        frame->backtrack = frame->enabled;
}

void por_fair_enter(struct por *por, struct por_frame *frame)
{
    int fair = por->context->options.fair;
    if (fair < 0)
        return;
    frame->unfair = fair_exceeding(&por->fair, &frame->enabled, fair);
    bool first = frame == por->frames.item;
    if (!first && por->context->bound != BOUND_NONE &&
        !threadset_equal(&frame->unfair, &frame[-1].unfair))
        try_everybody(por, frame - 1);
}

/* Does the step enable or disable any thread other than its own? */
static bool changes_enabled(const struct por_frame *frame, const struct position *pos)
{
    threadset before = frame->enabled;
    threadset after = pos->enabled;
    threadset_remove(&before, pos->last);
    threadset_remove(&after, pos->last);
    return !threadset_equal(&before, &after);
}

void por_fair_leave(struct por *por, struct por_frame *frame, const struct position *pos)
{
    if (por->context->options.fair < 0)
        return;
    uint16_t telling = OP_MAY_RELEASE;
    if (por->context->bound != BOUND_NONE)
        telling |= OP_YIELDS;
    if (pos->done->flags & telling || changes_enabled(frame, pos))
        try_everybody(por, frame);
}

/* The bounds together forbid every thread to continue: the enabled ones must be tried where
 * switching to them was last affordable (5.3). */
void por_fair_stuck(struct por *por, const struct position *pos)
{
    if (por->context->options.fair < 0 || por->context->bound == BOUND_NONE || por->cursor == 0)
        return;
    for (int tid = threadset_next(&pos->enabled, 0); tid >= 0;
         tid = threadset_next(&pos->enabled, tid + 1)) {
        uint32_t index = por->frames.item[por->cursor - 1].block;
        while (index > 0 && !por_few_preemptions(por, &por->frames.item[index], tid))
            index = por->frames.item[index - 1].block;
        por_add_conservative(por, index, tid);
    }
}
