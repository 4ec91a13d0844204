/* --shard: divides the search, in the same way in every shard and without communication.
 *
 *     the whole search ── the end of a bound with DIVIDE_LEAST executions ──▶ give part after
 *                         part ──▶ the heaviest leaf: the same again ──▶ … ──▶ deal them
 *
 * The place where the search stops to be divided depends on counts, never on time, and so do
 * the weights: the number of executions in the bound that was finished. In the middle of a
 * bound (in a search without bounds, or in a very large first bound) weights are guesses: each
 * part is half of what is left. The shard that gets a leaf repeats what was run of it until
 * then. */
#ifndef MAZUR_CLI_DIVISION_H
#define MAZUR_CLI_DIVISION_H

#include "cli/jobs/dispatch.h"
#include "cli/jobs/shards.h"

struct jobs;

struct shard_division {
    struct shard_leaf *leaf;
    size_t count;
    size_t divided;             /* leaves that were divided, or could not be */
    int current;                /* that is being divided; -1: the whole search */
    uint32_t parts;             /* of it, so far */
    bool giving;                /* it has reached the place to divide */
    bool guesses;               /* in the middle of a bound */
    double rest;                /* a guess: what is left of it */
    struct search_stats before; /* of the whole search */
};

void division_reset(struct shard_division *division);
/* Sets where the child stops to be divided (board_config.divide_least). */
void division_configure(const struct shard_division *division, struct board_config *config);
/* Worker 0 searches what is to be divided. COURSE_OVER: the leaves are dealt. */
enum course division_look(struct jobs *jobs);

#endif
