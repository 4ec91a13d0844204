/* A stack of hashes with a table over it, and versions of hashed states. See hashed_colours.h.
 *
 * The table has open addressing. The last entry pushed is the first popped, so no later entry
 * was displaced by it, and its slot simply becomes free again. */
#include "promela/store/hashed_colours.h"

#include <stdlib.h>

#include "base/must.h"
#include "promela/store/growing.h"

#define FIRST_SLOTS 1024u

struct waiting_state {
    struct fingerprint print;
    uint32_t copy;
};

struct hashed_colours {
    struct fingerprints *prints;
    struct growing stack;
    uint32_t *slots; /* numbers in the stack, from 1; 0: free */
    uint32_t room;   /* a power of two, at least twice as many as the stack */
};

struct hashed_colours *hashed_colours_create(bool bits, size_t memory)
{
    struct hashed_colours *h = calloc(1, sizeof *h);
    if (!h)
        return NULL;
    h->prints = fingerprints_create(bits, memory);
    h->room = FIRST_SLOTS;
    h->slots = calloc(h->room, sizeof *h->slots);
    if (!h->prints || !h->slots) {
        hashed_colours_free(h);
        return NULL;
    }
    return h;
}

void hashed_colours_free(struct hashed_colours *h)
{
    if (!h)
        return;
    fingerprints_free(h->prints);
    free(h->stack.data);
    free(h->slots);
    free(h);
}

static uint32_t version_of(uint32_t copy, enum hashed_colour colour)
{
    return 1 + copy * HASHED_COLOURS + colour;
}

bool hashed_has(const struct hashed_colours *h, struct fingerprint print, uint32_t copy,
                enum hashed_colour colour)
{
    return fingerprints_has(h->prints, print, version_of(copy, colour));
}

bool hashed_paint(struct hashed_colours *h, struct fingerprint print, uint32_t copy,
                  enum hashed_colour colour)
{
    return fingerprints_add(h->prints, print, version_of(copy, colour));
}

bool hashed_meet(struct hashed_colours *h, struct fingerprint print)
{
    return fingerprints_add(h->prints, print, 0);
}

/* The slot of the entry, or the free slot for it. */
static uint32_t find_slot(const struct hashed_colours *h, struct fingerprint print,
                          uint32_t copy)
{
    const struct waiting_state *stack = h->stack.data;
    uint32_t at = (uint32_t)(print.first + copy * 0x9e3779b97f4a7c15u) & (h->room - 1);
    for (; h->slots[at] != 0; at = (at + 1) & (h->room - 1)) {
        const struct waiting_state *s = &stack[h->slots[at] - 1];
        if (s->print.first == print.first && s->print.second == print.second && s->copy == copy)
            break;
    }
    return at;
}

bool hashed_on_stack(const struct hashed_colours *h, struct fingerprint print, uint32_t copy)
{
    return h->slots[find_slot(h, print, copy)] != 0;
}

/* Enters all again, the lowest first. */
static bool grow_slots(struct hashed_colours *h)
{
    const struct waiting_state *stack = h->stack.data;
    uint32_t *slots = calloc(2 * (size_t)h->room, sizeof *slots);
    if (!slots)
        return false;
    free(h->slots);
    h->slots = slots;
    h->room *= 2;
    for (uint32_t i = 0; i < h->stack.count; i++)
        h->slots[find_slot(h, stack[i].print, stack[i].copy)] = i + 1;
    return true;
}

bool hashed_push(struct hashed_colours *h, struct fingerprint print, uint32_t copy)
{
    if (2 * (h->stack.count + 1) > h->room && !grow_slots(h))
        return false;
    uint32_t at = find_slot(h, print, copy);
    must(h->slots[at] == 0);
    struct waiting_state *s = growing_add(&h->stack, sizeof *s, 1);
    if (!s)
        return false;
    *s = (struct waiting_state){print, copy};
    h->slots[at] = h->stack.count;
    return true;
}

void hashed_pop(struct hashed_colours *h)
{
    must(h->stack.count > 0);
    const struct waiting_state *s =
        &((struct waiting_state *)h->stack.data)[h->stack.count - 1];
    h->slots[find_slot(h, s->print, s->copy)] = 0;
    h->stack.count--;
}

size_t hashed_colours_bytes(const struct hashed_colours *h)
{
    return fingerprints_bytes(h->prints) + h->room * sizeof *h->slots +
           h->stack.room * sizeof(struct waiting_state);
}

bool hashed_colours_full(const struct hashed_colours *h)
{
    return fingerprints_full(h->prints);
}

double hashed_colours_missed(const struct hashed_colours *h)
{
    return fingerprints_missed(h->prints);
}
