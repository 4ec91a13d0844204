/* Arrays that grow without a limit for the user to raise, and heaps in them: the smallest key
 * on top. The elements of a heap begin with their key, a u64.
 *
 * Inline, with the size of an element as a constant: moves become plain assignments. */
#ifndef MAZUR_PROMELA_GROWING_H
#define MAZUR_PROMELA_GROWING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "promela/code/step.h"

struct growing {
    void *data;
    u32 count, room;
};

/* The first of `more` new elements; NULL, and nothing has changed: no memory. */
static inline void *growing_add(struct growing *g, size_t element, u32 more)
{
    if (more > g->room - g->count) {
        u64 room = g->room == 0 ? 1024 : g->room;
        while (room < (u64)g->count + more)
            room *= 2;
        void *data = room < UINT32_MAX ? realloc(g->data, room * element) : NULL;
        if (data == NULL)
            return NULL;
        g->data = data;
        g->room = (u32)room;
    }
    g->count += more;
    return (u8 *)g->data + element * (g->count - more);
}

static inline u64 heap_key(const void *element)
{
    u64 key;
    memcpy(&key, element, sizeof key);
    return key;
}

/* False: no memory. */
static inline bool heap_push(struct growing *g, size_t element, const void *added)
{
    if (growing_add(g, element, 1) == NULL)
        return false;
    u8 *heap = g->data;
    size_t at = g->count - 1;
    for (; at > 0 && heap_key(heap + (at - 1) / 2 * element) > heap_key(added);
         at = (at - 1) / 2)
        memcpy(heap + at * element, heap + (at - 1) / 2 * element, element);
    memcpy(heap + at * element, added, element);
    return true;
}

/* False: it is empty. */
static inline bool heap_pop(struct growing *g, size_t element, void *first)
{
    if (g->count == 0)
        return false;
    u8 *heap = g->data;
    const u8 *last = heap + --g->count * element;
    size_t at = 0;
    memcpy(first, heap, element);
    for (size_t child = 1; child < g->count; child = 2 * at + 1) {
        if (child + 1 < g->count &&
            heap_key(heap + (child + 1) * element) < heap_key(heap + child * element))
            child++;
        if (heap_key(heap + child * element) >= heap_key(last))
            break;
        memcpy(heap + at * element, heap + child * element, element);
        at = child;
    }
    memmove(heap + at * element, last, element);
    return true;
}

#endif
