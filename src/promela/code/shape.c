/* Interned shapes. Nodes are never freed or moved while a search runs, so that generated code
 * can hold pointers; creation is guarded by a mutex, lookup of a known child is not. */
#include "promela/code/shape.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "promela/code/layout.h"

#define CHUNK  1024
#define CHUNKS 4096

struct shape_node {
    struct shape shape; /* first, so that pointers convert */
    uint32_t entity;
    _Atomic(struct shape_node *) child;
    struct shape_node *sibling;
};

struct shapes {
    const struct model *model;
    struct shape_node *root;
    struct shape_node **chunks[CHUNKS]; /* by id */
    uint32_t count;
    pthread_mutex_t lock;
};

static struct shape_node *node_new(struct shapes *shapes, const struct shape *before)
{
    uint32_t processes = before ? before->processes : 0;
    uint32_t channels = before ? before->channels : 0;
    if (shapes->count == CHUNK * CHUNKS)
        return NULL;
    struct shape_node **chunk = shapes->chunks[shapes->count / CHUNK];
    if (!chunk) {
        chunk = shapes->chunks[shapes->count / CHUNK] = calloc(CHUNK, sizeof *chunk);
        if (!chunk)
            return NULL;
    }
    struct shape_node *node =
        calloc(1, sizeof *node + 2 * sizeof(uint32_t) * (processes + channels + 2));
    if (!node)
        return NULL;
    uint32_t *room = (uint32_t *)(node + 1);
    node->shape.type = room;
    node->shape.offset = room + processes + 1;
    node->shape.channel_type = room + 2 * (processes + 1);
    node->shape.channel_offset = room + 2 * (processes + 1) + channels + 1;
    node->shape.id = shapes->count;
    chunk[shapes->count++ % CHUNK] = node;
    return node;
}

struct shapes *shapes_create(const struct model *model)
{
    struct shapes *shapes = calloc(1, sizeof *shapes);
    if (!shapes)
        return NULL;
    shapes->model = model;
    pthread_mutex_init(&shapes->lock, NULL);
    shapes->root = node_new(shapes, NULL);
    if (shapes->root)
        shapes->root->shape.size = (uint32_t)model->global_size;
    return shapes;
}

void shapes_free(struct shapes *shapes)
{
    if (!shapes)
        return;
    for (uint32_t i = 0; i < shapes->count; i++)
        free(shapes->chunks[i / CHUNK][i % CHUNK]);
    for (uint32_t i = 0; i < CHUNKS; i++)
        free(shapes->chunks[i]);
    pthread_mutex_destroy(&shapes->lock);
    free(shapes);
}

const struct shape *shapes_root(const struct shapes *shapes)
{
    return &shapes->root->shape;
}

uint32_t shapes_count(const struct shapes *shapes)
{
    return shapes->count;
}

const struct shape *shapes_get(const struct shapes *shapes, uint32_t id)
{
    return &shapes->chunks[id / CHUNK][id % CHUNK]->shape;
}

static struct shape_node *find_child(struct shape_node *node, bool process, uint32_t type)
{
    for (struct shape_node *c = atomic_load_explicit(&node->child, memory_order_acquire); c;
         c = c->sibling)
        if (c->entity == type && c->shape.is_process == process)
            return c;
    return NULL;
}

static struct shape_node *make_child(struct shapes *shapes, struct shape_node *node,
                                     bool process, uint32_t type)
{
    const struct shape *before = &node->shape;
    const struct model *model = shapes->model;
    uint32_t entity =
        (uint32_t)(process ? model->proctypes[type]->size : model->channel_types[type]->size);
    if (before->size + entity > VECTOR_LIMIT)
        return NULL;
    struct shape_node *made = node_new(shapes, before);
    if (!made)
        return NULL;
    struct shape *shape = &made->shape;
    memcpy((uint32_t *)shape->type, before->type, sizeof(uint32_t) * before->processes);
    memcpy((uint32_t *)shape->offset, before->offset, sizeof(uint32_t) * before->processes);
    memcpy((uint32_t *)shape->channel_type, before->channel_type,
           sizeof(uint32_t) * before->channels);
    memcpy((uint32_t *)shape->channel_offset, before->channel_offset,
           sizeof(uint32_t) * before->channels);
    shape->processes = before->processes;
    shape->channels = before->channels;
    if (process) {
        ((uint32_t *)shape->type)[shape->processes] = type;
        ((uint32_t *)shape->offset)[shape->processes++] = before->size;
    } else {
        ((uint32_t *)shape->channel_type)[shape->channels] = type;
        ((uint32_t *)shape->channel_offset)[shape->channels++] = before->size;
    }
    shape->size = before->size + entity;
    shape->without = before;
    shape->is_process = process;
    made->entity = type;
    made->sibling = atomic_load_explicit(&node->child, memory_order_relaxed);
    atomic_store_explicit(&node->child, made, memory_order_release);
    return made;
}

const struct shape *shapes_extend(struct shapes *shapes, const struct shape *shape,
                                  bool process, uint32_t type)
{
    struct shape_node *node = (struct shape_node *)shape;
    struct shape_node *child = find_child(node, process, type);
    if (child)
        return &child->shape;
    pthread_mutex_lock(&shapes->lock);
    child = find_child(node, process, type);
    if (!child)
        child = make_child(shapes, node, process, type);
    pthread_mutex_unlock(&shapes->lock);
    return child ? &child->shape : NULL;
}
