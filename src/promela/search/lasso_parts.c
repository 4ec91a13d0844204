/* Tarjan's algorithm on the nodes that are done. See lasso.h.
 *
 * A part is good if a cycle goes through it, it has an accepting state and, with fairness, each
 * process moves on an edge inside of it or is blocked in one of its states. Every node of a
 * good part lies on a forbidden cycle, and every forbidden cycle in a good part. */
#include <stdlib.h>

#include "promela/search/lasso.h"

struct visit {
    u32 index, low; /* 0: not met */
    u32 parent;     /* + 1 */
    u32 next;       /* twice the number of an edge, + 1: its second node */
    bool open;
};

struct finder {
    struct lasso *lasso;
    struct visit *visit;
    u32 *stack;
    u32 open, met;
};

/* Where target `number` of a node leads: a node; LASSO_NOWHERE: nowhere that counts. */
static u32 target_of(const struct lasso *l, u32 from, u32 number)
{
    const struct lasso_node *n = lasso_node_at(l, from);
    const struct lasso_state *s = lasso_state_at(l, n->state);
    const struct lasso_edge *e = lasso_edge_at(l, s->first + number / 2);
    u8 movers[2];
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

static u32 target_count(const struct lasso *l, u32 node)
{
    return 2 * lasso_state_at(l, lasso_node_at(l, node)->state)->count;
}

/* The nodes that are open from `bottom` on are a part; `visit` is marked with a number of it.
 */
static bool is_good(const struct finder *f, u32 bottom, u32 index)
{
    const struct lasso *l = f->lasso;
    bool cyclic = false;
    u64 met = 0;
    for (u32 i = bottom; i < f->open; i++) {
        u32 n = f->stack[i];
        const struct lasso_state *s = lasso_state_at(l, lasso_node_at(l, n)->state);
        met |= s->met;
        for (u32 k = 0; k < 2 * s->count; k++) {
            u32 to = target_of(l, n, k);
            if (to == LASSO_NOWHERE || !f->visit[to].open || f->visit[to].index < index)
                continue;
            cyclic = true;
            met |= lasso_moved(lasso_edge_at(l, s->first + k / 2));
        }
    }
    return cyclic && (l->fair ? met == ~(u64)0 : (met & LASSO_ACCEPT) != 0);
}

static void close_part(struct finder *f, u32 root)
{
    u32 bottom = f->open, index = f->visit[root].index;
    do
        bottom--;
    while (f->stack[bottom] != root);
    bool good = is_good(f, bottom, index);
    while (f->open > bottom) {
        u32 n = f->stack[--f->open];
        f->visit[n].open = false;
        lasso_node_at(f->lasso, n)->good = good;
    }
}

static void enter(struct finder *f, u32 node, u32 parent)
{
    f->visit[node] =
        (struct visit){.index = ++f->met, .low = f->met, .parent = parent, .open = true};
    f->stack[f->open++] = node;
}

static void lower(u32 *low, u32 to)
{
    if (to < *low)
        *low = to;
}

static void search(struct finder *f, u32 start)
{
    enter(f, start, 0);
    for (u32 at = start + 1; at != 0;) {
        struct visit *v = &f->visit[at - 1];
        if (v->next < target_count(f->lasso, at - 1)) {
            u32 to = target_of(f->lasso, at - 1, v->next++);
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
    if (f.visit == NULL || f.stack == NULL)
        lasso_halt(l, "memory");
    for (u32 i = 0; i < count && !l->stop; i++)
        if (lasso_node_at(l, i)->done && f.visit[i].index == 0)
            search(&f, i);
    free(f.visit);
    free(f.stack);
    l->beside = 0;
}
