/* How many executions will the current bound take?
 *
 * Knuth's estimator (Math. of Comp. 29, 1975) gives an execution the weight 1 / Π (number of
 * alternatives at each branch of its path). Over all executions of a tree the weights sum to
 * 1, so in a systematic search the sum over those done so far is the explored fraction, and
 * executions / fraction is an estimate that corrects itself and ends at the true number. */
#ifndef MAZUR_EXPLORE_ESTIMATE_H
#define MAZUR_EXPLORE_ESTIMATE_H

#include <stdint.h>

struct estimate {
    uint64_t before; /* executions of the earlier bounds */
    double fraction; /* of this bound, explored */
};

void estimate_begin(struct estimate *estimate, uint64_t executions);
/* An execution ended, with any outcome; `weight` 0 if its strategy does not know. */
void estimate_add(struct estimate *estimate, double weight);
/* Total executions at the end of this bound, given those run so far; 0: unknown. */
double estimate_total(const struct estimate *estimate, uint64_t executions);

#endif
