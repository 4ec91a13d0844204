/* The seam between a program and a search (docs/design.md, "The explore seam").
 *
 * A *world* is anything with threads to interleave: the native runtime, a synthetic program
 * of the tests. A *position* is what a search sees of it between two steps. A *step* executes
 * the pending operation of one enabled thread and runs it, invisibly, to its next one.
 *
 * The native world calls search_pick() from inside a hook, on the stack of the thread that
 * has just arrived at its next operation, so there is no step() function here: the world, which
 * owns the threads, drives; the search only answers. */
#ifndef MAZUR_EXPLORE_WORLD_H
#define MAZUR_EXPLORE_WORLD_H

#include "base/threadset.h"
#include "explore/world/op.h"

enum wait_answer { WAIT_UNKNOWN, WAIT_NO, WAIT_YES };

struct position {
    uint32_t depth; /* steps executed so far in this execution */
    int last;       /* thread of the last step, -1 before the first */
    int nthreads;   /* slots 0 … nthreads-1 may be in use */
    bool alone;     /* inside an atomic section: only `last` may run, `enabled` has it alone */
    bool section;   /* `last` is inside an atomic section, also when it can't go on there */
    threadset enabled;        /* threads whose pending operation can be executed now */
    const struct op *pending; /* by slot; kind OP_NONE: none (not yet created, or ended) */
    const struct op *done;    /* the last step in its final form; NULL before the first */
    /* Fingerprint of the whole state, or 0 where the world can't tell (capture is costly: it
     * is only computed when a strategy calls it); see below. */
    uint64_t (*fingerprint)(const struct position *);
    /* Would a pending read with this op.wait be disabled, if its location held this value? The
     * answer depends on nothing else. NULL: the world can't tell. */
    enum wait_answer (*must_wait)(uint64_t wait, uint64_t value);
    /* At the end of a search: do all paths to a state show the same failures? Called only for
     * strategies that pruned at known states. NULL means no. */
    bool (*ways_agree)(const struct position *);
    /* At the end of an execution: identifies the failure; 0 where nothing failed, or where the
     * search does not compare failures (only simplify.c does). */
    uint64_t failure;
};

/* What a fingerprint must guarantee to strategies that prune at known states (icb with cached
 * states, sdpor). Equal fingerprints promise equal futures: everything that decides what can
 * still be executed, and what it does, must be hashed; when in doubt, hash states as different.
 * A mismatch of equal states costs time, a match of different ones costs a bug.
 *
 * The native runtime hashes (paper 004, section 3, but whole states instead of differences,
 * which fibers make easy to reach):
 *   - per thread: its callee-saved registers at the hook and its stack from the hook's caller
 *     up to the base, with addresses in it as they are (the interleaving does not change them);
 *     dead slots may differ, which only costs a match;
 *   - per thread: what the runtime keeps for it (wait object, notified, deadline, held locks,
 *     number of children, random state, thread-local storage);
 *   - shared memory: the hot pages of the snapshot (those that were ever written), the heap's
 *     live blocks and the bookkeeping that decides later addresses;
 *   - what lies outside memory: open descriptors, their offsets, the virtual clock.
 * A world that can do this sets search_options.states. */

/* Can the last thread continue, so that all others are preemptions? */
static inline bool position_last_goes_on(const struct position *pos)
{
    return pos->last >= 0 && threadset_has(&pos->enabled, pos->last) &&
           !(pos->pending[pos->last].flags & OP_YIELDS);
}

/* Would executing `tid` next be a preemption? */
static inline bool position_preempts(const struct position *pos, int tid)
{
    return pos->last != tid && position_last_goes_on(pos);
}

/* Hash of what the search sees here and has not seen before: which threads are enabled, what
 * the last thread did and what it is about to do. */
uint64_t position_situation(const struct position *pos);
/* The index-th enabled thread, counting cyclically from the last one; from the one after it
 * when it yields. Index 0 is never a preemption. */
int position_alternative(const struct position *pos, uint32_t index);

/* What a search may answer when it is asked for the next thread. */
enum {
    PICK_PRUNE = -1,    /* give up the execution: what follows is covered elsewhere */
    PICK_DIVERGED = -2, /* the execution does not follow its prefix */
};

/* A schedule is a list of decisions: thread slots, and SCHEDULE_CHOICE | value for the data
 * choices, in the order in which they were made. */
#define SCHEDULE_CHOICE UINT32_C(0x80000000)

/* How an execution ended. Anything but the first six is a failure of the program. */
enum outcome {
    OUTCOME_FINISHED = 0,  /* the program ended normally */
    OUTCOME_PRUNED,        /* the strategy said PICK_PRUNE */
    OUTCOME_CUT,           /* the depth limit was reached */
    OUTCOME_ASSUME_FAILED, /* mazur_assume(0): this execution does not count */
    OUTCOME_ASSUME_WAITS,  /* the same: only a thread that waits for the condition is left */
    OUTCOME_REDUNDANT,     /* it can't continue, but another execution shows how it does */
    OUTCOME_FAILED,        /* assertion, crash, race, … : the world knows the details */
    OUTCOME_DEADLOCK,
    OUTCOME_LIVELOCK,
    OUTCOME_DIVERGED, /* a replayed prefix led to another program state: nondeterminism */
};

#endif
