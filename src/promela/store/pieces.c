/* Growing of piece tables. See pieces.h. */
#include "promela/store/pieces.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BITS 4

static size_t size_of(uint32_t bits, uint32_t room)
{
    return (sizeof(uint32_t) << bits) + room * sizeof(uint64_t);
}

/* Numbers that were handed out while the table was full have no key, and are handed out again.
 * A number that lost its slot to another worker stays unused. */
bool pieces_grow(struct pieces *p, atomic_size_t *bytes, size_t limit)
{
    uint32_t bits = !p->slots ? FIRST_BITS : p->bits + 1;
    uint32_t room = (uint32_t)(((uint64_t)3 << bits) >> 2);
    size_t before = !p->slots ? 0 : size_of(p->bits, p->room);
    if (bits > PIECES_MOST_BITS || atomic_load(bytes) + size_of(bits, room) > limit)
        return false;
    _Atomic uint32_t *slots = calloc((size_t)1 << bits, sizeof *slots);
    uint64_t *keys = malloc(room * sizeof *keys);
    if (!slots || !keys) {
        free(slots);
        free(keys);
        return false;
    }
    uint64_t mask = ((uint64_t)1 << bits) - 1;
    for (uint64_t i = 0; p->slots && i < (uint64_t)1 << p->bits; i++) {
        uint32_t slot = atomic_load_explicit(&p->slots[i], memory_order_relaxed);
        if (slot == 0)
            continue;
        uint64_t at = pieces_place(p->keys[slot - 1], bits);
        while (atomic_load_explicit(&slots[at], memory_order_relaxed) != 0)
            at = (at + 1) & mask;
        atomic_store_explicit(&slots[at], slot, memory_order_relaxed);
    }
    if (p->slots)
        memcpy(keys, p->keys, p->room * sizeof *keys);
    uint32_t count = atomic_load(&p->count);
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
