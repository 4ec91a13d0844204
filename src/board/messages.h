/* --jobs: the messages between the parent (the foreman, cli/jobs/foreman.h) and a child that
 * searches a part of the program's executions. They are on the board.
 *
 *     parent                                  child
 *     ------                                  -----
 *     leaf, leaf_number, bound, asked  ────▶  waits for asked ≠ answered, and runs the leaf
 *                                      ◀────  answer, answered: the bound is finished, or why
 *     split_asked                      ────▶  between two executions
 *                                      ◀────  gift, kept, split_answered
 *
 * With --shard a child stops where its leaf is to be divided (board_config.divide_least), sets
 * `dividing`, and gives away one part after another until there are no more. That place depends
 * only on counts, so it is the same in every shard.
 *
 * A number is incremented after the data that belongs to it was written, and that data is read
 * after the number. The parent copies a leaf and checks it (leaf_is_sane) before using it. */
#ifndef MAZUR_BOARD_MESSAGES_H
#define MAZUR_BOARD_MESSAGES_H

#include "explore/strategy/leaf.h"

enum work_answer {
    WORK_NONE = 0,
    WORK_FINISHED, /* the counts for everything within the bound are on the board */
    WORK_LEARNED,  /* there is a new lesson: all children must start over */
    WORK_GAVE_UP,  /* the leaf can't be searched: the search must not be divided */
    WORK_ANSWERS
};

/* Can the search be divided? If not, why. */
enum work_able {
    WORK_NOT_DIVIDED = 0, /* searches of its strategy are not divided */
    WORK_ABLE,
    WORK_TAKEN_OVER, /* it was; then such a strategy has taken over */
    WORK_IS_SERIAL,  /* the serial part of a history: one process finds all of it */
    WORK_NO_ROOM,
};

struct board_work {
    uint32_t able;            /* enum work_able */
    volatile uint32_t shared; /* other children search, too: wait for them at the end of a
                               * bound */
    volatile uint32_t asked;
    uint32_t leaf_number;
    int32_t bound;
    struct leaf leaf;
    volatile uint32_t answered;
    uint32_t answer; /* enum work_answer */

    volatile uint32_t
        go; /* after the first split the child waits for this, while its board is copied */
    uint64_t split_most; /* executions of the part that may have been run: they are run again */
    volatile uint32_t split_asked;
    volatile uint32_t split_answered;
    uint32_t split_given; /* 0: there was nothing to give */
    uint32_t gifts;       /* parts that this child has given away; if the parent does not have
                             them all, it claims nothing */
    int32_t split_bound;  /* the bound that is being searched */
    uint64_t gift_executions;   /* executions of the gift that were already run */
    volatile uint32_t dividing; /* --shard: 1: in the middle of a bound, 2: at its end */
    struct leaf gift;
    struct leaf kept;
};

static inline uint32_t work_number(const volatile uint32_t *number)
{
    return __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

static inline void work_tell(volatile uint32_t *number, uint32_t value)
{
    __atomic_store_n(number, value, __ATOMIC_RELEASE);
}

#endif
