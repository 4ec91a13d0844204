/* One failing execution as the reports see it: threads, events with names and source lines, the
 * failure, and what the search had covered. Text, JSON and trace files all work from this type.
 *
 *     board (raw addresses) ── trace_capture ──▶ trace ──▶ text, JSON
 *                                                  ▲ │
 *                                  mzt_read ───────┘ └────▶ mzt_write
 *
 * All strings and arrays live in the trace's arena and are freed with it. Texts may contain any
 * bytes that the program under test chose; code that prints them must escape them. Invariants:
 * thread numbers in events are < nthreads (or -1 where stated), reads_from refers to an earlier
 * event or is TRACE_NO_EVENT, strings are never NULL unless stated. */
#ifndef MAZUR_TRACE_TRACE_H
#define MAZUR_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threadset.h"
#include "board/kinds.h"
#include "board/lessons.h"
#include "debuginfo/source_place.h"
#include "explore/claim/claim.h"
#include "explore/search/search.h"
#include "explore/world/op.h"
#include "host/arena.h"
#include "host/buffer.h"

#define TRACE_NO_EVENT UINT32_MAX

struct trace_operation {
    int kind; /* enum op_kind */
    unsigned flags;
    int order;
    unsigned size;
    const char *object; /* name of the (first) object, or "" */
    const char *second; /* condition waits: the mutex; or "" */
    bool internal;      /* the object is the C++ library's own, such as a use count */
    const char *call;   /* internal: the library's function that the program called, or "" */
    bool public_object; /* … which is an operation on `object`, such as a semaphore */
};

struct trace_lock {
    const char *name;
    struct source_place taken; /* where it was acquired */
};

struct trace_thread {
    const char *name;     /* pthread_setname_np, or "" */
    const char *function; /* its start routine, or "" */
    int parent;           /* -1: main */
    unsigned number;      /* it is the number-th child of parent */
    enum thread_state state;
    struct trace_operation pending;
    int waits_for; /* thread, or -1 */
    size_t nlocks;
    struct trace_lock *lock;
    struct source_stack stack;
};

/* Models: a variable or channel that a step changed, as text. */
struct trace_change {
    const char *name;
    const char *before;
    const char *after;
};

struct trace_event {
    int tid;
    int from;
    enum switch_reason reason;
    uint32_t reads_from;
    struct trace_operation operation;
    bool has_values;
    uint64_t before;
    uint64_t after;
    const char *before_text; /* the same as their type shows them; NULL: they are numbers */
    const char *after_text;
    int result;
    int other;              /* thread created, joined or woken, or -1 */
    threadset woken;        /* all that were woken; may be empty where `other` is one */
    const char *blocked_on; /* models: all that `from` waits for, if it blocks; or NULL */
    const char *label;
    const char *statement; /* models: its text; else NULL */
    size_t nchanges;
    struct trace_change *change;
    struct source_stack stack;
};

struct trace_access {
    int tid; /* -1: unknown */
    bool write;
    bool atomic;
    bool is_free;
    unsigned size;
    const char *object;
    uint32_t event; /* or TRACE_NO_EVENT */
    size_t nlocks;
    const char **lock;
    struct source_stack stack;
};

/* An operation of a tested container, as its caller saw it. */
struct trace_call {
    int tid;
    const char *operation;
    const char *arguments; /* or "" */
    const char *result;    /* NULL: it never ended */
    uint32_t begin;        /* moments: smaller is earlier */
    uint32_t end;
};

/* A serial execution of the same calls, in an allowed order. */
struct trace_order {
    size_t count;
    uint32_t *call;            /* indices of calls, in serial order */
    uint32_t differs;          /* the first call that has another result there */
    const char *serial_result; /* NULL: it waits for ever there */
};

struct trace_history {
    size_t ncalls; /* in the order in which they began */
    struct trace_call *call;
    size_t norders;
    struct trace_order *order;
    uint32_t fitting; /* how many orders there are; only the first ones are kept */
    uint32_t serial;  /* serial histories of the test */
};

struct trace_failure {
    enum failure_kind kind;
    const char *message;
    const char *detail;
    int tid; /* -1: no one thread */
    int signal;
    int status;
    int preemptions;
    uint32_t cycle; /* models: number (from 1) of the event that the last one leads back to */
    int bound;      /* bound being searched, BOUND_NONE: none */
    uint64_t execution;
    uint32_t step; /* models: where in the schedule the cycle begins */
    struct source_stack stack;
    size_t naccesses;
    struct trace_access access[2];
    bool has_block;
    const char *block_name; /* "Node (new at push():53)", or "" */
    uint64_t block_size;
    int block_owner;      /* thread that allocated it */
    int freed_by;         /* -1: live */
    uint32_t freed_event; /* its last event before the free, or TRACE_NO_EVENT */
    struct source_stack allocated;
    struct source_stack freed;
    struct trace_history *history; /* NULL: the test makes none */
};

/* What the search of a model had done when it ended: states in place of executions. */
struct model_coverage {
    uint64_t states, transitions, depth, errors;
    double bytes_per_state;
    const char *property;     /* the claim or formula checked; NULL: safety */
    const char *truncated_by; /* what cut the search short, or NULL */
    bool approximate;         /* states were compared by their hashes */
    double missed;            /* expected number of states that were mistaken for others */
    bool fewest;              /* no path with fewer preemptions fails */
};

/* What a search had done when it ended. */
struct coverage {
    const char *strategy;
    const struct model_coverage *model; /* NULL: a program */
    const struct shard *shard;          /* NULL: not one of several */
    int bound_asked;                    /* N, BOUND_NONE, BOUND_AUTO */
    int fair;                           /* fair bound, -1: none */
    struct search_stats stats;
    const char *restricted; /* ", only in push": where preemptions were tried; "": anywhere */
    bool started_over;      /* the bounds that are finished are those of an earlier search */
    struct claim claim;     /* the reasons that weaken the claim (explore/claim/claim.h) */
    bool complete;          /* every interleaving: see coverage_decide() */
    bool unseen;      /* every interleaving of what is seen: some code is invisible to Mazur */
    bool counted;     /* the number of distinct traces is exact for what was run, */
    bool all_counted; /* and within each finished bound there are no others */
    int fewest_failing; /* the fewest preemptions of a failure; -1: none was found */
    bool store_buffers; /* executions where they could make a difference were failures */
    unsigned threads;
    unsigned visible; /* most visible operations in one execution */
    bool instrumented;
    bool atomics_seen;
    size_t
        nnotes; /* sentences besides the reasons: of models, and unknown ones of a trace file */
    const char **note;
};

/* A setting that executions depend on, by its name in board/settings.def. */
struct trace_setting {
    const char *name;
    const char *text; /* NULL: the setting is a number */
    int64_t number;
};

/* A source file as it was when the trace was written. */
struct trace_source {
    const char *file; /* as seen from the recipe's directory */
    const char *hash;
};

/* How the program was made, so that it can be made and run again. */
struct recipe {
    bool compiled;        /* mazur check: from sources; else mazur run: a program */
    bool model;           /* mazur model: `program` is its file, `argument` its macros */
    const char *property; /* model: the claim or formula that fails, or NULL */
    bool believed;        /* model: read from a trail of Spin, whose claim is not ours */
    const char *compiler; /* --compiler, or NULL: the default */
    size_t narguments;    /* compiled: what was given to check, sources and flags */
    const char **argument;
    const char *program;       /* run: its path; read from a file: as seen from `directory` */
    size_t nprogram_arguments; /* arguments of the program itself */
    const char **program_argument;
    const char *directory; /* where Mazur was started */
    bool travels;          /* … which the file gives as seen from its own place */
    const char *build_id;  /* or NULL */
    size_t nsources;       /* what it was made of; 0: not known */
    struct trace_source *source;
};

struct trace {
    struct arena arena;
    const char *program; /* short name, for people */
    struct recipe recipe;
    size_t nsettings;
    struct trace_setting *setting; /* what the execution was run with: trace_settings.h */
    size_t nschedule;
    uint32_t *schedule;
    struct lessons lessons; /* what the search had learned when it made the schedule */
    size_t nthreads;
    struct trace_thread *thread;
    size_t nevents;
    struct trace_event *event;
    uint64_t events_lost;
    struct trace_failure failure;
    struct coverage coverage;
    struct simplification simplest; /* `repeated` is false if the execution is as found */
    uint32_t inflection; /* the event after which every continuation fails, or TRACE_NO_EVENT */
    const char *output;  /* what the program printed, head and tail */
    const char *file_name; /* of its trace file, or NULL */
};

struct trace *trace_new(void);
void trace_free(struct trace *trace);

/* next[i]: what the thread that event i took over from does next, or TRACE_NO_EVENT; malloc'd.
 */
uint32_t *trace_next_events(const struct trace *trace);
/* The thread whose place the report names, or -1. */
int trace_failing_thread(const struct trace *trace);
/* Where the failure is: the innermost place in the user's own code, or NULL. */
const struct source_place *trace_location(const struct trace *trace);
/* Switches from one thread to another, preemptions and all others. */
size_t trace_switches(const struct trace *trace);
/* "T2", "main": the name of a thread in all reports; malloc'd. */
char *thread_label(const struct trace *trace, int tid);

#endif
