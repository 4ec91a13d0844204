/* States met inside one atomic sequence.
 *
 * As in Spin, states inside an atomic sequence are not stored, so a sequence that loops, or has
 * many ways to the same place, has countless paths. Once a sequence has turned out to be long
 * (macro.c), its inner states are kept here, exactly, until it is over, and none is continued a
 * second time except by a shorter path.
 *
 * Invariant: an entry is open while the paths from it are being followed; reaching an open one
 * means that the sequence can continue for ever. */
#ifndef MAZUR_PROMELA_ATOMIC_SEEN_H
#define MAZUR_PROMELA_ATOMIC_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The process that took the last step may continue for free (macro.h), so it is part of the
 * state. */
struct atomic_place {
    const uint8_t *vector;
    uint32_t size; /* bytes, a multiple of eight */
    uint32_t holder, last_pid, last_partner;
    uint32_t length; /* steps on the way */
};

struct atomic_entry {
    uint64_t hash;
    uint32_t at, size; /* its vector: words */
    uint32_t holder, last_pid, last_partner, length;
    bool open;
};

struct atomic_seen {
    struct atomic_entry *entries;
    uint64_t *words;
    uint32_t *slots; /* numbers of entries + 1, by hash; 0: none */
    uint32_t *open;  /* entries that are open, oldest first */
    uint32_t count, used, open_count;
    uint32_t most_entries, most_words; /* beyond that nothing is added */
};

enum atomic_met { ATOMIC_NEW, ATOMIC_DONE, ATOMIC_OPEN };

void atomic_seen_init(struct atomic_seen *seen, size_t memory);
void atomic_seen_free(struct atomic_seen *seen);
/* The next sequence begins. */
void atomic_seen_clear(struct atomic_seen *seen);
/* ATOMIC_NEW: go on from there (it is open now, if there was room for it). */
enum atomic_met atomic_seen_enter(struct atomic_seen *seen, const struct atomic_place *place);
/* Close all but the `count` oldest open ones. */
void atomic_seen_leave(struct atomic_seen *seen, uint32_t count);

#endif
