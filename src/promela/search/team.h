/* What all searches by several workers over one store share, whatever their order.
 *
 *      team ── crew, pool of work, store, first failure
 *        └── member, one per worker: expander, writer, the state that it expands, counts
 *
 * Invariant: `failure` and the verifier's results change only under `lock`, or while no worker
 * runs. */
#ifndef MAZUR_PROMELA_TEAM_H
#define MAZUR_PROMELA_TEAM_H

#include "promela/search/retrace.h"
#include "promela/search/work.h"
#include "promela/store/store.h"

#define NOWHERE 0xffffffffu /* not the number of any state */

/* A failure, and the state that it is a step from. */
struct failed_state {
    struct failure failure;
    uint32_t at;
    int preemptions; /* -1: not known */
};

struct team {
    struct verifier *verifier;
    struct crew crew;
    struct work pool;
    struct store *store;
    atomic_bool stop;
    pthread_mutex_t lock;
    struct failed_state failed[FAILURES_KEPT]; /* the first one, and with --keep-going others */
    uint32_t failures;
};

struct member {
    struct team *team;
    struct macro_expander macro;
    struct store_writer *writer;
    uint64_t transitions, errors, deepest;
    /* the state being expanded */
    uint32_t current;
    const struct shape *shape;
    uint8_t *vector;
    uint64_t *key;
};

/* Makes as many workers as the verifier may have, with `extra` bytes per state for the search.
 * False: no memory; free the team in any case. */
bool team_init(struct team *team, struct verifier *verifier, uint32_t extra);
void team_free(struct team *team);
/* `emit` gets the steps of the state being expanded, and `context`. False: no memory. */
bool member_init(struct member *member, struct team *team, int number, macro_emit *emit,
                 void *context);
void member_free(struct member *member);

/* A limit ends the search. */
void team_halt(struct team *team, const char *why);
/* Called by one worker from time to time: does the search use too much memory or time?
 */
void team_check_limits(struct team *team, size_t bytes);
/* Note how much memory the search takes. */
void team_note_bytes(struct team *team, size_t bytes);

/* Adds the initial state. False: there is no room for it, so the search must end. */
bool member_start(struct member *member, uint64_t *key, uint32_t *number);
/* Makes that stored state the one being expanded. */
void member_fetch(struct member *member, uint32_t number);
/* Reports a failure in the state being expanded, with so many preemptions; -1: unknown. */
void member_fail(struct member *member, struct failure failure, int preemptions);
/* More work from the others, to be freed; NULL: there is none. */
struct portion *member_take_work(struct member *member);

/* When all workers are done: adds the member's errors, depth and limits to the results. */
void member_finish(const struct member *member);
/* Writes the paths to the failures, if any, to the verifier's trails. */
void team_show_failures(struct team *team, struct member *member);

#endif
