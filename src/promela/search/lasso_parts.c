/* Tarjan's algorithm on the nodes that are done. See lasso.h.
 *
 * A part is good if a cycle goes through it, it has an accepting state and, with fairness, each
 * process moves on an edge inside of it or is blocked in one of its states. Every node of a
 * good part lies on a forbidden cycle, and every forbidden cycle in a good part. */
#include <stdlib.h>

#include "promela/search/lasso.h"

struct visit {
    uint32_t index, low; /* 0: not met */
    uint32_t parent;     /* + 1 */
    uint32_t next;       /* twice the number of an edge, + 1: its second node */
    bool open;
};

struct finder {
    struct lasso *lasso;
    struct visit *visit;
    uint32_t *stack;
    uint32_t open, met;
};

/* Where target `number` of a node leads: a node; LASSO_NOWHERE: nowhere that counts. */
static uint32_t target_of(const struct lasso *l, uint32_t from, uint32_t number)
{
    const struct lasso_node *n = lasso_node_at(l, from);
    const struct lasso_state *s = lasso_state_at(l, n->state);
    const struct lasso_edge *e = lasso_edge_at(l, s->first + number / 2);
    uint8_t movers[2];
    bool preempts;
    if ((e->flags & (LASSO_FAULT | LASSO_ENDS)) ||
        number % 2 >= lasso_movers(e, n->mover, movers))
        return LASSO_NOWHERE;
    if (l->free_cycles) {
        lasso_switch(l, n->state, n->mover, e, &preempts);
        if (preempts)
            return LASSO_NOWHERE;
    }
    return lasso_find(l, e->target, movers[number % 2]);
}

static uint32_t target_count(const struct lasso *l, uint32_t node)
{
    return 2 * lasso_state_at(l, lasso_node_at(l, node)->state)->count;
}

/* The nodes that are open from `bottom` on are a part; `visit` is marked with a number of it.
 */
static bool is_good(const struct finder *f, uint32_t bottom, uint32_t index)
{
    const struct lasso *l = f->lasso;
    bool cyclic = false;
    uint64_t met = 0;
    for (uint32_t i = bottom; i < f->open; i++) {
        uint32_t n = f->stack[i];
        const struct lasso_state *s = lasso_state_at(l, lasso_node_at(l, n)->state);
        met |= s->met;
        for (uint32_t k = 0; k < 2 * s->count; k++) {
            uint32_t to = target_of(l, n, k);
            if (to == LASSO_NOWHERE || !f->visit[to].open || f->visit[to].index < index)
                continue;
            cyclic = true;
            met |= lasso_moved(lasso_edge_at(l, s->first + k / 2));
        }
    }
    return cyclic && (l->fair ? met == ~(uint64_t)0 : (met & LASSO_ACCEPT) != 0);
}

static void close_part(struct finder *f, uint32_t root)
{
    uint32_t bottom = f->open, index = f->visit[root].index;
    do
        bottom--;
    while (f->stack[bottom] != root);
    bool good = is_good(f, bottom, index);
    while (f->open > bottom) {
        uint32_t n = f->stack[--f->open];
        f->visit[n].open = false;
        lasso_node_at(f->lasso, n)->good = good;
    }
}

static void enter(struct finder *f, uint32_t node, uint32_t parent)
{
    f->visit[node] =
        (struct visit){.index = ++f->met, .low = f->met, .parent = parent, .open = true};
    f->stack[f->open++] = node;
}

static void lower(uint32_t *low, uint32_t to)
{
    if (to < *low)
        *low = to;
}

static void search(struct finder *f, uint32_t start)
{
    enter(f, start, 0);
    for (uint32_t at = start + 1; at != 0;) {
        struct visit *v = &f->visit[at - 1];
        if (v->next < target_count(f->lasso, at - 1)) {
            uint32_t to = target_of(f->lasso, at - 1, v->next++);
            if (to != LASSO_NOWHERE && f->visit[to].index == 0) {
                enter(f, to, at);
                at = to + 1;
            } else if (to != LASSO_NOWHERE && f->visit[to].open) {
                lower(&v->low, f->visit[to].index);
            }
            continue;
        }
        if (v->low == v->index)
            close_part(f, at - 1);
        if (v->parent != 0)
            lower(&f->visit[v->parent - 1].low, v->low);
        at = v->parent;
    }
}

void lasso_find_parts(struct lasso *l)
{
    size_t count = l->nodes.count;
    struct finder f = {.lasso = l,
                       .visit = calloc(count, sizeof *f.visit),
                       .stack = calloc(count, sizeof *f.stack)};
    l->beside = count * (sizeof *f.visit + sizeof *f.stack);
    if (!f.visit || !f.stack)
        lasso_halt(l, "memory");
    for (uint32_t i = 0; i < count && !l->stop; i++)
        if (lasso_node_at(l, i)->done && f.visit[i].index == 0)
            search(&f, i);
    free(f.visit);
    free(f.stack);
    l->beside = 0;
}
