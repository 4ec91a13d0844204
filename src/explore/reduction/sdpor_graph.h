/* The visible-operation graph (paper 004, section 4.2): which operation of which thread can
 * come after which. It only grows; its size is that of the program text that was reached, not
 * that of the state space. */
#ifndef MAZUR_EXPLORE_SDPOR_GRAPH_H
#define MAZUR_EXPLORE_SDPOR_GRAPH_H

#include "base/table.h"
#include "base/vector.h"
#include "explore/world/op.h"

struct sdpor_node {
    struct op op;
    uint32_t tid;
    uint32_t edge;    /* first edge, 0: none */
    uint32_t visited; /* stamp of the last walk that came here */
    uint32_t place;   /* … and where it is in that walk */
};

struct sdpor_edge {
    uint32_t to;
    uint32_t next;
    bool becomes; /* perhaps: from a pending form to a final one; the operation is not over */
};

struct sdpor_graph {
    struct pool *pool;
    struct table ids;   /* hash of thread and operation → node */
    struct table pairs; /* (from, to) of the edges that exist */
    VECTOR(struct sdpor_node) node;
    VECTOR(struct sdpor_edge) edge; /* edge 0 is not used */
    VECTOR(uint32_t) walk;          /* nodes of the walk: all that are reached */
    uint32_t stamp;
};

void sdpor_graph_init(struct sdpor_graph *graph, struct pool *pool);
/* The node of an operation; nodes differ by kind, flags and objects. */
uint32_t sdpor_graph_node(struct sdpor_graph *graph, uint32_t tid, const struct op *op);
void sdpor_graph_edge(struct sdpor_graph *graph, uint32_t from, uint32_t to, bool becomes);
/* Starts a walk; adds a node to it; then follows all edges. The result is in graph->walk. */
void sdpor_graph_start(struct sdpor_graph *graph);
void sdpor_graph_visit(struct sdpor_graph *graph, uint32_t node);
void sdpor_graph_finish(struct sdpor_graph *graph);

#endif
