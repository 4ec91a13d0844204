/* A search of a model whose states are spread over several processes, the ranks: safety, plain
 * or by bounds. The benefit is memory: each rank stores its share.
 *
 * A state belongs to the rank that its hash names (wire.h). A rank expands the states that it
 * owns, in the order in which it met them, and sends successors to their owners in batches; an
 * owner stores what is new. Everything that arrives is stored at once and sends nothing, so a
 * rank that can't send goes on receiving, and nobody waits for anybody:
 *
 *      turn:   receive all ─▶ expand a few ─▶ send full batches         (no work: all batches)
 *
 * To find out when no rank works and no message is under way, the first rank asks all for the
 * number of batches sent and received, twice (lead.c; Mattern 1987, "four counters"). The same
 * question ends a bound, and stands before a checkpoint, for which the ranks stop expanding.
 *
 * Reduction: none. The rule of the other searches asks at once whether a successor was entered
 * (search_reach.c), and that successor may be elsewhere.
 *
 * Bounds are those of search_bound.c, with a barrier after each: what arrives there is met by
 * the owner, at the level that the batch names. A rank may hear of the next level by the first
 * batch of it, before it hears so from the first rank.
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
    uint32_t pids;      /* room for processes, with a bound: LABEL_FEW or LABEL_MANY */
    level_done *done;   /* called on the first rank after each bound; or NULL */
    void *context;
};

/* One rank. NULL: no memory, or the checkpoint can't be read (after a message). */
struct spread_rank *spread_create(struct verifier *verifier, const struct spread_net *net,
                                  const struct spread_setup *setup);
void spread_free(struct spread_rank *spread);
/* Does what there is to do now; false: nothing, until a message comes. */
bool spread_turn(struct spread_rank *spread);
bool spread_is_over(const struct spread_rank *spread);
/* When it is over: the results of all ranks, on the first rank; false: a process had a number
 * for which there was no room (on all ranks): search again with LABEL_MANY. */
bool spread_finish(struct spread_rank *spread);

/* What a model and the way it is searched are, in one word, to be compared between ranks and
 * with a checkpoint. 0: no memory. */
uint64_t spread_identity(const struct verifier *verifier);
/* The state that the search by bounds and this one may not share: why can't this model be
 * spread? NULL: it can. */
const char *spread_refusal(const struct verifier *verifier);

#endif
