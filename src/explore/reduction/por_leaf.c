/* dpor in a leaf (explore/leaves/ordered.h). This needs source sets: if the racing thread
 * sleeps because of another leaf, a reversal that another thread can begin must not be lost. */
#include "explore/reduction/por.h"

bool por_enter(struct strategy *strategy, const struct leaf *leaf)
{
    struct por *por = por_of(strategy);
    const uint32_t needed = PART_SLEEP | PART_SOURCE;
    if (por->plain || por_bounded(por) || por->context->options.without & needed)
        return false;
    por->leaf = ordered_create(por->context->pool, leaf);
    return por->leaf;
}

bool por_gave_up(const struct strategy *strategy)
{
    const struct por *por = por_of((struct strategy *)strategy);
    return por->leaf && por->leaf->gave_up;
}

static void put_to_sleep(struct por *por, struct por_frame *frame, const struct position *pos)
{
    const struct leaf *leaf = &por->leaf->leaf;
    for (uint32_t i = 0; i < leaf->nexcluded; i++) {
        const struct leaf_excluded *excluded = &leaf->excluded[i];
        if (ordered_may_sleep(excluded, pos) &&
            !threadset_has(&frame->sleep, (int)excluded->tid))
            por_sleep_add(por, frame, excluded->tid, &excluded->op);
        else
            por->leaf->gave_up = true;
    }
}

int por_leaf_extend(struct por *por, struct por_frame *frame, const struct position *pos)
{
    uint32_t index = (uint32_t)(frame - por->frames.item);
    if (!por->leaf->followed && index == por->leaf->fixed)
        put_to_sleep(por, frame, pos);
    return ordered_follow(por->leaf, index, pos);
}

int por_leaf_begin_anew(struct por *por, uint32_t index)
{
    struct por_frame *frame = &por->frames.item[index];
    bool chain = index < por->leaf->leaf.nsteps;
    if (!chain || frame->finished != 1 || threadset_count(&frame->done) != 1)
        return -1;
    for (int tid = threadset_next(&frame->enabled, 0); tid >= 0;
         tid = threadset_next(&frame->enabled, tid + 1))
        if (!threadset_has(&frame->sleep, tid)) {
            threadset_add(&frame->backtrack, tid);
            return tid;
        }
    return -1;
}

bool por_leaf_end(struct por *por, enum outcome outcome)
{
    struct ordered_leaf *leaf = por->leaf;
    if (ordered_is_confined(leaf) &&
        (!leaf->followed || early_ends_is(outcome) || outcome == OUTCOME_CUT))
        leaf->gave_up = true;
    if (leaf->gave_up)
        strategy_raise(por->context, REASON_STOPPED);
    return !leaf->gave_up;
}

/* --- splitting --- */

static const struct por_frame *frame_at(const void *path, uint32_t index)
{
    return &((const struct por *)path)->frames.item[index];
}

static bool has_choice(const struct por *por, uint32_t frame)
{
    for (uint32_t i = 0; i < por->choices.count; i++)
        if (por->choices.item[i].frame == frame)
            return true;
    return false;
}

static bool is_first(const void *path, uint32_t index)
{
    return threadset_empty(&frame_at(path, index)->done) && !has_choice(path, index);
}

static bool is_second(const void *path, uint32_t index)
{
    const struct por_frame *frame = frame_at(path, index);
    return frame->finished == 1 && threadset_count(&frame->done) == 1 &&
           !has_choice(path, index);
}

static bool frame_waits(const void *path, uint32_t index)
{
    const struct por_frame *frame = frame_at(path, index);
    for (int tid = threadset_next(&frame->backtrack, 0); tid >= 0;
         tid = threadset_next(&frame->backtrack, tid + 1))
        if (tid != (int)frame->chosen && !threadset_has(&frame->done, tid) &&
            !threadset_has(&frame->sleep, tid))
            return true;
    return false;
}

static uint32_t frame_tid(const void *path, uint32_t index)
{
    return frame_at(path, index)->chosen;
}

static const struct op *frame_op(const void *path, uint32_t index)
{
    return &frame_at(path, index)->op;
}

static const struct op *frame_sleeper(const void *path, uint32_t index, uint32_t tid)
{
    const struct por *por = path;
    for (uint32_t i = 0; i < por->slept.count; i++)
        if (por->slept.item[i].frame == index && por->slept.item[i].tid == tid)
            return &por->slept.item[i].op;
    return NULL;
}

int por_split(struct strategy *strategy, struct leaf *gift, struct leaf *kept)
{
    struct por *por = por_of(strategy);
    if (!por->leaf || por->early_ends.steps.count > 0 || por->context->stats.depth_cut)
        return -1;
    struct ordered_path path = {por,         por->kept, is_first, is_second,
                                frame_waits, frame_tid, frame_op, frame_sleeper};
    return ordered_split(por->leaf, &path, gift, kept);
}
