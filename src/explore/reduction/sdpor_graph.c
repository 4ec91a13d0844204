/* The visible-operation graph (sdpor_graph.h). */
#include "explore/reduction/sdpor_graph.h"

#include <string.h>

#include "base/hash.h"

void sdpor_graph_init(struct sdpor_graph *graph, struct pool *pool)
{
    memset(graph, 0, sizeof *graph);
    graph->pool = pool;
    table_init(&graph->ids, pool, sizeof(uint32_t));
    table_init(&graph->pairs, pool, sizeof(uint32_t));
    vector_add(pool, &graph->edge);
}

uint32_t sdpor_graph_node(struct sdpor_graph *graph, uint32_t tid, const struct op *op)
{
    struct hash128 hash = {tid, UINT64_C(0x7364706f72)};
    hash128_join(&hash, (uint64_t)op->kind << 32 | (uint32_t)op->flags << 8 | op->nobjects);
    hash128_join(&hash, op->only_read);
    for (int i = 0; i < op->nobjects; i++)
        hash128_join(&hash, op->object[i]);
    bool fresh;
    uint32_t *id = table_put(&graph->ids, hash.low, hash.high, &fresh);
    if (fresh) {
        *id = graph->node.count;
        struct sdpor_node *node = vector_add(graph->pool, &graph->node);
        *node = (struct sdpor_node){.op = *op, .tid = tid};
    }
    return *id;
}

static struct sdpor_edge *find_edge(struct sdpor_graph *graph, uint32_t from, uint32_t to)
{
    uint32_t id = graph->node.item[from].edge;
    while (graph->edge.item[id].to != to)
        id = graph->edge.item[id].next;
    return &graph->edge.item[id];
}

void sdpor_graph_edge(struct sdpor_graph *graph, uint32_t from, uint32_t to, bool becomes)
{
    bool fresh;
    table_put(&graph->pairs, (uint64_t)from + 1, (uint64_t)to + 1, &fresh);
    if (!fresh) {
        if (becomes)
            find_edge(graph, from, to)->becomes = true;
        return;
    }
    struct sdpor_node *node = &graph->node.item[from];
    uint32_t id = graph->edge.count;
    struct sdpor_edge *edge = vector_add(graph->pool, &graph->edge);
    *edge = (struct sdpor_edge){.to = to, .next = node->edge, .becomes = becomes};
    node->edge = id;
}

void sdpor_graph_start(struct sdpor_graph *graph)
{
    graph->stamp++;
    graph->walk.count = 0;
}

void sdpor_graph_visit(struct sdpor_graph *graph, uint32_t id)
{
    struct sdpor_node *node = &graph->node.item[id];
    if (node->visited == graph->stamp)
        return;
    node->visited = graph->stamp;
    node->place = graph->walk.count;
    *vector_add(graph->pool, &graph->walk) = id;
}

void sdpor_graph_finish(struct sdpor_graph *graph)
{
    for (uint32_t i = 0; i < graph->walk.count; i++) {
        uint32_t edge = graph->node.item[graph->walk.item[i]].edge;
        for (; edge; edge = graph->edge.item[edge].next)
            sdpor_graph_visit(graph, graph->edge.item[edge].to);
    }
}
