/* See ordered.h. */
#include "explore/leaves/ordered.h"

#include <string.h>

struct ordered_leaf *ordered_create(struct pool *pool, const struct leaf *given)
{
    if (!leaf_is_sane(given) || !(given->ordered || leaf_is_whole(given)))
        return NULL;
    struct ordered_leaf *ordered = pool_alloc(pool, sizeof *ordered);
    ordered->leaf = *given;
    ordered->leaf.ordered = 1;
    ordered->fixed = given->nsteps - given->chain;
    return ordered;
}

bool ordered_is_confined(const struct ordered_leaf *ordered)
{
    return ordered && !leaf_is_whole(&ordered->leaf);
}

/* --- following the leaf's steps --- */

static bool can_run(const struct position *pos, uint32_t tid)
{
    return tid < (uint32_t)pos->nthreads && threadset_has(&pos->enabled, (int)tid);
}

bool ordered_may_sleep(const struct leaf_excluded *excluded, const struct position *pos)
{
    return can_run(pos, excluded->tid);
}

int ordered_follow(struct ordered_leaf *ordered, uint32_t index, const struct position *pos)
{
    const struct leaf *leaf = &ordered->leaf;
    if (ordered->followed || index > leaf->nsteps)
        return ORDERED_FREE;
    if (index == leaf->nsteps && !ordered->gave_up) {
        ordered->followed = true;
        return leaf->chain > 0 ? PICK_PRUNE : ORDERED_FREE;
    }
    if (!ordered->gave_up && can_run(pos, leaf->step[index]))
        return (int)leaf->step[index];
    ordered->gave_up = true;
    return PICK_PRUNE;
}

void ordered_choose(struct ordered_leaf *ordered)
{
    ordered->gave_up |= !ordered->followed && ordered->leaf.nsteps > 0;
}

/* --- splitting --- */

static bool append_steps(const struct ordered_path *path, struct leaf *leaf, uint32_t from,
                         uint32_t to)
{
    for (uint32_t index = from; index < to; index++) {
        uint32_t tid = path->tid(path->path, index);
        if (leaf->nsteps == LEAF_STEPS || tid >= LEAF_THREADS)
            return false;
        leaf->step[leaf->nsteps++] = tid;
    }
    return true;
}

/* These steps wake some of the excluded events. */
static void wake_excluded(const struct ordered_path *path, struct leaf *leaf, uint32_t from,
                          uint32_t to)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < leaf->nexcluded; i++) {
        bool awake = false;
        for (uint32_t index = from; index < to; index++)
            awake |= op_dependent(path->op(path->path, index), &leaf->excluded[i].op);
        if (!awake)
            leaf->excluded[left++] = leaf->excluded[i];
    }
    leaf->nexcluded = left;
}

/* The chain consists of one frame, and only the first path after it was explored: its event
 * becomes an excluded one. */
static bool exclude_chain(struct ordered_leaf *ordered, const struct ordered_path *path)
{
    struct leaf *leaf = &ordered->leaf;
    uint32_t index = ordered->fixed;
    if (leaf->chain != 1 || leaf->nexcluded == LEAF_EXCLUDED || index >= path->executed ||
        !path->is_second(path->path, index))
        return false;
    uint32_t tid = leaf->step[leaf->nsteps - 1];
    const struct op *op = path->sleeper(path->path, index, tid);
    if (!op)
        return false;
    struct leaf_excluded *excluded = &leaf->excluded[leaf->nexcluded++];
    memset(excluded, 0, sizeof *excluded);
    excluded->tid = tid;
    excluded->op = *op;
    leaf->nsteps--;
    leaf->chain = 0;
    return true;
}

/* Gives away the part of the chain before the frame that is being explored. */
static int split_chain(struct ordered_leaf *ordered, const struct ordered_path *path,
                       uint32_t moved, struct leaf *gift, struct leaf *kept)
{
    struct leaf *leaf = &ordered->leaf;
    uint32_t given = moved - ordered->fixed;
    *gift = *leaf;
    gift->nsteps -= leaf->chain - given;
    gift->chain = given;
    wake_excluded(path, leaf, ordered->fixed, moved);
    leaf->chain -= given;
    ordered->fixed = moved;
    *kept = *leaf;
    return 0;
}

/* Gives away what can be reached from the frames up to the first one with a waiting branch. */
static int split_path(struct ordered_leaf *ordered, const struct ordered_path *path,
                      uint32_t moved, struct leaf *gift, struct leaf *kept)
{
    struct leaf *leaf = &ordered->leaf;
    uint32_t index = ordered->fixed;
    while (index < moved && !path->waits(path->path, index))
        index++;
    if (index >= moved)
        return -1;
    *gift = *leaf;
    gift->chain = index + 1 - ordered->fixed;
    if (!append_steps(path, gift, ordered->fixed, index + 1))
        return -1;
    *leaf = *gift;
    leaf->chain = 0;
    wake_excluded(path, leaf, ordered->fixed, index + 1);
    ordered->fixed = index + 1;
    *kept = *leaf;
    return 0;
}

/* The first frame from `index` on that is not as the first execution left it. */
static uint32_t first_moved(const struct ordered_path *path, uint32_t index)
{
    while (index < path->executed && path->is_first(path->path, index))
        index++;
    return index;
}

int ordered_split(struct ordered_leaf *ordered, const struct ordered_path *path,
                  struct leaf *gift, struct leaf *kept)
{
    if (ordered->gave_up || !ordered->followed)
        return -1;
    uint32_t moved = first_moved(path, ordered->fixed);
    if (ordered->leaf.chain == 0)
        return split_path(ordered, path, moved, gift, kept);
    if (moved > ordered->fixed && moved < ordered->leaf.nsteps)
        return split_chain(ordered, path, moved, gift, kept);
    if (!exclude_chain(ordered, path))
        return -1;
    moved = first_moved(path, ordered->fixed + 1);
    return split_path(ordered, path, moved, gift, kept);
}
