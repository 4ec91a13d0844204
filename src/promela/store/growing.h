/* Arrays that grow without a limit for the user to raise, and heaps in them: the smallest key
 * on top. The elements of a heap begin with their key, a uint64_t.
 *
 * Inline, with the size of an element as a constant: moves become plain assignments. */
#ifndef MAZUR_PROMELA_GROWING_H
#define MAZUR_PROMELA_GROWING_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct growing {
    void *data;
    uint32_t count, room;
};

/* The first of `more` new elements; NULL, and nothing has changed: no memory. */
static inline void *growing_add(struct growing *g, size_t element, uint32_t more)
{
    if (more > g->room - g->count) {
        uint64_t room = g->room == 0 ? 1024 : g->room;
        while (room < (uint64_t)g->count + more)
            room *= 2;
        void *data = room < UINT32_MAX ? realloc(g->data, room * element) : NULL;
        if (!data)
            return NULL;
        g->data = data;
        g->room = (uint32_t)room;
    }
    g->count += more;
    return (uint8_t *)g->data + element * (g->count - more);
}

static inline uint64_t heap_key(const void *element)
{
    uint64_t key;
    memcpy(&key, element, sizeof key);
    return key;
}

/* False: no memory. */
static inline bool heap_push(struct growing *g, size_t element, const void *added)
{
    if (!growing_add(g, element, 1))
        return false;
    uint8_t *heap = g->data;
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
    uint8_t *heap = g->data;
    const uint8_t *last = heap + --g->count * element;
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
