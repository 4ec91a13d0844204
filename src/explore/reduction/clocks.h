/* Happens-before of the execution being run, as vector clocks, and the last accesses to each
 * object.
 *
 * Steps are numbered from 1. The clock of a step says, for each thread, its last step that
 * happens before (or is) this one; 0: none. Accesses are kept per object and thread, so that
 * "the most recent step of each thread that is dependent with this operation" (paper 002,
 * Algorithm 2, line 6) costs O(threads that touched its objects), not a scan of the execution.
 *
 *   object ──▶ user thread 0 ──▶ user thread 2 ──▶ …
 *                  │ last            │ last
 *                  ▼                 ▼
 *               read at 7         write at 9
 *                  ▼ before
 *               write at 3
 *
 * A reduction runs the same prefix again and again. So what is known about the steps up to
 * `kept` stays in place, and later steps are undone, one by one, when the next execution
 * begins. Adding a kept step again costs nothing; queries are allowed only after all kept steps
 * have been repeated. */
#ifndef MAZUR_EXPLORE_CLOCKS_H
#define MAZUR_EXPLORE_CLOCKS_H

#include "base/table.h"
#include "base/vector.h"
#include "explore/world/op.h"

/* One access of an object by a step. */
struct clocks_access {
    uint32_t step;
    uint32_t user;
    uint32_t before; /* index + 1 of the access before it, of the same object and thread */
    uint32_t write_before; /* of the user, to be restored */
    uint16_t kind;
    bool write;
};

/* All accesses of one object by one thread. */
struct clocks_user {
    uint64_t object;
    uint32_t tid;
    uint32_t last;  /* index + 1 of its last access */
    uint32_t write; /* its last step that wrote the object */
    uint32_t next;  /* index + 1 of the next user of the same object, 0: none */
};

/* A step, and what it changed. */
struct clocks_record {
    uint32_t tid;
    uint32_t accesses;      /* how many there were before it */
    uint32_t thread_global; /* last OP_GLOBAL step before it, of its thread */
    uint32_t global;        /* … and of any thread */
};

struct clocks_thread {
    uint32_t birth;  /* step after which it was first seen; its clock is the thread's first */
    uint32_t last;   /* its last step, or its birth */
    uint32_t step;   /* its last step, 0 before the first */
    uint32_t global; /* its last OP_GLOBAL step */
    bool born;
    VECTOR(uint32_t) steps; /* all of them, ascending */
};

struct clocks {
    struct pool *pool;
    struct table objects; /* object → index + 1 of its first user, 0: none any more */
    VECTOR(struct clocks_user) users;
    VECTOR(struct clocks_access) accesses;
    VECTOR(struct clocks_record) records; /* of step n at n - 1 */
    VECTOR(struct clocks_thread) threads;
    VECTOR(uint32_t) clock; /* `stride` words per step, from step 0 (all zero) */
    uint32_t stride;
    uint32_t steps;       /* of this execution so far; at most records.count */
    uint32_t global;      /* last OP_GLOBAL step of any thread */
    uint64_t recent;      /* the object looked up last, and … */
    uint32_t recent_user; /* … index + 1 of its first user */
};

void clocks_init(struct clocks *clocks, struct pool *pool);
/* Starts an execution that repeats the first `kept` steps of the previous one. */
void clocks_begin(struct clocks *clocks, uint32_t kept);
/* … and goes on after the first `steps` of these. */
static inline void clocks_go_on(struct clocks *clocks, uint32_t steps)
{
    clocks->steps = steps;
}
/* Thread `tid` exists from here on: the last step and everything in its past happen before
 * it. */
void clocks_born(struct clocks *clocks, int tid);
static inline bool clocks_is_born(const struct clocks *clocks, int tid)
{
    return (uint32_t)tid < clocks->threads.count && clocks->threads.item[tid].born;
}
/* The step after which it was first seen, 0: from the start. */
static inline uint32_t clocks_birth(const struct clocks *clocks, int tid)
{
    return clocks->threads.item[tid].birth;
}
/* Thread `tid` executed `op` (final form); returns the number of the step. */
uint32_t clocks_step(struct clocks *clocks, int tid, const struct op *op);

/* The last step of `tid` that happens before, or is, `step`. */
static inline uint32_t clocks_of(const struct clocks *clocks, uint32_t step, int tid)
{
    return clocks->clock.item[(uint64_t)step * clocks->stride + (uint32_t)tid];
}
/* The last step of `other` that happens before what `tid` does next. */
static inline uint32_t clocks_before(const struct clocks *clocks, int tid, int other)
{
    return clocks_of(clocks, clocks->threads.item[tid].last, other);
}

/* The first step of `tid` after `step`, 0: none. */
uint32_t clocks_first_after(const struct clocks *clocks, int tid, uint32_t step);

/* For an operation of `tid`: candidate[v] = the most recent step of thread v ≠ tid that is
 * dependent with it, 0: none. `candidate` has room for clocks->threads.count entries. Returns
 * false if all of them are 0. */
bool clocks_candidates(const struct clocks *clocks, int tid, const struct op *op,
                       uint32_t *candidate);
/* Is it certain that no state has both of these enabled? */
bool clocks_never_together(const struct op *executed, const struct op *pending);
/* The most recent step of `other` before step `below` that is dependent with an operation of
 * another thread, 0: none. *releases: the two can never be enabled together. */
uint32_t clocks_dependent(const struct clocks *clocks, int other, const struct op *op,
                          uint32_t below, bool *releases);

#endif
