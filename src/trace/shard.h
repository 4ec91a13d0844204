/* The part of a result that says it is one of several (--shard): what `mazur merge` needs. */
#ifndef MAZUR_TRACE_SHARD_H
#define MAZUR_TRACE_SHARD_H

#include <stdbool.h>
#include <stdint.h>

#include "explore/strategy/search_options.h"

struct shard {
    int index; /* from 1 */
    int of;    /* 0: the result is not one of a shard */
    /* The search was not divided: it ended before that, could not be divided, or this shard has
     * a lesson that the others do not know. */
    bool whole;
    bool exhausted;   /* nothing is left of its part, for any number of preemptions */
    uint64_t tree;    /* hash of the leaves */
    uint64_t program; /* hash of the program, of libmazur.so and of the arguments */
    uint64_t options; /* … of everything that decides which executions there are */
    bool keep_going;  /* --keep-going */
    unsigned leaves;  /* of the whole search, when it was divided */
    unsigned own;     /* of these, dealt to this shard */
    int bound_done;   /* the last bound that was finished for its part */
    int nrows;        /* those that are not rows of the whole search */
    struct bound_row row[BOUND_ROWS];
};

#endif
