/* Strategy `auto`, and every hand-over from one strategy to another: which strategy searches,
 * and which one continues where a strategy can't or should not. The rules are in auto.c and
 * nowhere else. */
#ifndef MAZUR_EXPLORE_AUTO_H
#define MAZUR_EXPLORE_AUTO_H

#include "explore/search/search.h"

/* Replace the name "auto" in the options by a strategy. `sees_memory`: the world shows every
 * way in which threads can interact. */
void auto_settle(struct search_options *options, bool sees_memory);

/* Between executions of a search that auto_settle() chose: has it grown too large? True: the
 * options name another strategy now, which must start from the beginning. */
bool auto_reconsider(struct search_options *options, uint64_t memory);

/* The program does something that no reduction supports. True: the options now name a strategy
 * without reduction, which must start from the beginning; false: they already did. */
bool auto_leave_reductions(struct search_options *options);

/* Sets the options to run every execution, whatever was requested: used to find serial
 * histories (history.c). */
void auto_search_all(struct search_options *options);

#endif
