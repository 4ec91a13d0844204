/* What the files of a spread search share: the state of one rank, and what only the first rank
 * has. */
#ifndef MAZUR_PROMELA_SPREAD_INSIDE_H
#define MAZUR_PROMELA_SPREAD_INSIDE_H

#include <stdio.h>

#include "host/buffer.h"
#include "promela/search/labels.h"
#include "promela/search/retrace.h"
#include "promela/search/team.h"
#include "promela/spread/spread_messages.h"
#include "promela/spread/spread.h"
#include "promela/spread/wire.h"

/* In front of a state's label. */
struct origin {
    uint32_t number; /* of the state it was reached from, or NOWHERE */
    uint16_t rank;
} __attribute__((packed));

/* What a visit takes, if not the steps of one process. */
#define VISIT_ANYBODY  0x100u /* all steps */
#define VISIT_PREEMPTS 0x101u /* those of the processes that did not reach the state */
#define VISIT_NOBODY   0xffffu

/* A task: expand a state, for the process that reached it. */
struct rank_visit {
    uint32_t number, depth, what;
};

struct visits {
    struct rank_visit *data;
    size_t first, count, room; /* from `first` on */
};

struct pending_step {
    size_t at; /* of the vector in the pool */
    const struct shape *shape;
    uint32_t fault, fault_transition;
    uint32_t first_pid, first_partner, last_pid, last_partner;
    bool elsewhere;
};

struct told_state {
    uint8_t *vector;
    const struct shape *shape;
};

/* What only the first rank has. */
struct lead {
    enum lead_phase {
        LEAD_SEARCHES,
        LEAD_PAUSES,  /* … until everybody has stopped expanding */
        LEAD_SAVES,   /* … until everybody has written the checkpoint */
        LEAD_STOPS,   /* … until nothing is under way any more */
        LEAD_TRACES,  /* asks for the states on the way to the failure */
        LEAD_GATHERS, /* … the results */
        LEAD_IS_OVER,
    } phase;
    uint64_t round;
    int answers;                /* that came in this round, or to the last order */
    bool asking;                /* a round is under way */
    struct spread_message sum;  /* … of it so far */
    struct spread_message last; /* of the round before; not idle: nothing follows from it */
    uint64_t turns;
    double next_round, next_checkpoint;
    uint64_t generation;
    struct spread_message before; /* totals of the level before */
    struct failure failure;
    int failed_rank;
    uint32_t failed_at;
    int asked_rank; /* the rank to ask next; -1: an answer is awaited */
    uint32_t asked;
    struct told_state *told; /* the way to the failure, last state first */
    size_t told_count, told_room;
    struct spread_message total; /* of the farewells */
    bool more_pids, look_beyond;
};

struct spread_rank {
    struct verifier *verifier;
    struct spread_net net;
    struct spread_setup setup;
    struct crew crew; /* of one */
    struct store *store;
    struct store_writer *writer;
    struct macro_expander macro;
    struct wire wire;
    bool bounded;
    uint32_t label_size;
    /* the state being expanded */
    uint32_t current, depth;
    const struct shape *shape;
    uint8_t *vector;
    uint64_t *key;
    /* one that arrives */
    uint8_t *arriving;
    uint64_t *arriving_key;

    struct visits visits;
    uint32_t *reached, *before; /* states of this level, and of the one before */
    size_t reached_count, reached_room, before_count, before_room;
    struct pending_step *held;
    uint32_t held_count, held_room;
    uint8_t *pool;
    size_t pool_size, pool_room;

    int level;
    bool resumed, paused, stopped, over, more_pids;
    const char *halted; /* why, told to the first rank; or NULL */
    uint64_t sent, received, states, transitions, errors, deepest, expanded;
    uint64_t numbers_hash; /* of the numbers of all states, in the order in which they came */
    struct pace pace;
    struct journal *journal; /* checkpoints, or NULL */
    struct lead lead;
};

/* spread.c */
void spread_order(struct spread_rank *spread, const struct spread_message *message);
void spread_halt(struct spread_rank *spread, const char *why);
/* To that rank, or to this one. */
void spread_tell(struct spread_rank *spread, int to, struct spread_message message);
struct spread_message spread_counts(const struct spread_rank *spread);
struct origin spread_origin(const struct spread_rank *spread, uint32_t number);
/* Tells the first rank which state that is. */
void spread_answer(struct spread_rank *spread, uint32_t number);
void spread_fetch(struct spread_rank *spread, uint32_t number);
/* The label of a state: only with a bound. */
struct state_label *spread_label(const struct spread_rank *spread, uint32_t number);
/* Stores a state that this rank owns; *fresh: it is new. False: no room. */
bool spread_add(struct spread_rank *spread, const uint8_t *vector, uint32_t size,
                const uint8_t *parent, uint32_t parent_size, const uint64_t *parent_key,
                uint32_t *number, bool *fresh);
bool spread_push(struct spread_rank *spread, struct rank_visit visit);

/* spread_steps.c: steps of one state, with a bound or without. */
void hold_or_send(void *context, const struct macro *m);
void arrive_with(struct spread_rank *spread, uint32_t number, bool fresh,
                 struct wire_state state);
void visit_state(struct spread_rank *spread, struct rank_visit visit);
/* Is there a step beyond the last level? */
bool steps_beyond(struct spread_rank *spread);
void begin_level(struct spread_rank *spread, int level);

/* lead.c: what the first rank does besides. */
void lead_start(struct spread_rank *spread);
bool lead_turn(struct spread_rank *spread);
void lead_hear(struct spread_rank *spread, int from, const struct spread_message *message,
               const uint8_t *rest, size_t size);
void lead_finish(struct spread_rank *spread);
void lead_free(struct lead *lead);

/* spread_checkpoint.c */
struct journal *journal_open(struct spread_rank *spread);
void journal_close(struct journal *journal);
void journal_add(struct journal *journal, const uint8_t *vector, uint32_t size);
/* Is there a checkpoint, and was it restored? *message: why not. */
bool journal_load(struct spread_rank *spread, bool *found);
bool journal_save(struct spread_rank *spread, uint64_t generation);
/* On the first rank: this generation is complete. */
bool journal_commit(struct spread_rank *spread, uint64_t generation);
uint64_t journal_generation(const struct journal *journal);

#endif
