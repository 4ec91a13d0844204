/* The data choices of one step as one number: paths in a trie that only grows; 0: no choice.
 * Equal choices have equal numbers, and a step may make any number of them. */
#ifndef MAZUR_EXPLORE_OPTIMAL_CHOICES_H
#define MAZUR_EXPLORE_OPTIMAL_CHOICES_H

#include <stdbool.h>

#include "base/table.h"
#include "base/vector.h"

struct optimal_choice {
    uint32_t parent;
    uint32_t value;
    uint32_t count; /* of alternatives */
    uint32_t depth; /* choices on the path, this one included */
};

struct optimal_choices {
    struct pool *pool;
    struct table ids; /* (parent, value and count) → id */
    VECTOR(struct optimal_choice) item;
};

void optimal_choices_init(struct optimal_choices *choices, struct pool *pool);
uint32_t optimal_choices_add(struct optimal_choices *choices, uint32_t parent, uint32_t value,
                             uint32_t count);
/* Is one of them the beginning of the other? */
bool optimal_choices_agree(const struct optimal_choices *choices, uint32_t a, uint32_t b);
/* Makes a choice among `count` after the path *at, as the path `planned` says, or 0 beyond its
 * end; advances *at. -1: the plan does not fit. */
int optimal_choices_follow(struct optimal_choices *choices, uint32_t *at, uint32_t planned,
                           int count);

#endif
