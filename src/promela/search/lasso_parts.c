/* Strongly connected parts of the nodes that are done. See lasso.h.
 *
 * A part is good if a cycle goes through it, it has an accepting state and, with fairness, each
 * process moves on an edge inside of it or is blocked in one of its states. Every node of a
 * good part lies on a forbidden cycle, and every forbidden cycle in a good part. */
#include "promela/automata/strong_parts.h"
#include "promela/search/lasso.h"

/* Where target `number` of a node leads: a node; COMPONENTS_NOWHERE: nowhere that counts. */
static uint32_t lasso_target(const void *context, uint32_t from, uint32_t number)
{
    const struct lasso *l = context;
    const struct lasso_node *n = lasso_node_at(l, from);
    const struct lasso_state *s = lasso_state_at(l, n->state);
    const struct lasso_edge *e = lasso_edge_at(l, s->first + number / 2);
    uint8_t movers[2];
    bool preempts;
    if ((e->flags & (LASSO_FAULT | LASSO_ENDS)) ||
        number % 2 >= lasso_movers(e, n->mover, movers))
        return COMPONENTS_NOWHERE;
    if (l->free_cycles) {
        lasso_switch(l, n->state, n->mover, e, &preempts);
        if (preempts)
            return COMPONENTS_NOWHERE;
    }
    return lasso_find(l, e->target, movers[number % 2]);
}

static uint32_t lasso_target_count(const void *context, uint32_t node)
{
    const struct lasso *l = context;
    return 2 * lasso_state_at(l, lasso_node_at(l, node)->state)->count;
}

/* The open nodes from `bottom` on form a part; those visited before its first one belong to
 * others. */
static bool is_good(const struct lasso *l, const struct components *c, uint32_t bottom)
{
    uint32_t index = c->visit[c->stack[bottom]].index;
    bool cyclic = false;
    uint64_t met = 0;
    for (uint32_t i = bottom; i < c->open; i++) {
        uint32_t n = c->stack[i];
        const struct lasso_state *s = lasso_state_at(l, lasso_node_at(l, n)->state);
        met |= s->met;
        for (uint32_t k = 0; k < 2 * s->count; k++) {
            uint32_t to = lasso_target(l, n, k);
            if (to == COMPONENTS_NOWHERE || !c->visit[to].open || c->visit[to].index < index)
                continue;
            cyclic = true;
            met |= lasso_moved(lasso_edge_at(l, s->first + k / 2));
        }
    }
    return cyclic && (l->fair ? met == ~(uint64_t)0 : (met & LASSO_ACCEPT) != 0);
}

static void close_lasso_part(void *context, const struct components *c, uint32_t bottom)
{
    struct lasso *l = context;
    bool good = is_good(l, c, bottom);
    for (uint32_t i = bottom; i < c->open; i++)
        lasso_node_at(l, c->stack[i])->good = good;
}

void lasso_find_parts(struct lasso *l)
{
    size_t count = l->nodes.count;
    struct components c = {.context = l,
                           .target_of = lasso_target,
                           .target_count = lasso_target_count,
                           .close_part = close_lasso_part};
    l->beside = components_bytes(count);
    if (!components_init(&c, count))
        lasso_halt(l, "memory");
    for (uint32_t i = 0; i < count && !l->stop; i++)
        if (lasso_node_at(l, i)->done)
            components_find(&c, i);
    components_free(&c);
    l->beside = 0;
}
