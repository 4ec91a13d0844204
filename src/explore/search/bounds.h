/* What a search may claim after a finished bound. A search in one process and the sum of its
 * leaves (strategy/leaf.h) use the same few lines, so that they claim the same. */
#ifndef MAZUR_EXPLORE_BOUNDS_H
#define MAZUR_EXPLORE_BOUNDS_H

#include "explore/claim/claim.h"
#include "explore/strategy/search_options.h"

/* Nothing is left within stats->bound: adds its row, or marks the search as complete, as far as
 * the reasons allow. True: something was left out because of the bound. */
bool bound_close(struct search_stats *stats, struct claim *claim);

/* Adds the counts of a leaf to a sum. Rows, bounds and `complete` are not added. */
void bound_add_leaf(struct search_stats *sum, const struct search_stats *leaf);

#endif
