/* The one growing array: VECTOR(type) is a struct of items, count and capacity in a pool.
 *
 * Why macros: the inner loops index `item` directly, and each vector has its own type.
 * Invariant: items at or above `count` are unspecified; they are zero only when never used. */
#ifndef MAZUR_BASE_VECTOR_H
#define MAZUR_BASE_VECTOR_H

#include "base/pool.h"

#define VECTOR(type)                                                                           \
    struct {                                                                                   \
        type *item;                                                                            \
        uint32_t count;                                                                        \
        uint32_t capacity;                                                                     \
    }

/* Make room for `wanted` items without changing the count. */
#define vector_reserve(pool, vector, wanted)                                                   \
    do {                                                                                       \
        uint32_t wanted_ = (wanted);                                                           \
        if (wanted_ > (vector)->capacity)                                                      \
            (vector)->item = vector_grow_((pool), (vector)->item, &(vector)->capacity,         \
                                          wanted_, sizeof *(vector)->item);                    \
    } while (0)

/* The address of a new last item. */
#define vector_add(pool, vector)                                                               \
    (__builtin_expect((vector)->count == (vector)->capacity, 0)                                \
         ? ((vector)->item = vector_grow_((pool), (vector)->item, &(vector)->capacity,         \
                                          (vector)->count + 1, sizeof *(vector)->item),        \
            &(vector)->item[(vector)->count++])                                                \
         : &(vector)->item[(vector)->count++])

#define vector_free(pool, vector)                                                              \
    do {                                                                                       \
        pool_free((pool), (vector)->item, (vector)->capacity * sizeof *(vector)->item);        \
        (vector)->item = NULL;                                                                 \
        (vector)->count = (vector)->capacity = 0;                                              \
    } while (0)

static inline void *vector_grow_(struct pool *pool, void *item, uint32_t *capacity,
                                 uint32_t wanted, size_t size)
{
    uint32_t larger = *capacity < 8 ? 8 : *capacity * 2;
    if (larger < wanted)
        larger = wanted;
    void *grown = pool_grow(pool, item, *capacity * size, larger * size);
    *capacity = larger;
    return grown;
}

#endif
