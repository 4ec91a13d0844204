/* See cycle_colours.h. */
#include "promela/search/cycle_colours.h"

#define ALONE       ((1u << COLOURS) - 1) /* all colours of one worker */
#define SHARED_BLUE 1u
#define SHARED_RED  2u
#define SHARED_FULL 4u
#define SHARED      3u /* bits that are */
#define ON_STACK    0u /* of the two of a worker */
#define MET         1u /* PINK; on the stack: WHOLE */

struct store *colours_store(size_t memory, struct crew *crew, int jobs, uint32_t copies)
{
    uint32_t width = (SHARED + 2 * (uint32_t)jobs + 7) / 8;
    struct store *store = store_create(memory, crew, jobs > 1 ? copies * width : 0);
    if (store && jobs == 1)
        store_keep_bits(store, copies * COLOURS);
    return store;
}

struct colours colours_open(struct store *store, int jobs, int worker)
{
    return (struct colours){store, jobs, worker, (SHARED + 2 * (uint32_t)jobs + 7) / 8};
}

static atomic_uchar *bytes_of(const struct colours *c, uint32_t number, uint32_t copy)
{
    return (atomic_uchar *)store_extra(c->store, number) + (size_t)copy * c->width;
}

static uint32_t own_bit(const struct colours *c, uint32_t which)
{
    return SHARED + 2 * (uint32_t)c->worker + which;
}

static bool has_own(const struct colours *c, const atomic_uchar *bytes, uint32_t which)
{
    uint32_t bit = own_bit(c, which);
    return atomic_load(&bytes[bit / 8]) >> bit % 8 & 1;
}

static void put_own(const struct colours *c, atomic_uchar *bytes, uint32_t which, bool on)
{
    uint32_t bit = own_bit(c, which);
    if (on)
        atomic_fetch_or(&bytes[bit / 8], (unsigned char)(1u << bit % 8));
    else
        atomic_fetch_and(&bytes[bit / 8], (unsigned char)~(1u << bit % 8));
}

uint32_t colours_get(const struct colours *c, uint32_t number, uint32_t copy)
{
    if (c->jobs == 1)
        return store_bits(c->store, number, copy * COLOURS) & ALONE;
    const atomic_uchar *bytes = bytes_of(c, number, copy);
    uint32_t shared = atomic_load(&bytes[0]);
    bool met = has_own(c, bytes, MET);
    uint32_t own = has_own(c, bytes, ON_STACK) ? CYAN | (met ? WHOLE : 0) : met ? PINK : 0;
    return own | (shared & SHARED_BLUE ? BLUE : 0) | (shared & SHARED_RED ? RED : 0) |
           (shared & SHARED_FULL ? EXPANDED_FULL : 0);
}

bool colours_elsewhere(const struct colours *c, uint32_t number, uint32_t copy)
{
    if (c->jobs == 1)
        return false;
    const atomic_uchar *bytes = bytes_of(c, number, copy);
    struct colours other = *c;
    for (other.worker = 0; other.worker < c->jobs; other.worker++)
        if (other.worker != c->worker && has_own(&other, bytes, ON_STACK))
            return true;
    return false;
}

void colours_change(const struct colours *c, uint32_t number, uint32_t copy, uint32_t clear,
                    uint32_t set)
{
    if (c->jobs == 1) {
        store_change_bits(c->store, number, copy * COLOURS, clear & ALONE, set & ALONE);
        return;
    }
    atomic_uchar *bytes = bytes_of(c, number, copy);
    if (set & RED)
        atomic_fetch_or(&bytes[0], SHARED_RED);
    if ((clear | set) & CYAN)
        put_own(c, bytes, ON_STACK, set & CYAN);
    if ((clear | set) & (PINK | WHOLE))
        put_own(c, bytes, MET, set & (PINK | WHOLE));
}

bool colours_expand_full(const struct colours *c, uint32_t number, uint32_t copy)
{
    if (c->jobs == 1) {
        store_change_bits(c->store, number, copy * COLOURS, 0, EXPANDED_FULL);
        return true;
    }
    atomic_uchar *shared = bytes_of(c, number, copy);
    unsigned char now = atomic_load(shared);
    while (!(now & (SHARED_BLUE | SHARED_FULL)))
        if (atomic_compare_exchange_weak(shared, &now, now | SHARED_FULL))
            return true;
    return now & SHARED_FULL;
}

bool colours_leave(const struct colours *c, uint32_t number, uint32_t copy, bool whole)
{
    if (c->jobs == 1) {
        store_change_bits(c->store, number, copy * COLOURS, 0, BLUE);
        return true;
    }
    atomic_uchar *shared = bytes_of(c, number, copy);
    unsigned char now = atomic_load(shared);
    while (whole || !(now & SHARED_FULL)) {
        if ((now & SHARED_BLUE) ||
            atomic_compare_exchange_weak(shared, &now, now | SHARED_BLUE))
            return true;
    }
    return false;
}
