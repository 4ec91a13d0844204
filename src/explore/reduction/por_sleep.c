/* Sleep sets, and when they are sound under a preemption bound.
 *
 * After thread p has been explored from a state s it sleeps while another thread q is explored
 * from s, until a step is taken that is dependent with p's pending operation: whatever
 * s.q.α.p.γ reaches, s.p.q.α.γ has reached. With a bound this needs the second to cost no more
 * than the first. (Paper 002, 5.4 says that conservatively added threads must not sleep; the
 * sleep of the *other* threads is a problem, too: let p's first step be independent and its
 * second dependent with q. p.q.p costs a preemption that q.p.p does not, but p sleeps in q's
 * subtree.) Hence there are two kinds of sleep:
 *
 *   sleep        nothing was left out below s.p because of the bound: s.p.q.α.γ was covered
 *                whatever it costs, and p sleeps as in a search without a bound.
 *   bound_sleep  p was the running thread, so that s.p is cheaper than s.q; or p can't go on
 *                after its step, so that switching from it to q is free. Then s.p.q.α.γ
 *                costs no more than s.q.α.p.γ as long as p's step does not change whether the
 *                threads of α can go on when they are switched away from: p must also wake
 *                when its operation depends on what the running thread is about to do
 *                (condition 4 of Lemma 2).
 *
 * The final form of p's step is known from its exploration, and stays the same while p sleeps:
 * a CAS that failed sleeps as a read.
 *
 * A step that has ended an execution early elsewhere wakes all threads (early_ends.h).
 *
 * If a bound_sleep keeps a thread from being explored, the subtree counts as pruned. */
#include "base/must.h"
#include "explore/reduction/por.h"

static void remember_sleeper(struct por *por, uint32_t index, uint32_t tid, const struct op *op)
{
    struct pool *pool = por->context->pool;
    while (por->slept_last.count <= tid)
        *vector_add(pool, &por->slept_last) = 0;
    struct por_slept *slept = vector_add(pool, &por->slept);
    *slept = (struct por_slept){index, tid, por->slept_last.item[tid], *op};
    por->slept_last.item[tid] = por->slept.count;
}

void por_sleep_add(struct por *por, struct por_frame *frame, uint32_t tid, const struct op *op)
{
    threadset_add(&frame->sleep, (int)tid);
    remember_sleeper(por, (uint32_t)(frame - por->frames.item), tid, op);
}

void por_sleep_leave(struct por *por, uint32_t index)
{
    struct por_frame *frame = &por->frames.item[index];
    if (por_lacks(por, PART_SLEEP) || frame->op.kind == OP_NONE || frame->cut_now)
        return;
    int tid = (int)frame->chosen;
    bool cheap = (frame->last_goes_on && tid == frame->last) || frame->ended;
    /* Nor may it make others unfair (Lemma 5), or fair, which ends the free switches that
     * unfair threads allow (5.3). */
    if (por->context->options.fair >= 0)
        cheap &= !(frame->op.flags & (OP_MAY_RELEASE | OP_YIELDS));
    if (!frame->pruned_now)
        threadset_add(&frame->sleep, tid);
    else if (cheap)
        threadset_add(&frame->bound_sleep, tid);
    else
        return;
    remember_sleeper(por, index, frame->chosen, &frame->op);
}

void por_sleep_pop(struct por *por, uint32_t index)
{
    while (por->slept.count > 0 && por->slept.item[por->slept.count - 1].frame >= index) {
        const struct por_slept *slept = &por->slept.item[--por->slept.count];
        por->slept_last.item[slept->tid] = slept->before;
    }
}

static const struct op *slept_op(const struct por *por, int tid)
{
    must(por->slept_last.item[tid] > 0);
    return &por->slept.item[por->slept_last.item[tid] - 1].op;
}

void por_sleep_enter(struct por *por, struct por_frame *frame, const struct position *pos)
{
    threadset_clear(&frame->sleep);
    threadset_clear(&frame->bound_sleep);
    if (por->plain || frame == por->frames.item)
        return;
    const struct por_frame *parent = frame - 1;
    const struct clocks_thread *last = &por->clocks.threads.item[pos->last];
    if (early_ends_has(&por->early_ends, (uint32_t)pos->last, last->steps.count))
        return;
    const struct op *next = &pos->pending[pos->last];
    for (int tid = threadset_next(&parent->sleep, 0); tid >= 0;
         tid = threadset_next(&parent->sleep, tid + 1))
        if (!op_dependent(pos->done, slept_op(por, tid)))
            threadset_add(&frame->sleep, tid);
    if (next->flags & OP_TIMED) /* its time may be over after any step */
        return;
    for (int tid = threadset_next(&parent->bound_sleep, 0); tid >= 0;
         tid = threadset_next(&parent->bound_sleep, tid + 1))
        if (!op_dependent(pos->done, slept_op(por, tid)) &&
            !op_dependent(next, slept_op(por, tid)))
            threadset_add(&frame->bound_sleep, tid);
}
