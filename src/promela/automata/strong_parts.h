/* Tarjan's algorithm (SIAM J. Comput. 1972): the strongly connected parts of a graph, without
 * recursion. The graph is given by functions.
 *
 * Invariant: `stack` holds the open nodes, whose part is not known yet, in the order in which
 * they were met; a part is a run of them up to the top. */
#ifndef MAZUR_PROMELA_COMPONENTS_H
#define MAZUR_PROMELA_COMPONENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPONENTS_NOWHERE 0xffffffffu

struct component_visit {
    uint32_t index, low; /* 0: not met */
    uint32_t parent;     /* + 1 */
    uint32_t next;       /* number of the target to look at */
    bool open;
};

struct components {
    void *context;
    /* Where target `number` of a node leads, or COMPONENTS_NOWHERE. */
    uint32_t (*target_of)(const void *context, uint32_t node, uint32_t number);
    uint32_t (*target_count)(const void *context, uint32_t node);
    /* The open nodes from stack[bottom] on are a part; they are still marked as open. */
    void (*close_part)(void *context, const struct components *components, uint32_t bottom);
    struct component_visit *visit;
    uint32_t *stack;
    uint32_t open, met;
};

/* Bytes for so many nodes. */
size_t components_bytes(size_t count);
/* Context and functions are set. False: no memory; free it all the same. */
bool components_init(struct components *components, size_t count);
/* All parts that can be reached from a node, unless it was met before. */
void components_find(struct components *components, uint32_t start);
void components_free(struct components *components);

#endif
