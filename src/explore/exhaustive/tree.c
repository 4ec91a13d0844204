/* The path of a depth-first search (tree.h). */
#include "explore/exhaustive/tree.h"

#include <string.h>

#include "base/must.h"
#include "explore/strategy/strategy.h"

void tree_init(struct tree *tree, struct pool *pool)
{
    memset(tree, 0, sizeof *tree);
    tree->pool = pool;
    tree->weight = 1;
}

void tree_begin(struct tree *tree)
{
    tree->cursor = 0;
    tree->diverged = false;
    leaf_filter_begin(&tree->filter);
}

/* In a leaf the filter has seen every step. */
bool tree_mark(const struct tree *tree, struct strategy_mark *mark)
{
    *mark = (struct strategy_mark){.cursor = tree->cursor};
    return !tree->diverged && !tree->filter.member;
}

/* The first `kept` frames are followed. */
enum strategy_goes_on tree_go_on(struct tree *tree, const struct strategy_mark *mark)
{
    if (mark->cursor > tree->kept || tree->filter.member)
        return MARK_GONE;
    tree->cursor = mark->cursor;
    return MARK_GOES_ON;
}

static struct tree_frame *enter_frame(struct tree *tree, uint64_t situation)
{
    if (tree->diverged)
        return NULL;
    uint32_t cursor = tree->cursor++;
    uint32_t before = cursor ? tree->frames.item[cursor - 1].situation : 0;
    uint32_t seen = (uint32_t)(hash_mix(situation + before) >> 32);
    if (cursor == tree->frames.count) {
        struct tree_frame *frame = vector_add(tree->pool, &tree->frames);
        *frame = (struct tree_frame){.chosen = TREE_UNSET, .situation = seen};
        return frame;
    }
    struct tree_frame *frame = &tree->frames.item[cursor];
    if (frame->count == 0) { /* written by tree_lay */
        frame->situation = seen;
        frame->count = 1;
    }
    if (frame->situation == seen)
        return frame;
    tree->diverged = true;
    return NULL;
}

struct tree_frame *tree_enter(struct tree *tree, const struct position *pos)
{
    struct tree_frame *frame = enter_frame(tree, position_situation(pos));
    if (!frame || frame->chosen == TREE_UNSET)
        return frame;
    if (frame->chosen & SCHEDULE_CHOICE || frame->chosen >= (uint32_t)pos->nthreads ||
        !threadset_has(&pos->enabled, (int)frame->chosen)) {
        tree->diverged = true;
        return NULL;
    }
    return frame;
}

int tree_take(struct tree *tree, struct tree_frame *frame, const struct position *pos)
{
    for (;; frame->index++) {
        int tid = position_alternative(pos, frame->index);
        if (!leaf_filter_excludes(&tree->filter, pos, tid)) {
            frame->chosen = (uint32_t)tid;
            return tid;
        }
        if (frame->index + 1 == frame->count)
            return PICK_PRUNE;
    }
}

static int choose_value(struct tree *tree, int n)
{
    struct tree_frame *frame = enter_frame(tree, ~(uint64_t)n);
    if (!frame)
        return 0;
    if (frame->chosen == TREE_UNSET) {
        if (frame->count == 0)
            tree_open(tree, frame, (uint32_t)n);
        frame->chosen = SCHEDULE_CHOICE | frame->index;
    }
    uint32_t value = frame->chosen & ~SCHEDULE_CHOICE;
    if (!(frame->chosen & SCHEDULE_CHOICE) || value >= (uint32_t)n) {
        tree->diverged = true;
        return 0;
    }
    return (int)value;
}

int tree_choose(struct tree *tree, int n)
{
    int value = leaf_filter_choose(&tree->filter, n);
    if (value < 0)
        value = choose_value(tree, n);
    leaf_filter_chose(&tree->filter, n, value);
    return value;
}

void tree_open(struct tree *tree, struct tree_frame *frame, uint32_t count)
{
    must(count > 0);
    bool first = frame == tree->frames.item;
    frame->count = count;
    frame->weight = (first ? tree->weight : frame[-1].weight) / count;
}

void tree_lay(struct tree *tree, uint32_t chosen)
{
    struct tree_frame *frame = vector_add(tree->pool, &tree->frames);
    *frame = (struct tree_frame){.chosen = chosen, .weight = tree->weight};
}

/* A data choice belongs to the step of the last thread that was chosen before it. */
static uint32_t first_frame_of_step(const struct tree *tree, uint32_t index)
{
    while (index > 0 && tree->frames.item[index].chosen & SCHEDULE_CHOICE)
        index--;
    return index;
}

/* Moves to the next path in depth-first order. False: there is none. *lost is set if the
 * execution ended before the path did, so that a part of the tree could not be reached. */
static bool tree_advance(struct tree *tree, bool *lost)
{
    *lost |= tree->diverged;
    if (tree->cursor < tree->frames.count) {
        tree->frames.count = tree->cursor > tree->fixed ? tree->cursor : tree->fixed;
        *lost = true;
    }
    while (tree->frames.count > tree->fixed) {
        struct tree_frame *top = &tree->frames.item[tree->frames.count - 1];
        if (top->index + 1 < top->count) {
            top->index++;
            tree->kept = first_frame_of_step(tree, tree->frames.count - 1);
            top->chosen = TREE_UNSET;
            return true;
        }
        tree->frames.count--;
    }
    tree->kept = 0;
    return false;
}

double tree_weight(const struct tree *tree)
{
    uint32_t count = tree->frames.count;
    if (tree->filter.member)
        return 0;
    return count ? tree->frames.item[count - 1].weight : tree->weight;
}

bool tree_advance_search(struct strategy_context *context, struct tree *tree)
{
    bool lost = false;
    if (tree->filter.bad && tree->cursor < tree->frames.count)
        tree->frames.count = tree->cursor > tree->fixed ? tree->cursor : tree->fixed;
    if (tree->filter.bad && tree->cursor < tree->fixed)
        tree->cursor = tree->fixed;
    bool more = tree_advance(tree, &lost);
    if (lost)
        strategy_raise_lost(context);
    return more;
}
