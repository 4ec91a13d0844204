/* Growing of piece tables. See pieces.h. */
#include "promela/store/pieces.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 4

static size_t size_of(u32 bits, u32 room)
{
    return (sizeof(u32) << bits) + room * sizeof(u64);
}

/* Numbers that were handed out when the table was full have no key: they are given again. A
 * number whose slot went to another worker's stays unused. */
bool pieces_grow(struct pieces *p, atomic_size_t *bytes, size_t limit)
{
    u32 bits = p->slots == NULL ? FIRST_BITS : p->bits + 1;
    u32 room = (u32)(((u64)3 << bits) >> 2);
    size_t before = p->slots == NULL ? 0 : size_of(p->bits, p->room);
    if (bits > PIECES_MOST_BITS || atomic_load(bytes) + size_of(bits, room) > limit)
        return false;
    _Atomic u32 *slots = calloc((size_t)1 << bits, sizeof *slots);
    u64 *keys = malloc(room * sizeof *keys);
    if (slots == NULL || keys == NULL) {
        free(slots);
        free(keys);
        return false;
    }
    u64 mask = ((u64)1 << bits) - 1;
    for (u64 i = 0; p->slots != NULL && i < (u64)1 << p->bits; i++) {
        u32 slot = atomic_load_explicit(&p->slots[i], memory_order_relaxed);
        if (slot == 0)
            continue;
        u64 at = pieces_place(p->keys[slot - 1], bits);
        while (atomic_load_explicit(&slots[at], memory_order_relaxed) != 0)
            at = (at + 1) & mask;
        atomic_store_explicit(&slots[at], slot, memory_order_relaxed);
    }
    if (p->slots != NULL)
        memcpy(keys, p->keys, p->room * sizeof *keys);
    u32 count = atomic_load(&p->count);
    atomic_store(&p->count, count < p->room ? count : p->room);
    pieces_free(p);
    p->slots = slots;
    p->keys = keys;
    p->bits = bits;
    p->room = room;
    atomic_fetch_add(bytes, size_of(bits, room) - before);
    return true;
}

void pieces_free(struct pieces *p)
{
    free(p->slots);
    free(p->keys);
    p->slots = NULL;
    p->keys = NULL;
}
