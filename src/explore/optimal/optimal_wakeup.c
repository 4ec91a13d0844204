/* Wakeup trees (optimal.h; POPL 2014, section 6).
 *
 * A tree is ordered: branches are explored from left to right, a new one goes to the right end.
 * A sequence goes down by the first branch whose event can come first in it:
 *
 *      tree  ┬ A ─ B        insert B A C:  A can come first (it is independent of B),
 *            └ C                           then B, which is a leaf: nothing to add
 *
 * because everything after the leaf will be explored completely, with all its races.
 *
 * Invariant: no leaf that is not `unsure` is covered by what sleeps in its frame. */
#include <string.h>

#include "base/must.h"
#include "explore/optimal/optimal.h"

static uint32_t new_node(struct optimal *optimal, const struct optimal_event *event)
{
    uint32_t index = optimal->free_nodes;
    if (index) {
        optimal->free_nodes = optimal->nodes.item[index].next;
    } else {
        index = optimal->nodes.count;
        vector_add(optimal->context->pool, &optimal->nodes);
    }
    optimal->nodes.item[index] = (struct optimal_node){.event = *event};
    return index;
}

static void free_node(struct optimal *optimal, uint32_t index)
{
    must(index > 0 && index < optimal->nodes.count);
    optimal->nodes.item[index].next = optimal->free_nodes;
    optimal->free_nodes = index;
}

/* Frees a list of branches with everything below them. (No recursion: a branch is as long as an
 * execution, and the stack may be a fiber's.) */
void optimal_free_tree(struct optimal *optimal, uint32_t index)
{
    struct optimal_node *nodes = optimal->nodes.item;
    while (index) {
        uint32_t next = nodes[index].next;
        uint32_t child = nodes[index].child;
        if (child) {
            uint32_t last = child;
            while (nodes[last].next)
                last = nodes[last].next;
            nodes[last].next = next;
            next = child;
        }
        free_node(optimal, index);
        index = next;
    }
}

/* The place of the thread's first event in the sequence, or its length. */
static uint32_t place_of(const struct optimal_sequence *sequence, uint32_t tid)
{
    uint32_t place = sequence->first;
    while (place < sequence->event.count && sequence->event.item[place]->tid != tid)
        place++;
    return place;
}

static bool may_end_early(const struct optimal *optimal, const struct optimal_event *event)
{
    return optimal->ends_early && event->vague && event->op.flags & OP_GLOBAL;
}

enum optimal_fit { FIT_NO, FIT_YES, FIT_UNSURE };

static enum optimal_fit fit_event(const struct optimal *optimal,
                                  const struct optimal_event *event,
                                  const struct optimal_sequence *sequence, bool prefix_will_do,
                                  uint32_t *place)
{
    enum optimal_fit fit = FIT_YES;
    bool ends = false; /* the event may end the execution at its place in the sequence */
    *place = place_of(sequence, event->tid);
    if (*place < sequence->event.count) {
        const struct optimal_event *same = sequence->event.item[*place];
        if (!optimal_choices_agree(&optimal->choices, event->choice, same->choice))
            return FIT_NO;
        if (event->choice != same->choice && !prefix_will_do)
            fit = FIT_UNSURE;
        ends = may_end_early(optimal, same);
        if (event->vague)
            event = same; /* the same event, in its final form if that is known */
    }
    for (uint32_t i = sequence->first; i < *place; i++) {
        const struct optimal_event *other = sequence->event.item[i];
        if (!op_dependent(&event->op, &other->op)) {
            if (ends)
                fit = FIT_UNSURE;
            continue;
        }
        if (!event->vague && !other->vague)
            return FIT_NO;
        fit = FIT_UNSURE;
    }
    return fit;
}

/* Is the sequence covered by what sleeps in the frame? */
static enum optimal_fit optimal_covered(const struct optimal *optimal, uint32_t frame,
                                        const struct optimal_sequence *sequence)
{
    uint32_t end = frame + 1 < optimal->frames.count ? optimal->frames.item[frame + 1].sleep
                                                     : optimal->sleep.count;
    enum optimal_fit covered = FIT_NO;
    uint32_t place;
    for (uint32_t i = optimal->frames.item[frame].sleep; i < end; i++) {
        enum optimal_fit fit =
            fit_event(optimal, &optimal->sleep.item[i], sequence, true, &place);
        /* An event that this search has explored also covers sequences without it that are
         * independent of it. One that belongs to another leaf does not: that leaf drops the
         * reversals that lead from there to here. */
        if (optimal->sleep.item[i].given && place == sequence->event.count)
            continue;
        if (fit == FIT_YES)
            return FIT_YES;
        if (fit == FIT_UNSURE)
            covered = FIT_UNSURE;
    }
    return covered;
}

/* The sequence may contain the node's event in its final form, or may know that the event may
 * end an execution early, so that its dependences are unknown after all. */
static void learn_form(const struct optimal *optimal, struct optimal_node *node,
                       const struct optimal_sequence *sequence, uint32_t place)
{
    if (place >= sequence->event.count)
        return;
    const struct optimal_event *same = sequence->event.item[place];
    if (may_end_early(optimal, same) ||
        (node->event.vague && !same->vague && !may_end_early(optimal, &node->event)))
        node->event = *same;
}

/* Moves what is before the place. That is little: most sequences go down a branch in their own
 * order. */
static void remove_from_sequence(struct optimal_sequence *sequence, uint32_t place)
{
    if (place >= sequence->event.count)
        return;
    const struct optimal_event **first = &sequence->event.item[sequence->first++];
    memmove(first + 1, first, (size_t)(&sequence->event.item[place] - first) * sizeof *first);
}

/* The first branch of a list by which the sequence can go down, or 0. */
static uint32_t way_down(struct optimal *optimal, uint32_t list, uint32_t *place)
{
    struct optimal_sequence *sequence = &optimal->sequence;
    for (uint32_t index = list; index; index = optimal->nodes.item[index].next) {
        const struct optimal_node *node = &optimal->nodes.item[index];
        enum optimal_fit fit = fit_event(optimal, &node->event, sequence, false, place);
        if (fit == FIT_YES) {
            bool same = sequence->guess && sequence->event.count - sequence->first == 1 &&
                        *place == sequence->first;
            if (!node->guess || same)
                return index;
            fit = FIT_UNSURE;
        }
        sequence->unsure |= fit == FIT_UNSURE;
    }
    return 0;
}

/* What is left of the sequence becomes the last branch of a list. */
static void append_branch(struct optimal *optimal, uint32_t parent, uint32_t frame)
{
    const struct optimal_sequence *sequence = &optimal->sequence;
    for (uint32_t i = sequence->first; i < sequence->event.count; i++) {
        uint32_t index = new_node(optimal, sequence->event.item[i]);
        uint32_t *link =
            parent ? &optimal->nodes.item[parent].child : &optimal->frames.item[frame].tree;
        while (*link)
            link = &optimal->nodes.item[*link].next;
        *link = index;
        parent = index;
    }
    struct optimal_node *leaf = &optimal->nodes.item[parent];
    leaf->guess = sequence->guess;
    leaf->unsure = sequence->unsure || sequence->guess || leaf->event.vague;
}

void optimal_insert(struct optimal *optimal, uint32_t frame)
{
    struct optimal_sequence *sequence = &optimal->sequence;
    enum optimal_fit covered = optimal_covered(optimal, frame, sequence);
    if (covered == FIT_YES)
        return;
    sequence->unsure |= covered == FIT_UNSURE;
    uint32_t list = optimal->frames.item[frame].tree;
    uint32_t parent = 0;
    uint32_t place;
    for (;;) {
        uint32_t index = way_down(optimal, list, &place);
        if (!index)
            break;
        struct optimal_node *node = &optimal->nodes.item[index];
        learn_form(optimal, node, sequence, place);
        remove_from_sequence(sequence, place);
        bool used_up = sequence->event.count == sequence->first;
        bool leaf = !node->child;
        node->end |= used_up != leaf; /* the end of this sequence, or of the one that was a
                                       * leaf */
        if (used_up || (leaf && !node->unsure))
            return;
        sequence->unsure |= leaf;
        parent = index;
        list = node->child;
    }
    append_branch(optimal, parent, frame);
}

static void go_to_leaf(struct optimal *optimal, uint32_t index, uint32_t before)
{
    while (index) {
        struct optimal_way *way = vector_add(optimal->context->pool, &optimal->path);
        *way = (struct optimal_way){index, before};
        index = optimal->nodes.item[index].child;
        before = 0;
    }
}

/* Is the leaf at the end of optimal->path unsure, and in fact covered by now? */
static bool leaf_is_covered(struct optimal *optimal, uint32_t frame)
{
    struct optimal_sequence *sequence = &optimal->sequence;
    const struct optimal_way *way = optimal->path.item;
    if (!optimal->nodes.item[way[optimal->path.count - 1].node].unsure)
        return false;
    sequence->event.count = sequence->first = 0;
    for (uint32_t i = 0; i < optimal->path.count; i++) {
        const struct optimal_event **event =
            vector_add(optimal->context->pool, &sequence->event);
        *event = &optimal->nodes.item[way[i].node].event;
    }
    return optimal_covered(optimal, frame, sequence) == FIT_YES;
}

/* Drops the unsure leaves of a branch that turn out to be covered, with the nodes that lead
 * only to them. True: nothing is left of the branch. */
static bool drop_covered(struct optimal *optimal, uint32_t frame, uint32_t branch)
{
    bool leaf = true;
    optimal->path.count = 0;
    go_to_leaf(optimal, branch, 0);
    for (;;) {
        struct optimal_way way = optimal->path.item[optimal->path.count - 1];
        struct optimal_node *nodes = optimal->nodes.item;
        bool gone = leaf ? leaf_is_covered(optimal, frame) : nodes[way.node].child == 0;
        uint32_t next = nodes[way.node].next;
        if (--optimal->path.count == 0) {
            if (gone)
                free_node(optimal, way.node);
            return gone;
        }
        uint32_t parent = optimal->path.item[optimal->path.count - 1].node;
        if (gone) {
            *(way.before ? &nodes[way.before].next : &nodes[parent].child) = next;
            free_node(optimal, way.node);
        }
        leaf = next != 0;
        go_to_leaf(optimal, next, gone ? way.before : way.node);
    }
}

bool optimal_next_branch(struct optimal *optimal, uint32_t index, bool news)
{
    struct optimal_frame *frame = &optimal->frames.item[index];
    while (frame->tree) {
        uint32_t branch = frame->tree;
        struct optimal_node *node = &optimal->nodes.item[branch];
        frame->tree = node->next;
        node->next = 0;
        if (!threadset_has(&frame->enabled, (int)node->event.tid)) {
            if (!node->guess)
                strategy_raise_unseen(optimal->context);
            optimal_free_tree(optimal, branch);
            continue;
        }
        if (news && drop_covered(optimal, index, branch))
            continue;
        frame->event = node->event;
        frame->below = node->child;
        frame->below_end = node->end;
        free_node(optimal, branch);
        return true;
    }
    return false;
}
