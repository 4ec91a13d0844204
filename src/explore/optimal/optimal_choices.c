/* Data choices as numbers (optimal_choices.h). */
#include "explore/optimal/optimal_choices.h"

void optimal_choices_init(struct optimal_choices *choices, struct pool *pool)
{
    choices->pool = pool;
    table_init(&choices->ids, pool, sizeof(uint32_t));
    *vector_add(pool, &choices->item) = (struct optimal_choice){0};
}

uint32_t optimal_choices_add(struct optimal_choices *choices, uint32_t parent, uint32_t value,
                             uint32_t count)
{
    bool fresh;
    uint32_t *id =
        table_put(&choices->ids, (uint64_t)parent + 1, (uint64_t)count << 32 | value, &fresh);
    if (fresh) {
        uint32_t depth = choices->item.item[parent].depth + 1;
        *id = choices->item.count;
        struct optimal_choice *choice = vector_add(choices->pool, &choices->item);
        *choice = (struct optimal_choice){parent, value, count, depth};
    }
    return *id;
}

/* The first `depth` choices of a path. */
static uint32_t optimal_choices_prefix(const struct optimal_choices *choices, uint32_t id,
                                       uint32_t depth)
{
    while (choices->item.item[id].depth > depth)
        id = choices->item.item[id].parent;
    return id;
}

bool optimal_choices_agree(const struct optimal_choices *choices, uint32_t a, uint32_t b)
{
    uint32_t depth_a = choices->item.item[a].depth;
    uint32_t depth_b = choices->item.item[b].depth;
    uint32_t depth = depth_a < depth_b ? depth_a : depth_b;
    return optimal_choices_prefix(choices, a, depth) ==
           optimal_choices_prefix(choices, b, depth);
}

int optimal_choices_follow(struct optimal_choices *choices, uint32_t *at, uint32_t planned,
                           int count)
{
    uint32_t depth = choices->item.item[*at].depth + 1;
    uint32_t value = 0;
    if (choices->item.item[planned].depth >= depth) {
        uint32_t id = optimal_choices_prefix(choices, planned, depth);
        const struct optimal_choice *plan = &choices->item.item[id];
        if (plan->count != (uint32_t)count || plan->parent != *at)
            return -1;
        value = plan->value;
    }
    *at = optimal_choices_add(choices, *at, value, (uint32_t)count);
    return (int)value;
}
