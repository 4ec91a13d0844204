/* An open-addressed table over entries and words that are only ever appended; see
 * atomic_seen.h. It is made when the first long sequence is met: most models have none. */
#include "promela/store/atomic_seen.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

#define MOST_ENTRIES (1u << 17)
#define SLOTS        (2 * MOST_ENTRIES)
#define MOST_WORDS   (1u << 21)

void atomic_seen_init(struct atomic_seen *seen, size_t memory)
{
    *seen = (struct atomic_seen){.most_entries = MOST_ENTRIES, .most_words = MOST_WORDS};
    size_t share = memory / 32; /* for each of the two, and not more than they may have */
    if (share / sizeof(struct atomic_entry) < MOST_ENTRIES)
        seen->most_entries = (uint32_t)(share / sizeof(struct atomic_entry));
    if (share / sizeof(uint64_t) < MOST_WORDS)
        seen->most_words = (uint32_t)(share / sizeof(uint64_t));
}

void atomic_seen_free(struct atomic_seen *seen)
{
    free(seen->entries);
    free(seen->words);
    free(seen->slots);
    free(seen->open);
    seen->entries = NULL;
    seen->words = NULL;
    seen->slots = NULL;
    seen->open = NULL;
}

/* False where there is no memory for it: then nothing is remembered. */
static bool is_made(struct atomic_seen *seen)
{
    if (seen->slots)
        return true;
    seen->entries = malloc(seen->most_entries * sizeof *seen->entries);
    seen->words = malloc(seen->most_words * sizeof *seen->words);
    seen->open = malloc(seen->most_entries * sizeof *seen->open);
    seen->slots = calloc(SLOTS, sizeof *seen->slots);
    if (!seen->entries || !seen->words || !seen->open || !seen->slots) {
        atomic_seen_free(seen);
        return false;
    }
    return true;
}

void atomic_seen_clear(struct atomic_seen *seen)
{
    if (seen->count > 0)
        memset(seen->slots, 0, SLOTS * sizeof *seen->slots);
    seen->count = seen->used = seen->open_count = 0;
}

static uint64_t hash_of(const struct atomic_place *place)
{
    uint64_t hash =
        hash_join((uint64_t)place->holder << 32 | place->last_pid, place->last_partner);
    for (uint32_t i = 0; i < place->size; i += 8) {
        uint64_t word;
        memcpy(&word, place->vector + i, 8);
        hash = hash_join(hash, word);
    }
    return hash;
}

static bool is_same(const struct atomic_seen *seen, const struct atomic_entry *entry,
                    const struct atomic_place *place, uint64_t hash)
{
    return entry->hash == hash && entry->size == place->size / 8 &&
           entry->holder == place->holder && entry->last_pid == place->last_pid &&
           entry->last_partner == place->last_partner &&
           memcmp(seen->words + entry->at, place->vector, place->size) == 0;
}

static void open_entry(struct atomic_seen *seen, uint32_t number, uint32_t length)
{
    seen->entries[number].length = length;
    seen->entries[number].open = true;
    seen->open[seen->open_count++] = number;
}

enum atomic_met atomic_seen_enter(struct atomic_seen *seen, const struct atomic_place *place)
{
    if (!is_made(seen))
        return ATOMIC_NEW;
    uint64_t hash = hash_of(place);
    uint32_t slot = (uint32_t)hash & (SLOTS - 1);
    for (; seen->slots[slot] != 0; slot = (slot + 1) & (SLOTS - 1)) {
        uint32_t number = seen->slots[slot] - 1;
        const struct atomic_entry *entry = &seen->entries[number];
        if (!is_same(seen, entry, place, hash))
            continue;
        if (entry->open)
            return ATOMIC_OPEN;
        if (entry->length <= place->length)
            return ATOMIC_DONE;
        open_entry(seen, number, place->length);
        return ATOMIC_NEW;
    }
    if (seen->count == seen->most_entries || seen->most_words - seen->used < place->size / 8)
        return ATOMIC_NEW;
    seen->entries[seen->count] = (struct atomic_entry){.hash = hash,
                                                       .at = seen->used,
                                                       .size = place->size / 8,
                                                       .holder = place->holder,
                                                       .last_pid = place->last_pid,
                                                       .last_partner = place->last_partner};
    memcpy(seen->words + seen->used, place->vector, place->size);
    seen->used += place->size / 8;
    seen->slots[slot] = seen->count + 1;
    open_entry(seen, seen->count++, place->length);
    return ATOMIC_NEW;
}

void atomic_seen_leave(struct atomic_seen *seen, uint32_t count)
{
    while (seen->open_count > count)
        seen->entries[seen->open[--seen->open_count]].open = false;
}
