/* States met inside one atomic sequence.
 *
 * What lies between the steps of an atomic sequence is not stored, as in Spin, so a sequence
 * with many ways to the same place, or one that goes round, has paths without number. Once a
 * sequence has proven long (macro.c), what was met inside it is kept here, exactly, until it is
 * over, and nobody goes on from there a second time unless on a shorter path.
 *
 * Invariant: an entry is open while the paths behind it are being followed; meeting an open one
 * means that the sequence can go on for ever. */
#ifndef MAZUR_PROMELA_ATOMIC_SEEN_H
#define MAZUR_PROMELA_ATOMIC_SEEN_H

#include <stdbool.h>
#include <stddef.h>

#include "promela/code/step.h"

/* Whoever took the last step may go on for free (macro.h): part of what makes two the same. */
struct atomic_place {
    const u8 *vector;
    u32 size; /* bytes, a multiple of eight */
    u32 holder, last_pid, last_partner;
    u32 length; /* steps on the way */
};

struct atomic_entry {
    u64 hash;
    u32 at, size; /* its vector: words */
    u32 holder, last_pid, last_partner, length;
    bool open;
};

struct atomic_seen {
    struct atomic_entry *entries;
    u64 *words;
    u32 *slots; /* numbers of entries + 1, by hash; 0: none */
    u32 *open;  /* entries that are open, oldest first */
    u32 count, used, open_count;
    u32 most_entries, most_words; /* beyond that nothing is added */
};

enum atomic_met { ATOMIC_NEW, ATOMIC_DONE, ATOMIC_OPEN };

void atomic_seen_init(struct atomic_seen *seen, size_t memory);
void atomic_seen_free(struct atomic_seen *seen);
/* The next sequence begins. */
void atomic_seen_clear(struct atomic_seen *seen);
/* ATOMIC_NEW: go on from there (it is open now, if there was room for it). */
enum atomic_met atomic_seen_enter(struct atomic_seen *seen, const struct atomic_place *place);
/* Close all but the `count` oldest open ones. */
void atomic_seen_leave(struct atomic_seen *seen, u32 count);

#endif
