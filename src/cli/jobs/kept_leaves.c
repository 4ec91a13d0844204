/* See kept_leaves.h. Of a leaf only the steps and the events that it has are written: with all
 * its room it takes a hundred times as much. */
#include "cli/jobs/kept_leaves.h"

#include <stdlib.h>
#include <string.h>

#include "board/parent.h"

struct leaves_header {
    uint64_t count;
    uint64_t record; /* bytes: of another build of this command it would not be the same */
    int64_t last_bound;
    struct search_stats total;
};

struct packed_leaf {
    uint32_t done, exhausted;
    uint32_t nsteps, nexcluded, ordered, chain;
    struct hash128 sum;
    struct slot_names names;
    struct search_stats stats;
};

void leaves_pack(const struct foreman *foreman, struct buffer *bytes)
{
    struct leaves_header header = {.count = foreman->count,
                                   .record = sizeof(struct leaf_record),
                                   .last_bound = foreman->last_bound,
                                   .total = foreman->total};
    buffer_add(bytes, &header, sizeof header);
    for (size_t i = 0; i < foreman->count; i++) {
        const struct leaf_record *record = foreman->leaf[i];
        const struct leaf *leaf = &record->leaf;
        struct packed_leaf packed = {.done = record->state == LEAF_DONE,
                                     .exhausted = record->exhausted,
                                     .nsteps = leaf->nsteps,
                                     .nexcluded = leaf->nexcluded,
                                     .ordered = leaf->ordered,
                                     .chain = leaf->chain,
                                     .sum = leaf->sum,
                                     .names = record->names,
                                     .stats = record->stats};
        buffer_add(bytes, &packed, sizeof packed);
        buffer_add(bytes, leaf->step, leaf->nsteps * sizeof *leaf->step);
        buffer_add(bytes, leaf->excluded, leaf->nexcluded * sizeof *leaf->excluded);
    }
}

struct packed_bytes {
    const struct buffer *bytes;
    size_t at;
};

static bool take_bytes(struct packed_bytes *source, void *to, size_t length)
{
    if (length > source->bytes->length - source->at)
        return false;
    memcpy(to, source->bytes->data + source->at, length);
    source->at += length;
    return true;
}

static bool unpack_leaf(struct packed_bytes *source, struct leaf_record *record)
{
    struct packed_leaf packed;
    struct leaf *leaf = &record->leaf;
    if (!take_bytes(source, &packed, sizeof packed) || packed.nsteps > LEAF_STEPS ||
        packed.nexcluded > LEAF_EXCLUDED || packed.names.count > LEAF_THREADS)
        return false;
    *leaf = (struct leaf){.nsteps = packed.nsteps,
                          .nexcluded = packed.nexcluded,
                          .ordered = packed.ordered,
                          .chain = packed.chain,
                          .sum = packed.sum};
    record->names = packed.names;
    record->state = packed.done ? LEAF_DONE : LEAF_OPEN;
    record->exhausted = packed.exhausted != 0;
    record->stats = packed.stats;
    stats_sanitize(&record->stats);
    return take_bytes(source, leaf->step, leaf->nsteps * sizeof *leaf->step) &&
           take_bytes(source, leaf->excluded, leaf->nexcluded * sizeof *leaf->excluded) &&
           leaf_is_sane(leaf);
}

bool leaves_unpack(struct foreman *foreman, const struct buffer *bytes)
{
    struct packed_bytes source = {bytes, 0};
    struct leaves_header header;
    if (!take_bytes(&source, &header, sizeof header) ||
        header.record != sizeof(struct leaf_record) || header.count == 0 ||
        header.last_bound < 0 || header.last_bound > INT32_MAX)
        return false;
    stats_sanitize(&header.total);
    foreman_begin(foreman, &header.total, (int)header.last_bound);
    struct leaf_record *record = leaf_record_new(&(struct leaf){0}, &(struct slot_names){0});
    bool good = true;
    for (uint64_t i = 0; good && i < header.count; i++) {
        good = unpack_leaf(&source, record);
        if (good)
            foreman_add(foreman, record);
    }
    free(record);
    return good && source.at == bytes->length;
}
