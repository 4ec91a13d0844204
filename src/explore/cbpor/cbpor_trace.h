/* One execution as a happens-before graph, and the lattice of its prefixes.
 *
 * A *cut* is a prefix of the graph: how far each thread has come. It is what paper 000 calls a
 * state; its key is the sum of the hashes of the threads' last events (hb.h), so that taking
 * away the last event of a thread costs one subtraction:
 *
 *     thread 0   e0 ── e2 ──┐          cut: last = {e2, e3, none}
 *     thread 1   e1 ── e3   │ e5       key: h(e2) + h(e3)
 *     thread 2            e4┘          frontier: threads whose last event is before no other
 *
 * The bounds need to know for every cut, visited or not, which threads can continue in it
 * (cbpor_goes_on). This is derived from the operations: whether a pending operation is enabled
 * depends on its thread's past and on the last writes of the objects that it names (op.h), so
 * one observation holds for all cuts that agree on these. Without one the answer is "unknown",
 * never a guess.
 *
 * Cuts are only between *blocks*: in every trace, some order with the fewest preemptions runs
 * the events of a block without a switch between them, so cuts inside blocks are not needed.
 *   - start, yield and choice do not affect other threads: they may as well happen just before
 *     the thread's next event (unless that one yields: before it a switch is free);
 *   - the exit of a thread may as well happen right after its last event: avoiding a preemption
 *     there saves at least as much as it costs to enable the joining thread earlier.
 *   - an operation that can't block, on objects that no other thread was ever seen to use, may
 *     as well happen right after the event before it. The first time that another thread uses
 *     one of them the blocks are made again (`grown`). This is done only where traces have
 *     many prefixes (`private_too`).
 * Blocks are allowed as long as only creation, start, exit and one thread's join refer to a
 * thread, and no thread ends the process or fails before it has joined the others. After the
 * first execution that violates this (`mixed`), every event is a block of its own.
 *
 * Invariant: an event's clock counts, per thread, the events that happen before or are it. */
#ifndef MAZUR_EXPLORE_CBPOR_TRACE_H
#define MAZUR_EXPLORE_CBPOR_TRACE_H

#include "base/table.h"
#include "base/vector.h"
#include "explore/strategy/strategy.h"
#include "explore/world/hb.h"
#include "explore/world/world.h"

#define NO_EVENT UINT32_MAX

/* What a thread is about to do after one of its events, or when it is created. */
struct cbpor_standing {
    struct op pending;
    uint32_t spin; /* first event of a possible idle loop; NO_EVENT: no loop */
};

struct cbpor_event {
    int tid;
    uint32_t index;    /* in its thread, from 0 */
    uint32_t previous; /* of the same thread, or NO_EVENT */
    uint32_t next;
    uint32_t written[OP_OBJECTS]; /* last write before it, per object */
    uint32_t global;              /* last OP_GLOBAL event before it */
    uint32_t block;               /* first event of its block */
    bool goes_on;                 /* the block does not end with it */
    uint32_t choice;              /* its data choices: choices.item[choice … + nchoices) */
    uint32_t nchoices;
    struct op op;
    struct hash128 hash;
    struct cbpor_standing after;
};

struct cbpor_choice {
    uint32_t n;
    uint32_t value;
};

/* What was seen between two steps. */
struct cbpor_moment {
    threadset enabled;
    int last;
    int preemptions;
};

struct cbpor_birth {
    bool born;
    uint32_t event; /* the event that created the thread, NO_EVENT: it existed from the start */
    uint32_t first; /* event of the thread, or NO_EVENT */
    uint32_t last;  /* event of the thread so far, or NO_EVENT */
    struct cbpor_standing standing;
};

/* Of one object, while clocks are computed. */
struct cbpor_object {
    uint32_t first;  /* write + 1 */
    uint32_t write;  /* last one + 1 */
    uint32_t reads;  /* where the clocks of the reads since then are joined: + 1, in clocks */
    uint32_t joiner; /* thread + 1 that joins the thread of this name */
    bool thread;     /* it is the name of a thread */
    bool mixed;      /* it is used by more than its creator, itself, and one that joins it */
};

struct cbpor_trace {
    struct pool *pool;
    struct cbpor_seen *seen;
    struct hb hb;
    VECTOR(struct cbpor_event) events;
    VECTOR(struct cbpor_moment) moments; /* moment i: before event i; the last: at the end */
    VECTOR(struct cbpor_choice) choices;
    VECTOR(struct cbpor_birth) threads;
    VECTOR(uint32_t) clock; /* threads.count words per event */
    struct table objects;   /* object → its last write + 1, while building and afterwards */
    VECTOR(uint32_t) reads; /* while building: joined clocks of reads, per object */
    uint32_t global;        /* last OP_GLOBAL event */
    uint32_t open_choices;  /* data choices of the step being executed */
    uint32_t kept;          /* events that must repeat the last execution */
    uint32_t followed;      /* events that did not fail: what they led to is known */
    bool diverged;          /* something differs from before in the same situation */
    bool old;               /* all this is still that of the last execution */
    bool estranged;         /* … with the same past: some dependence is not visible */
    bool in_blocks;         /* put events into blocks */
    bool private_too;       /* also those on objects of one thread */
    bool has_blocks;        /* some execution has used blocks */
    bool mixed;             /* blocks are not allowed for this program */
};

struct cbpor_cut {
    struct cbpor_trace *trace;
    VECTOR(uint32_t) last; /* by thread: event, or NO_EVENT */
    struct hash128 key;
};

/* What executions have shown. */
struct cbpor_seen {
    struct table table; /* (tid, its past, last writes of what it waits for) → cbpor_answer */
    /* Event with its past → what its thread is about to do then. Checks that this depends on
     * nothing else, for the last CBPOR_LOCALS events at most. */
    struct table locals;
    struct table users; /* object → thread + 1 that uses it, CBPOR_SHARED: several do */
    bool grown;         /* an object has become shared */
    bool contradicted;  /* an observation contradicts a derived answer: trust neither */
};

#define CBPOR_SHARED UINT32_MAX
#define CBPOR_LOCALS (3u << 17) /* three quarters of 12 MB */

enum cbpor_answer { CBPOR_NO = 0, CBPOR_YES, CBPOR_UNKNOWN };

void cbpor_seen_init(struct cbpor_seen *seen, struct pool *pool);
void cbpor_trace_init(struct cbpor_trace *trace, struct cbpor_seen *seen, struct pool *pool);
/* Begin an execution whose first `kept` events repeat the last one that was recorded here. */
void cbpor_trace_begin(struct cbpor_trace *trace, uint32_t kept);
/* See strategy_ops.mark: before cbpor_trace_position() takes the last step. From the first call
 * on traces can go back; false until the next execution. */
bool cbpor_trace_mark(struct cbpor_trace *trace, struct strategy_mark *mark);
/* Right after cbpor_trace_begin(): the execution repeats the last one up to the mark. */
void cbpor_trace_go_on(struct cbpor_trace *trace, const struct strategy_mark *mark);
/* A position has been reached: takes the step that led to it, if that is new. */
void cbpor_trace_position(struct cbpor_trace *trace, const struct position *pos,
                          int preemptions);
void cbpor_trace_choice(struct cbpor_trace *trace, int n, int value);
/* The execution has ended there. `settled`: the position describes the threads correctly;
 * after a failure it may be out of date. `cut_off`: its last step failed, and did not get to
 * what it would have led to. */
void cbpor_trace_end(struct cbpor_trace *trace, const struct position *pos, bool settled,
                     bool cut_off);
/* Computes clocks and chains of writes; adds what was seen to `seen`. A final event ended the
 * execution although other threads could still run: it follows all others. */
void cbpor_trace_finish(struct cbpor_trace *trace, bool final);

/* Did the last event end the execution while other threads had not been joined? */
bool cbpor_trace_cut_short(const struct cbpor_trace *trace);

void cbpor_cut_full(struct cbpor_cut *cut, struct cbpor_trace *trace);
/* From now on every event is its own block, also in this trace, which must be finished
 * again. */
void cbpor_trace_split(struct cbpor_trace *trace);
/* cbpor_blocks.c, while a trace is recorded: the thread uses the objects of the operation, or
 * is about to; put the last event of its thread into a block. */
void cbpor_block_users(struct cbpor_trace *trace, int tid, const struct op *op);
/* Several threads use the objects of the operation. */
void cbpor_block_share(struct cbpor_trace *trace, const struct op *op);
void cbpor_block_put(struct cbpor_trace *trace, uint32_t id);
/* Recomputes the blocks of the trace with what is known about objects now. */
void cbpor_trace_reblock(struct cbpor_trace *trace);
/* An upper bound of the number of its prefixes. */
uint64_t cbpor_trace_cuts(const struct cbpor_trace *trace);
/* Is the last thread in the middle of a block? */
static inline bool cbpor_trace_in_block(const struct cbpor_trace *trace)
{
    return trace->events.count > 0 && trace->events.item[trace->events.count - 1].goes_on;
}
/* The data choices in the block that ends with the event. */
static inline uint32_t cbpor_trace_choices(const struct cbpor_trace *trace, uint32_t event,
                                           const struct cbpor_choice **choices)
{
    const struct cbpor_event *last = &trace->events.item[event];
    uint32_t first = trace->events.item[last->block].choice;
    *choices = trace->choices.item + first;
    return last->choice + last->nchoices - first;
}

/* The clock of an event: events of each thread (threads.count words) that are before it or are
 * it. */
static inline const uint32_t *cbpor_trace_clock(const struct cbpor_trace *trace, uint32_t event)
{
    return &trace->clock.item[(size_t)event * trace->threads.count];
}

/* Removes the last block of a thread; returns its last event. */
uint32_t cbpor_cut_remove(struct cbpor_cut *cut, int tid);
void cbpor_cut_restore(struct cbpor_cut *cut, int tid, uint32_t event);
/* The key that cbpor_cut_remove would lead to. */
struct hash128 cbpor_cut_before(const struct cbpor_cut *cut, int tid);
/* Is the thread's last event before no other event of the cut? (Paper 000, section 2: F.) */
bool cbpor_cut_frontier(const struct cbpor_cut *cut, int tid);
static inline bool cbpor_cut_empty(const struct cbpor_cut *cut)
{
    for (uint32_t tid = 0; tid < cut->last.count; tid++)
        if (cut->last.item[tid] != NO_EVENT)
            return false;
    return true;
}

/* What the thread is about to do after exactly these events. */
const struct op *cbpor_pending(const struct cbpor_cut *cut, int tid);
/* Can the thread's next operation be executed after exactly these events? */
enum cbpor_answer cbpor_enabled(const struct cbpor_cut *cut, int tid,
                                const struct cbpor_seen *seen);
/* The same for a thread of the frontier, as the one that ran last: would switching away from it
 * be a preemption (YES) or free (NO)? */
enum cbpor_answer cbpor_goes_on(const struct cbpor_cut *cut, int tid,
                                const struct cbpor_seen *seen);
/* A lower bound of the cut's preemptions: each thread that could have continued and is not the
 * last one was preempted when it last ran. */
int cbpor_cut_least(const struct cbpor_cut *cut);
/* Remembers what the search saw at a moment of the execution, for the threads that may block.
 */
void cbpor_cut_note(const struct cbpor_cut *cut, uint32_t moment);
/* Fixes an unknown answer. */
void cbpor_assume(const struct cbpor_cut *cut, int tid, struct cbpor_seen *seen,
                  enum cbpor_answer answer);

#endif
