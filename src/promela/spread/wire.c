/* See wire.h. */
#include "promela/spread/wire.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/must.h"

#define DEFINES    0xffffffffu
#define SENT_BITS  14
#define SENT_BYTES 240u /* longer vectors are sent again */

struct record {
    uint32_t shape;
    struct wire_state state;
};

struct definition {
    uint32_t marker, shape, without, process, type;
};

struct sent_state {
    uint32_t shape, size;
    uint16_t what, also;
    uint8_t bytes[SENT_BYTES];
};

bool wire_init(struct wire *w, struct shapes *shapes, int rank, int ranks)
{
    *w = (struct wire){.shapes = shapes, .rank = rank, .ranks = ranks};
    w->peer = calloc((size_t)ranks, sizeof *w->peer);
    w->sent = calloc((size_t)1 << SENT_BITS, sizeof *w->sent);
    w->room = sizeof *w->sent << SENT_BITS;
    return w->peer && w->sent;
}

void wire_free(struct wire *w)
{
    for (int i = 0; w->peer && i < w->ranks; i++) {
        free(w->peer[i].bytes);
        free(w->peer[i].known);
        free(w->peer[i].meaning);
    }
    free(w->peer);
    free(w->sent);
    free(w->shape_hash);
    *w = (struct wire){0};
}

/* Room for element `index`, new ones zero. */
static bool reach_index(struct wire *w, void *array, uint32_t *room, uint32_t index,
                        size_t element)
{
    if (index < *room)
        return true;
    uint32_t more = index + index / 2 + 64;
    char *memory = realloc(*(void **)array, more * element);
    if (!memory)
        return false;
    memset(memory + *room * element, 0, (more - *room) * element);
    w->room += (more - *room) * element;
    *(void **)array = memory;
    *room = more;
    return true;
}

static uint32_t entity_of(const struct shape *s)
{
    return s->is_process ? s->type[s->processes - 1] : s->channel_type[s->channels - 1];
}

static uint64_t hash_of_shape(struct wire *w, const struct shape *s)
{
    must(reach_index(w, &w->shape_hash, &w->shape_room, s->id, sizeof *w->shape_hash));
    if (w->shape_hash[s->id] == 0) {
        uint64_t before = s->without ? hash_of_shape(w, s->without) : UINT64_C(0x6d617a7572);
        uint64_t last = s->without ? (uint64_t)s->is_process << 32 | entity_of(s) : 0;
        w->shape_hash[s->id] = hash_join(before, last) | 1;
    }
    return w->shape_hash[s->id];
}

/* Sizes are multiples of four, and the bytes up to the next multiple of eight are zero. */
uint64_t wire_hash(struct wire *w, const uint8_t *vector, const struct shape *s)
{
    uint64_t hash = hash_of_shape(w, s), word;
    memcpy(&word, vector, 8);
    hash = hash_join(hash, s->size > 4 ? word >> 32 : 0);
    for (uint32_t at = 8; at < s->size; at += 8) {
        memcpy(&word, vector + at, 8);
        hash = hash_join(hash, word);
    }
    return hash;
}

int wire_owner(const struct wire *w, uint64_t hash)
{
    return (int)((hash >> 32) * (uint64_t)w->ranks >> 32);
}

static bool append_bytes(struct wire *w, struct outgoing *out, const void *bytes, size_t size)
{
    if (out->size + size > out->room) {
        size_t room = out->room == 0 ? WIRE_BATCH + WIRE_BATCH / 8 : out->room * 2;
        while (room < out->size + size)
            room *= 2;
        uint8_t *memory = realloc(out->bytes, room);
        if (!memory)
            return false;
        w->room += room - out->room;
        out->bytes = memory;
        out->room = room;
    }
    memcpy(out->bytes + out->size, bytes, size);
    out->size += size;
    return true;
}

static bool tell_shape(struct wire *w, struct outgoing *out, const struct shape *s)
{
    if (!s->without) /* the first shape of all is known everywhere */
        return true;
    if (!reach_index(w, &out->known, &out->known_room, s->id, 1))
        return false;
    if (out->known[s->id])
        return true;
    if (!tell_shape(w, out, s->without))
        return false;
    struct definition d = {DEFINES, s->id, s->without->id, s->is_process, entity_of(s)};
    out->known[s->id] = 1;
    return append_bytes(w, out, &d, sizeof d);
}

bool wire_put_always(struct wire *w, int to, const uint8_t *vector, const struct shape *s,
                     struct wire_state state)
{
    struct outgoing *out = &w->peer[to];
    struct record r = {s->id, state};
    return (out->size > 0 || append_bytes(w, out, &(uint32_t){0}, WIRE_WHOLE)) &&
           tell_shape(w, out, s) && append_bytes(w, out, &r, sizeof r) &&
           append_bytes(w, out, vector + 4, s->size - 4);
}

bool wire_put(struct wire *w, int to, uint64_t hash, const uint8_t *vector,
              const struct shape *s, struct wire_state state)
{
    struct sent_state *sent = &w->sent[hash & ((1u << SENT_BITS) - 1)];
    if (s->size <= SENT_BYTES) {
        if (sent->size == s->size && sent->shape == s->id && sent->what == state.what &&
            sent->also == state.also && memcmp(sent->bytes, vector, s->size) == 0) {
            w->spared++;
            return true;
        }
        sent->size = s->size;
        sent->shape = s->id;
        sent->what = state.what;
        sent->also = state.also;
        memcpy(sent->bytes, vector, s->size);
    }
    return wire_put_always(w, to, vector, s, state);
}

static const struct shape *meaning_of(const struct wire *w, const struct outgoing *peer,
                                      uint32_t number)
{
    if (number == 0)
        return shapes_root(w->shapes);
    must(number < peer->meaning_room && peer->meaning[number]);
    return peer->meaning[number];
}

static void take_definition(struct wire *w, struct outgoing *peer, const uint8_t *at)
{
    struct definition d;
    memcpy(&d, at, sizeof d);
    const struct shape *s =
        shapes_extend(w->shapes, meaning_of(w, peer, d.without), d.process != 0, d.type);
    must(s);
    must(reach_index(w, &peer->meaning, &peer->meaning_room, d.shape, sizeof *peer->meaning));
    peer->meaning[d.shape] = s;
}

const struct shape *wire_take(struct wire *w, int from, const uint8_t **at, const uint8_t *end,
                              uint8_t *vector, struct wire_state *state)
{
    struct outgoing *peer = &w->peer[from];
    struct record r;
    while (*at < end) {
        memcpy(&r.shape, *at, sizeof r.shape);
        if (r.shape == DEFINES) {
            take_definition(w, peer, *at);
            *at += sizeof(struct definition);
            continue;
        }
        memcpy(&r, *at, sizeof r);
        const struct shape *s = meaning_of(w, peer, r.shape);
        must(*at + sizeof r + s->size - 4 <= end);
        memcpy(vector, &s->id, 4);
        memcpy(vector + 4, *at + sizeof r, s->size - 4);
        memset(vector + s->size, 0, ((s->size + 7) & ~7u) - s->size);
        *at += sizeof r + s->size - 4;
        *state = r.state;
        return s;
    }
    return NULL;
}
