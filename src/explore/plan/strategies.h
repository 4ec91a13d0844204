/* What the strategies say about themselves: names, traits, a line of help each.
 *
 * Whoever needs to know something about a strategy asks for a trait; no code outside
 * src/explore compares names. A new strategy is its file and a row in strategies.c. */
#ifndef MAZUR_EXPLORE_STRATEGIES_H
#define MAZUR_EXPLORE_STRATEGIES_H

#include <stdbool.h>

struct search_options;

enum strategy_trait {
    STRATEGY_SAMPLES = 1 << 0,  /* never covers anything for certain; takes no bound */
    STRATEGY_ITERATES = 1 << 1, /* BOUND_AUTO means 0, 1, 2, …; without this trait: no bound */
    STRATEGY_DELAYS = 1 << 2,   /* the bound that is iterated is the delay bound (--delay) */
    STRATEGY_REPLAYS = 1 << 3,  /* it is asked in the middle of atomic sections too */
    STRATEGY_UNBOUNDED = 1 << 4, /* BOUND_NONE means no bound, also with STRATEGY_ITERATES */
    STRATEGY_REDUCES = 1 << 5,   /* leaves interleavings out that it takes to be equivalent: it
                                    relies on seeing all that threads do to each other */
    STRATEGY_COUNTS = 1 << 6,    /* runs every trace within a bound: --count-traces is exact */
    STRATEGY_STATEFUL = 1 << 7,  /* compares states (search_options.states): it covers what
                                    threads can be in, not every trace, and can't be resumed */
    STRATEGY_TAKES_FAIR = 1 << 8,
    STRATEGY_TAKES_CSB = 1 << 9,
    STRATEGY_TAKES_CACHE = 1 << 10, /* --cache-states */
    STRATEGY_TAKES_PCT_DEPTH = 1 << 11,
    STRATEGY_TAKES_SEED = 1 << 12,
};

/* Does the strategy have this trait? A name that is not in the table (from a trace file, say)
 * has those that promise least: it samples and reduces. */
bool strategy_has(const char *name, enum strategy_trait trait);

bool strategy_is_known(const char *name);
/* Does a search with these options turn back at states that it has seen? */
bool search_compares_states(const struct search_options *options);

/* The i-th strategy that --strategy takes, in the order of the manual; NULL: no more. */
const char *strategy_name(int i);
/* What it does, in a line. */
const char *strategy_help(int i);
/* The names with a trait, except the alias `auto`: "a", "a or b", "a, b or c". Cut to fit. */
void strategy_names(enum strategy_trait trait, char *text, unsigned long size);

#endif
