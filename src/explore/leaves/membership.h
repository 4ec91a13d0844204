/* Does an execution belong to a leaf (explore/strategy/leaf.h)? The part of leaves that all
 * strategies share.
 *
 * The code that runs the executions reports the events one after another. An event is *bad* if
 * no execution that contains it belongs to the leaf:
 *
 *     it takes the place of a required event
 *     a required event that has not happened yet depends on it, and would have another past
 *     it is excluded
 *
 * This is exact, whatever the program does unseen: it is only about events that have happened,
 * and about what later hashes will be.
 *
 * No search has to restart when a part is given away: the leaf gets smaller, and its finished
 * executions still count. The events to split by are chosen once, from the first execution that
 * belongs to the leaf (the *comb*; its teeth are the events to split by), so that the
 * executions of each part can be counted from the beginning. */
#ifndef MAZUR_EXPLORE_MEMBERSHIP_H
#define MAZUR_EXPLORE_MEMBERSHIP_H

#include "base/pool.h"
#include "base/vector.h"
#include "explore/strategy/leaf.h"

/* An event with its place in a happens-before graph. */
struct leaf_event {
    uint32_t tid;
    uint32_t index; /* in its thread, from 0 */
    struct op op;
    struct hash128 hash;
    uint32_t past[LEAF_THREADS]; /* events of each thread before it */
    uint32_t choice;             /* its data choices, in membership.comb.choices */
    uint32_t nchoices;
    uint32_t level; /* comb: split that makes it required; 0: it is */
};

struct membership {
    struct pool *pool;
    struct leaf leaf; /* as it is now */
    VECTOR(struct leaf_event) required;
    struct hash128 sum; /* of their hashes */
    VECTOR(uint32_t)
    place[LEAF_THREADS];        /* of the required events of a thread, in `required` */
    uint32_t has[LEAF_THREADS]; /* events of each thread so far, in this execution */
    uint32_t missing;           /* required events that it does not have yet */
    struct {                    /* the events of one execution */
        VECTOR(struct leaf_event) events;
        VECTOR(uint32_t) choices;
        bool made;
        uint32_t count;             /* of the teeth */
        uint32_t given;             /* this many teeth */
        uint32_t tooth[LEAF_SLOTS]; /* events to split by */
        uint32_t met;               /* bit i: this execution contains tooth i */
    } comb;
};

/* NULL: it has more than a leaf can hold, or is `ordered`. */
struct membership *membership_create(struct pool *pool, const struct leaf *given);
/* How many events its steps must lead to. */
uint32_t membership_steps(const struct membership *member);
/* The next of these. */
void membership_require(struct membership *member, const struct leaf_event *event);
/* Are they the events that the leaf was made from? */
bool membership_is_as_meant(const struct membership *member);

static inline uint32_t membership_needs(const struct membership *member, uint32_t tid)
{
    return tid < LEAF_THREADS ? member->place[tid].count : 0;
}
static inline const struct leaf_event *membership_needed(const struct membership *member,
                                                         uint32_t tid, uint32_t index)
{
    return &member->required.item[member->place[tid].item[index]];
}

/* For each execution: */
void membership_begin(struct membership *member);
/* An event has happened. True: it is bad. */
bool membership_look(struct membership *member, uint32_t tid, uint32_t index,
                     const struct op *op, struct hash128 hash);
/* The last event of an execution that it has ended early: its hash need not be that of the
 * event that it would have been. Otherwise as membership_look; excluded events and the comb are
 * left to the caller. */
bool membership_end(struct membership *member, uint32_t tid, uint32_t index);
/* Does the execution so far contain all required events? */
bool membership_is_inside(const struct membership *member);

/* What a pending operation accesses, whatever its final form. */
struct op leaf_certain_form(const struct op *pending);

/* For the first execution of the leaf only: adds its events in order, with their pasts, or none
 * of them if they do not fit; then chooses the teeth. */
struct leaf_event *membership_comb_add(struct membership *member);
void membership_comb(struct membership *member);
/* A tooth, as an event to exclude. */
void membership_tooth(const struct membership *member, uint32_t i, struct leaf_excluded *tooth);
/* The number of the split that would give away the execution; LEAF_SLOTS: none. */
uint32_t membership_slot(const struct membership *member);
/* Gives away a part; returns the slot, -1: there is nothing to give away. moved[i], if `moved`
 * is not NULL, is the former index of the excluded event i. */
int membership_split(struct membership *member, struct leaf *gift, struct leaf *kept,
                     uint32_t *moved);

#endif
