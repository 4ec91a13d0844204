/* See strong_parts.h. */
#include "promela/automata/strong_parts.h"

#include <stdlib.h>

#include "base/must.h"

size_t components_bytes(size_t count)
{
    return count * (sizeof(struct component_visit) + sizeof(uint32_t));
}

bool components_init(struct components *c, size_t count)
{
    c->visit = calloc(count, sizeof *c->visit);
    c->stack = calloc(count, sizeof *c->stack);
    return c->visit && c->stack;
}

void components_free(struct components *c)
{
    free(c->visit);
    free(c->stack);
}

static void enter_node(struct components *c, uint32_t node, uint32_t parent)
{
    c->visit[node] = (struct component_visit){
        .index = ++c->met, .low = c->met, .parent = parent, .open = true};
    c->stack[c->open++] = node;
}

static void lower_link(uint32_t *low, uint32_t to)
{
    if (to < *low)
        *low = to;
}

/* All that is open from `root` on is a part. */
static void close_from(struct components *c, uint32_t root)
{
    uint32_t bottom = c->open;
    do {
        must(bottom > 0);
        bottom--;
    } while (c->stack[bottom] != root);
    c->close_part(c->context, c, bottom);
    while (c->open > bottom)
        c->visit[c->stack[--c->open]].open = false;
}

void components_find(struct components *c, uint32_t start)
{
    if (c->visit[start].index != 0)
        return;
    enter_node(c, start, 0);
    for (uint32_t at = start + 1; at != 0;) {
        struct component_visit *v = &c->visit[at - 1];
        if (v->next < c->target_count(c->context, at - 1)) {
            uint32_t to = c->target_of(c->context, at - 1, v->next++);
            if (to != COMPONENTS_NOWHERE && c->visit[to].index == 0) {
                enter_node(c, to, at);
                at = to + 1;
            } else if (to != COMPONENTS_NOWHERE && c->visit[to].open) {
                lower_link(&v->low, c->visit[to].index);
            }
            continue;
        }
        if (v->low == v->index)
            close_from(c, at - 1);
        if (v->parent != 0)
            lower_link(&c->visit[v->parent - 1].low, v->low);
        at = v->parent;
    }
}
