/* A search for safety whose states are spread over several processes, the ranks, with or
 * without bounds. The benefit is memory: each rank stores its share.
 *
 * A state belongs to the rank that its hash selects (wire.h). A rank expands the states that it
 * owns, in the order in which they arrived, and sends successors to their owners in batches; an
 * owner stores the new ones. Everything that arrives is stored at once and causes no message,
 * so a rank that can't send continues to receive, and no rank waits for another:
 *
 *      turn:   receive all ─▶ expand a few ─▶ send full batches         (no work: all batches)
 *
 * To find out whether all ranks are idle and no message is under way, the first rank asks all
 * of them, twice, how many batches they have sent and received (lead.c; Mattern 1987, "four
 * counters"). The same question ends a bound, and comes before a checkpoint, for which the
 * ranks stop expanding.
 *
 * There is no reduction. The rule of the other searches needs to know at once whether a
 * successor was entered (search_reach.c), but the successor may belong to another rank.
 *
 * Bounds work as in search_bound.c, with a barrier after each. A state that arrives is reached
 * at the level that its batch names. A rank may learn of the next level from its first batch,
 * before the first rank announces it.
 *
 * A failure is shown by its lineage: each state keeps the rank and the number of the state that
 * it was first reached from. */
#ifndef MAZUR_PROMELA_SPREAD_H
#define MAZUR_PROMELA_SPREAD_H

#include "promela/search/levels.h"
#include "promela/spread/transport.h"

struct spread_rank;

struct spread_setup {
    const char *folder; /* for checkpoints; NULL: none are made */
    double every;       /* seconds between two */
    bool resume;        /* go on from the last one in the folder */
    uint32_t pids; /* number of processes that labels have room for, with a bound: LABEL_FEW or
                      LABEL_MANY */
    level_done *done; /* called on the first rank after each bound; or NULL */
    void *context;
};

/* One rank. NULL: no memory, or the checkpoint can't be read (after a message). */
struct spread_rank *spread_create(struct verifier *verifier, const struct spread_net *net,
                                  const struct spread_setup *setup);
void spread_free(struct spread_rank *spread);
/* Begins, once all ranks have been created. */
void spread_start(struct spread_rank *spread);
/* Does some work. False: there is none until a message arrives. */
bool spread_turn(struct spread_rank *spread);
bool spread_is_over(const struct spread_rank *spread);
/* At the end: the results of all ranks, on the first rank. False, on all ranks: a process had a
 * number for which there was no room; search again with LABEL_MANY. */
bool spread_finish(struct spread_rank *spread);

/* A hash of the model and of the way it is searched, to compare between ranks and with a
 * checkpoint. 0: no memory. */
uint64_t spread_identity(const struct verifier *verifier);
/* Why can't this model be searched this way? NULL: it can. */
const char *spread_refusal(const struct verifier *verifier);

#endif
