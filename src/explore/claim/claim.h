/* What a search may claim, and every reason why it may claim less.
 *
 * A claim is a statement that Mazur makes about executions that it does not show: "complete",
 * "all executions with ≤ n preemptions", the number of traces within a bound, "no execution
 * with fewer preemptions fails", "every execution fails, whatever the schedule". Code that
 * notices something that such a statement would hide raises a *reason*: a row of
 * claim_reasons.def, with a detail such as the name of a call. Only claim_allows() decides what
 * is claimed, from the reasons that were raised:
 *
 *     severity    "complete"   "all executions with ≤ n"              "every execution fails"
 *     remark      stays        stays                                  stays
 *     weakens     falls        stays, with the sentence beside it     falls
 *     forbids     falls        falls for bounds finished after it     falls
 *
 * "No execution with fewer preemptions fails" follows from the bounds that were finished.
 * In addition a row may say UNCOUNTED: the number of traces is not exact; and INLINE: only a
 * part of what is within a bound was asked for, and the sentence says which.
 *
 * The list is part of the board, so it survives the child, and the parent adds its own reasons
 * to it. Invariant: a reason that was raised is never lost, not even when the list of details
 * is full: `raised` has a bit for each. No allocation, no libc: this runs in the program. */
#ifndef MAZUR_EXPLORE_CLAIM_H
#define MAZUR_EXPLORE_CLAIM_H

#include <stdbool.h>
#include <stdint.h>

enum claim_reason {
#define REASON(name, id, severity, flags, sentence) REASON_##name,
#include "explore/claim/claim_reasons.def"
#undef REASON
    CLAIM_REASONS
};

enum claim_severity { CLAIM_REMARK = 0, CLAIM_WEAKENS, CLAIM_FORBIDS };

enum claim_flags {
    CLAIM_PLAIN = 0,
    CLAIM_UNCOUNTED = 1 << 0, /* the number of traces is not exact */
    CLAIM_SIGHT = 1 << 1,     /* "complete" becomes "every interleaving of what is seen" */
    CLAIM_SEARCH = 1 << 2,    /* is about this search: forgotten when it starts over */
    CLAIM_ENDS = 1 << 3,      /* why the search ended: printed on its own line */
    CLAIM_INLINE = 1 << 4,    /* the sentence about what was covered says it already, and
                                 traces within a bound are not counted */
};

/* What may be said. */
enum claim_kind {
    CLAIM_COMPLETE, /* every interleaving was covered */
    CLAIM_BOUND,    /* every execution within the bound that is finished now was covered */
    CLAIM_SEARCHED, /* the search itself left nothing out, apart from what it could not see */
    CLAIM_DISTINCT, /* the number of traces that were run is exact */
    CLAIM_TRACES,   /* … and within a bound that is finished there are no others */
    CLAIM_EVERY,    /* every execution fails, whatever the schedule */
};

struct claim_row {
    const char *id; /* stable: for JSON */
    enum claim_severity severity;
    unsigned flags;
    const char *sentence; /* {names}: the details; {count}: how many; {s}: "s" unless one */
};

#define CLAIM_DETAIL  104 /* bytes of one detail */
#define CLAIM_ENTRIES 96

struct claim_entry {
    uint32_t reason;
    char detail[CLAIM_DETAIL]; /* may be empty */
};

struct claim {
    uint64_t raised[(CLAIM_REASONS + 63) / 64];
    volatile uint32_t count;
    struct claim_entry entry[CLAIM_ENTRIES]; /* each reason with each detail once */
};

const struct claim_row *claim_row(enum claim_reason reason);
/* "remark", "weakens" or "forbids". */
const char *claim_severity_name(enum claim_severity severity);

/* `detail` may be NULL. Cheap when the same has been raised before. */
void claim_raise(struct claim *claim, enum claim_reason reason, const char *detail);
/* Raises everything that was raised in another list. */
void claim_add(struct claim *claim, const struct claim *other);
bool claim_has(const struct claim *claim, enum claim_reason reason);
/* Do the reasons raised so far allow this claim? */
bool claim_allows(const struct claim *claim, enum claim_kind kind);
/* Is code that Mazur can't see into the only reason not to claim "complete"? */
bool claim_is_blind_only(const struct claim *claim);
/* The search starts over: forget the reasons that were about it. */
void claim_forget_search(struct claim *claim);
/* The list comes from an untrusted process. A doubtful list forbids. */
void claim_sanitize(struct claim *claim);

#endif
