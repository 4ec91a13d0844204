/* One verification run: the model, its compiled code, options, results.
 *
 * A search asks an expander for the successors of a state; it keeps vectors and successor
 * records in two bump arenas of its own, in stack order, so that the inner loop allocates
 * nothing. Counters follow Spin: `transitions` are looked-up successors, `states` are stored
 * ones; steps inside an atomic sequence are neither. */
#ifndef MAZUR_PROMELA_VERIFIER_H
#define MAZUR_PROMELA_VERIFIER_H

#include <stdatomic.h>

#include "promela/automata/automata.h"
#include "promela/code/shape.h"
#include "promela/code/step.h"
#include "promela/language/model.h"

#define MODEL_BOUND_NONE (-1)
#define MODEL_BOUND_AUTO (-2)

enum model_search { SEARCH_DFS, SEARCH_BFS, SEARCH_FEWEST, SEARCH_SWARM };
enum model_store { STORE_EXACT, STORE_COMPACT, STORE_BITSTATE };

struct options;

struct model_options {
    const char *file;
    const char **defines;
    int define_count;
    int bound; /* or MODEL_BOUND_NONE, MODEL_BOUND_AUTO */
    bool bound_given;
    bool por, por_given, optimize;
    bool keep_unread; /* what nothing reads stays in the state: preemptions are counted */
    enum model_store store;
    enum model_search search;
    bool search_given;
    uint32_t member; /* of a swarm: its hashes and its order are its own; 0: as ever */
    const char *ltl;
    bool no_claim, acceptance, progress, fair, shorten, keep_going, require_complete;
    bool quiet, verbose;
    bool claims_left_out; /* the model has claims, but this run checks safety only */
    int jobs;
    bool jobs_given;
    size_t memory;
    size_t bit_memory;          /* the array of --store bitstate */
    double time;                /* seconds; 0: no limit */
    uint64_t slice;             /* states after which other passes have their turn; 0: none */
    long depth;                 /* 0: no limit */
    const char *trail;          /* write a Spin trail there */
    const char *given_trail;    /* follow this one instead of a search */
    bool simulate, interactive; /* one run instead of a search; its steps chosen by the user */
    uint64_t seed, steps;       /* of the simulation; seed 0: none given */
    const struct options *shared;       /* where reports go */
    const struct search_engine *engine; /* ranks that search together, or NULL */
    const char *emit;                   /* write the generated C there */
    int tier; /* 0: both; 1: only the quick compiler; 2: only the optimising one */
};

enum violation {
    VIOLATION_NONE,
    VIOLATION_ASSERT,
    VIOLATION_END,
    VIOLATION_CLAIM,
    VIOLATION_ACCEPTANCE,
    VIOLATION_PROGRESS,
    VIOLATION_FAULT,
};

/* One step of a counter-example. */
struct trail_step {
    uint32_t pid, transition;
    uint32_t receive, partner; /* of a rendezvous, or NO_PARTNER */
    uint32_t claim;            /* claim transition before it, or NO_PARTNER */
};

struct trail {
    struct trail_step *steps;
    size_t room;
    uint32_t count;
    uint32_t cycle; /* index where a cycle starts; count: none */
    enum violation violation;
    uint32_t fault, fault_transition;
    int preemptions; /* none has fewer; -1: not known */
    int switches;    /* … and of those with as many, none has fewer of these; -1: not known */
    bool
        believed; /* read from a file: that this is forbidden is believed if it can't be seen */
};

#define LEVELS_KEPT   64
#define FAILURES_KEPT 32 /* of one search, with --keep-going */

struct level_row {
    int bound;
    uint64_t states, transitions; /* so far */
};

struct verifier {
    struct model *model;
    const struct model_options *options;
    struct shapes *shapes;
    struct step_code code;
    struct compiled *compiled;
    struct transition_info *transitions; /* by id */
    uint32_t transition_count;
    atomic_uchar *reached; /* by transition: it was taken; only where safety is searched */
    struct channel_users *channel_users;
    struct por_state **por;        /* by proctype and control state; NULL: no reduction */
    struct por_state **por_if_few; /* … where no run starts more than 255 processes; or NULL */
    bool assumes_few;              /* this search uses the latter, and watches whether it may */

    uint64_t states, transitions_seen;
    uint64_t depth, errors;
    size_t bytes;
    double started, seconds;
    bool truncated; /* some limit ended the search early */
    const char *truncated_by;
    const char *shortening_cut_by; /* what ended the search for the simplest failure, or NULL */
    bool shortening_hurried;       /* … a time that is shorter than the user's */
    int bound_reached;             /* highest bound searched in full, or -1 */
    bool bound_pruned;             /* something lies beyond that bound */
    struct level_row level[LEVELS_KEPT]; /* each bound that was finished */
    int levels;
    struct trail trail; /* of the first error, or of a simpler one found afterwards */
    struct trail other[FAILURES_KEPT - 1]; /* … of others than that, with --keep-going */
    int others;
    struct transition_info
        *other_transitions; /* that their numbers refer to; NULL: transitions */
    struct trail first;     /* the first one then, where C outside of the state is run */
    int needed; /* preemptions, where the one with the fewest could not be found again; or -1 */
    const char *not_simplified; /* … by which limit, or NULL */
    bool approximate;           /* hashes stood for states: some may have been missed */
    double missed;              /* how many, by expectation */
    const char *property;       /* name of the claim checked, or NULL: safety */
    atomic_bool *interrupted;
    uint64_t swarm_searches, swarm_least; /* … of a swarm, and the fewest states of one */
    struct live_line *live;               /* or NULL */
    bool shared;       /* this search is one that several threads can do together */
    struct crew *crew; /* whom to stop before the code is replaced, or NULL */
};

struct transition_info {
    const struct proctype *proctype;
    const struct transition *transition;
    int state;
};

/* A worker's view: the step structure and the memory that it writes to. */
struct expander {
    struct step step; /* first: services get the expander from it */
    struct verifier *verifier;
    uint8_t *arena;
    struct successor *list_base;
    size_t arena_size, list_size;
    uint32_t fault_pid; /* after expand: a fault outside any successor */
    uint32_t fault, fault_transition;
    uint8_t *middle;
};

/* Address space whose pages come as they are touched: *size bytes, or less where it is short.
 * Where it is limited (`ulimit -v`) only a small part of the limit: the rest of the search
 * needs the other. NULL: there is none. */
void *reserve_space(size_t *size);
bool expander_init(struct expander *expander, struct verifier *verifier);
void expander_free(struct expander *expander);
/* Successors of a state; records from step.list on, vectors from step.next on. */
uint32_t expander_all(struct expander *expander, const uint8_t *now, const struct shape *shape);
uint32_t expander_one(struct expander *expander, const uint8_t *now, const struct shape *shape,
                      uint32_t pid);
/* The initial state at step.next; its shape. */
const struct shape *expander_start(struct expander *expander);
/* True when every process may stop where it is (paper 001 calls the rest invalid end states).
 */
bool valid_end(const struct verifier *verifier, const uint8_t *now, const struct shape *shape);
uint32_t control_of(const struct verifier *verifier, const uint8_t *now,
                    const struct shape *shape, uint32_t pid);

/* compile.c */
bool code_load(struct verifier *verifier);
/* The C compiler: $CC, or cc. */
const char *code_compiler(void);
void code_unload(struct verifier *verifier);
/* The memory of embedded C as it was at first: a search or a run begins. */
void code_restart(struct verifier *verifier);
/* Take over faster code if it has become ready; cheap, call it now and then. */
void code_poll(struct verifier *verifier);

/* What is checked in one pass: nothing but safety, a claim, a formula, or cycles by labels. */
struct property {
    struct proctype *claim;
    const struct formula *formula;
    bool progress, acceptance;
};

/* Its name, or NULL for safety. */
const char *property_name(const struct property *property);
/* Automata, layout, code. False after a message. */
bool verifier_prepare(struct verifier *verifier, const struct property *property);
/* A verifier of the plain semantics, in which traces are followed. False after a message;
 * release it in any case. */
bool verifier_prepare_plain(struct verifier *plain, struct model_options *options,
                            const struct verifier *like, const struct property *property);
void verifier_release(struct verifier *verifier);

/* Searches. Each fills in the results. */
void search_reach(struct verifier *verifier);

/* True when the search must end: time, interrupt. Sets truncated. Shows how far it is. */
/* What a search that has come to the end of its slice says of itself. */
#define SLICE_IS_OVER "end of its slice"
/* Why the search has to end now, or NULL. Any worker may ask. */
const char *verifier_is_over(const struct verifier *verifier);
/* The same, now and then by one worker, which also takes the better code. No lock may be held
 * that others wait for: they are stopped for that. */
const char *verifier_why_stop(struct verifier *verifier, uint64_t states);
/* … and notes it in the verifier. */
bool verifier_must_stop(struct verifier *verifier, uint64_t states);
double verifier_clock(void);
/* Threads that may search: as asked for, one where the model's own C can't be shared. */
int verifier_jobs(const struct verifier *verifier);
void verifier_truncate(struct verifier *verifier, const char *by);
const struct transition_info *verifier_transition(const struct verifier *verifier, uint32_t id);

/* Is this failure unlike all that have a trail, and is there room for its own? The first one is
 * wanted always, others with --keep-going. */
bool verifier_wants(const struct verifier *verifier, enum violation violation,
                    uint32_t fault_transition);
/* The trail of a failure is about to be written to verifier->trail, and has been. */
struct trail verifier_set_first_aside(struct verifier *verifier);
void verifier_keep_trail(struct verifier *verifier, struct trail first);
void trail_add(struct trail *trail, struct trail_step step);
void trail_free(struct trail *trail);

#endif
