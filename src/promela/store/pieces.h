/* The tables of pieces at each position of a vector (store.h), shared by all workers.
 *
 * A piece gets its number from a counter, then its key is written, then its slot is set by
 * compare-and-swap: whoever finds the slot finds the key. If two workers add the same piece at
 * once, they use up two numbers, and both continue with the one that got the slot. The other
 * workers are paused while a table grows. */
#ifndef MAZUR_PROMELA_PIECES_H
#define MAZUR_PROMELA_PIECES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIECES_FULL      0xffffffffu
#define PIECES_MOST_BITS 30u /* of a number */

struct pieces {
    uint64_t *keys;
    _Atomic uint32_t *slots; /* number + 1 */
    atomic_uint count;
    uint32_t room;
    uint32_t bits;
};

/* Doubles the table, or creates it. Adds its memory to *bytes, up to `limit`. False: no memory,
 * and nothing has changed. */
bool pieces_grow(struct pieces *pieces, atomic_size_t *bytes, size_t limit);
void pieces_free(struct pieces *pieces);

/* The slot where the search for a piece begins. */
static inline uint64_t pieces_place(uint64_t key, uint32_t bits)
{
    return ((key ^ key >> 32) * 0x9e3779b97f4a7c15u) >> (64 - bits);
}

/* The number of a piece, or PIECES_FULL: the table must grow first. */
static inline uint32_t pieces_number(struct pieces *p, uint64_t key)
{
    uint64_t at = pieces_place(key, p->bits), mask = ((uint64_t)1 << p->bits) - 1;
    uint32_t mine = PIECES_FULL;
    for (;; at = (at + 1) & mask) {
        uint32_t slot = atomic_load_explicit(&p->slots[at], memory_order_acquire);
        if (slot == 0) {
            if (mine == PIECES_FULL) {
                if (atomic_load_explicit(&p->count, memory_order_relaxed) >= p->room)
                    return PIECES_FULL;
                mine = atomic_fetch_add_explicit(&p->count, 1, memory_order_relaxed);
                if (mine >= p->room)
                    return PIECES_FULL;
                p->keys[mine] = key;
            }
            if (atomic_compare_exchange_strong_explicit(
                    &p->slots[at], &slot, mine + 1, memory_order_acq_rel, memory_order_acquire))
                return mine;
        }
        if (p->keys[slot - 1] == key)
            return slot - 1;
    }
}

#endif
