/* optimal in a leaf (explore/leaves/ordered.h).
 *
 * A thread that sleeps for another leaf covers less than one that this search has explored
 * (optimal_covered). So an execution can reach a state where only such threads could continue:
 * it is given up there, but its races are still reversed. */
#include "explore/optimal/optimal.h"

void optimal_leaf_give_up(struct optimal *optimal)
{
    optimal->leaf->gave_up = true;
    strategy_raise(optimal->context, REASON_STOPPED);
}

static void put_to_sleep(struct optimal *optimal, const struct position *pos)
{
    const struct leaf *leaf = &optimal->leaf->leaf;
    for (uint32_t i = 0; i < leaf->nexcluded; i++) {
        const struct leaf_excluded *excluded = &leaf->excluded[i];
        if (!ordered_may_sleep(excluded, pos))
            optimal->leaf->gave_up = true;
        *vector_add(optimal->context->pool, &optimal->sleep) =
            (struct optimal_event){.op = excluded->op, .tid = excluded->tid, .given = true};
    }
}

int optimal_leaf_extend(struct optimal *optimal, uint32_t index, const struct position *pos)
{
    struct ordered_leaf *leaf = optimal->leaf;
    if (!leaf->followed && index == leaf->fixed)
        put_to_sleep(optimal, pos);
    int tid = ordered_follow(leaf, index, pos);
    if (tid >= 0 && index >= leaf->fixed)
        optimal->frames.item[index].chain = CHAIN_FOLLOWS;
    return tid;
}

/* --- splitting --- */

static const struct optimal_frame *frame_at(const void *path, uint32_t index)
{
    return &((const struct optimal *)path)->frames.item[index];
}

static bool is_first(const void *path, uint32_t index)
{
    const struct optimal_frame *frame = frame_at(path, index);
    return frame->open && frame->left == 0 && !frame->event.choice;
}

static bool is_second(const void *path, uint32_t index)
{
    const struct optimal_frame *frame = frame_at(path, index);
    return frame->open && frame->left == 1 && !frame->event.choice;
}

static bool frame_waits(const void *path, uint32_t index)
{
    return frame_at(path, index)->tree;
}

static uint32_t frame_tid(const void *path, uint32_t index)
{
    return frame_at(path, index)->event.tid;
}

static const struct op *frame_op(const void *path, uint32_t index)
{
    return &frame_at(path, index)->event.op;
}

static const struct op *frame_sleeper(const void *path, uint32_t index, uint32_t tid)
{
    const struct optimal *optimal = path;
    for (uint32_t i = frame_at(path, index)->sleep; i < optimal->sleep.count; i++)
        if (optimal->sleep.item[i].tid == tid)
            return &optimal->sleep.item[i].op;
    return NULL;
}

int optimal_leaf_split(struct optimal *optimal, struct leaf *gift, struct leaf *kept)
{
    if (!optimal->leaf || optimal->ends_early)
        return -1;
    struct ordered_path path = {optimal,     optimal->kept, is_first, is_second,
                                frame_waits, frame_tid,     frame_op, frame_sleeper};
    return ordered_split(optimal->leaf, &path, gift, kept);
}
