/* What the strategies say about themselves: names, traits, a line of help each.
 *
 * Code that needs to know something about a strategy asks for a trait; no code outside
 * src/explore compares names. A new strategy is its file and a row in strategy/strategies.def.
 */
#ifndef MAZUR_EXPLORE_STRATEGIES_H
#define MAZUR_EXPLORE_STRATEGIES_H

#include "explore/strategy/strategy.h"

/* Does the strategy have this trait? A name that is not in the table (from a trace file, say)
 * has the traits that promise least: it samples and reduces. */
bool strategy_has(const char *name, enum strategy_trait trait);

bool strategy_is_known(const char *name);
bool strategy_is(const struct search_options *options, const struct strategy_ops *ops);
/* The search keeps the index, not the pointer. */
const struct strategy_ops *strategy_by_index(int index);
int strategy_index(const char *name); /* -1: unknown */
/* Does a search with these options prune at states that it has seen? */
bool search_compares_states(const struct search_options *options);

/* The i-th strategy that --strategy takes, in the order of the manual; NULL: no more. */
const char *strategy_name(int i);
/* What it does, in a line. */
const char *strategy_help(int i);
/* The names with a trait, except the alias `auto`: "a", "a or b", "a, b or c". Cut to fit. */
void strategy_names(enum strategy_trait trait, char *text, unsigned long size);

#endif
