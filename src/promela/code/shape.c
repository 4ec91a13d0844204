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

struct node {
    struct shape shape; /* first, so that pointers convert */
    u32 entity;
    _Atomic(struct node *) child;
    struct node *sibling;
};

struct shapes {
    const struct model *model;
    struct node *root;
    struct node **chunks[CHUNKS]; /* by id */
    u32 count;
    pthread_mutex_t lock;
};

static struct node *node_new(struct shapes *shapes, const struct shape *before)
{
    u32 processes = before != NULL ? before->processes : 0;
    u32 channels = before != NULL ? before->channels : 0;
    if (shapes->count == CHUNK * CHUNKS)
        return NULL;
    struct node **chunk = shapes->chunks[shapes->count / CHUNK];
    if (chunk == NULL) {
        chunk = shapes->chunks[shapes->count / CHUNK] = calloc(CHUNK, sizeof *chunk);
        if (chunk == NULL)
            return NULL;
    }
    struct node *node = calloc(1, sizeof *node + 2 * sizeof(u32) * (processes + channels + 2));
    if (node == NULL)
        return NULL;
    u32 *room = (u32 *)(node + 1);
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
    if (shapes == NULL)
        return NULL;
    shapes->model = model;
    pthread_mutex_init(&shapes->lock, NULL);
    shapes->root = node_new(shapes, NULL);
    if (shapes->root != NULL)
        shapes->root->shape.size = (u32)model->global_size;
    return shapes;
}

void shapes_free(struct shapes *shapes)
{
    if (shapes == NULL)
        return;
    for (u32 i = 0; i < shapes->count; i++)
        free(shapes->chunks[i / CHUNK][i % CHUNK]);
    for (u32 i = 0; i < CHUNKS; i++)
        free(shapes->chunks[i]);
    pthread_mutex_destroy(&shapes->lock);
    free(shapes);
}

const struct shape *shapes_root(const struct shapes *shapes)
{
    return &shapes->root->shape;
}

const struct shape *shapes_get(const struct shapes *shapes, u32 id)
{
    return &shapes->chunks[id / CHUNK][id % CHUNK]->shape;
}

static struct node *find_child(struct node *node, bool process, u32 type)
{
    for (struct node *c = atomic_load_explicit(&node->child, memory_order_acquire); c != NULL;
         c = c->sibling)
        if (c->entity == type && c->shape.is_process == process)
            return c;
    return NULL;
}

static struct node *make_child(struct shapes *shapes, struct node *node, bool process, u32 type)
{
    const struct shape *before = &node->shape;
    const struct model *model = shapes->model;
    u32 entity =
        (u32)(process ? model->proctypes[type]->size : model->channel_types[type]->size);
    if (before->size + entity > VECTOR_LIMIT)
        return NULL;
    struct node *made = node_new(shapes, before);
    if (made == NULL)
        return NULL;
    struct shape *shape = &made->shape;
    memcpy((u32 *)shape->type, before->type, sizeof(u32) * before->processes);
    memcpy((u32 *)shape->offset, before->offset, sizeof(u32) * before->processes);
    memcpy((u32 *)shape->channel_type, before->channel_type, sizeof(u32) * before->channels);
    memcpy((u32 *)shape->channel_offset, before->channel_offset,
           sizeof(u32) * before->channels);
    shape->processes = before->processes;
    shape->channels = before->channels;
    if (process) {
        ((u32 *)shape->type)[shape->processes] = type;
        ((u32 *)shape->offset)[shape->processes++] = before->size;
    } else {
        ((u32 *)shape->channel_type)[shape->channels] = type;
        ((u32 *)shape->channel_offset)[shape->channels++] = before->size;
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
                                  bool process, u32 type)
{
    struct node *node = (struct node *)shape;
    struct node *child = find_child(node, process, type);
    if (child != NULL)
        return &child->shape;
    pthread_mutex_lock(&shapes->lock);
    child = find_child(node, process, type);
    if (child == NULL)
        child = make_child(shapes, node, process, type);
    pthread_mutex_unlock(&shapes->lock);
    return child != NULL ? &child->shape : NULL;
}
