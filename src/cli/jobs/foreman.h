/* The foreman of a search in several processes: which leaves there are (strategy/leaf.h), which
 * worker searches which, and what all of them prove together.
 *
 *     OPEN ── foreman_next ─▶ RUNNING ── foreman_finished ─▶ DONE ── next bound ─▶ OPEN
 *      ▲                         │ foreman_split: the gift is OPEN
 *      └────── foreman_lost ─────┘
 *
 * Invariant: the leaves are a partition of the traces of the program. Splitting replaces a leaf
 * by two that make it up, and nothing removes one. So a bound is finished when every leaf is
 * DONE, and a leaf is DONE only with the counts of all its traces within the bound. Work on a
 * leaf that was not finished does not count. */
#ifndef MAZUR_CLI_FOREMAN_H
#define MAZUR_CLI_FOREMAN_H

#include "board/board.h"

/* Each process numbers thread slots in the order in which it first sees the threads: a leaf
 * uses the slots of the process that described it. */
struct slot_names {
    uint32_t count;
    struct {
        int32_t parent;
        uint32_t number;
    } slot[LEAF_THREADS];
};

enum leaf_state { LEAF_OPEN = 0, LEAF_RUNNING, LEAF_DONE };

struct leaf_record {
    struct leaf leaf;
    struct slot_names names;
    enum leaf_state state;
    bool exhausted; /* no larger bound adds anything */
    int worker;     /* that runs it, or has begun it and could continue; -1: nobody */
    struct search_stats stats; /* its counts at the last bound that was DONE */
    struct search_stats live;  /* RUNNING: those of now */
    uint64_t known; /* RUNNING: executions that its worker had run before; others repeat them */
};

struct foreman {
    struct leaf_record **leaf;
    size_t count;
    struct search_stats total; /* rows, and the bound that is being searched */
    int last_bound;            /* no larger one is asked for */
};

/* The executions that a search with these counts may have in the end of the bound that it is
 * at: each bound has fewer times as many as the one before than that one had. 0: unknown. */
double foreman_expects(const struct search_stats *stats);

/* The whole search has been split for the first time, by worker 0: `before` are its counts,
 * with the rows of the bounds that it had finished alone. */
void foreman_open(struct foreman *foreman, const struct search_stats *before, int last_bound,
                  const struct leaf *kept, const struct leaf *gift,
                  const struct slot_names *names);
/* The search was divided beforehand (division.h): `before` has the rows of the bounds that were
 * finished before that. The leaves are added one by one, … */
void foreman_begin(struct foreman *foreman, const struct search_stats *before, int last_bound);
/* … as they are, run by nobody. */
void foreman_add(struct foreman *foreman, const struct leaf_record *record);
void foreman_close(struct foreman *foreman);

/* A record of an open leaf; malloc'd. */
struct leaf_record *leaf_record_new(const struct leaf *leaf, const struct slot_names *names);

/* Gives the worker a leaf to run; -1: none is open. Prefers one that this worker has begun;
 * takes one that another worker has begun, whose executions must be repeated, only if these are
 * no more than `repeats`. */
int foreman_next(struct foreman *foreman, int worker, double repeats);
/* The worker runs this one, which is open, from now on. */
void foreman_take(struct foreman *foreman, int leaf, int worker);
/* A worker has given away a part of its leaf. */
void foreman_split(struct foreman *foreman, int leaf, const struct leaf *kept,
                   const struct leaf *gift, const struct slot_names *names);
/* A worker has finished its leaf at the bound. */
void foreman_finished(struct foreman *foreman, int leaf, const struct search_stats *stats);
/* A worker has ended, and what it knew about its leaves is lost. */
void foreman_lost(struct foreman *foreman, int worker);

/* Is there a leaf that nobody runs? */
size_t foreman_open_leaves(const struct foreman *foreman);
bool foreman_bound_is_done(const struct foreman *foreman);
/* All leaves are DONE: add the row of the bound, or call the search complete, as far as the
 * reasons allow. True: the next bound has begun. */
bool foreman_next_bound(struct foreman *foreman, struct claim *claim);

/* The total, with the present counts of all leaves. */
struct search_stats foreman_counts(const struct foreman *foreman);

#endif
