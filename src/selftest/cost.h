/* What a visible operation costs in each strategy, without a program: the search alone. */
#ifndef MAZUR_SELFTEST_COST_H
#define MAZUR_SELFTEST_COST_H

#include <stdint.h>

struct cost_options {
    int threads;
    uint32_t length;     /* operations of one execution */
    uint32_t objects;    /* shared ones */
    uint32_t executions; /* to run */
};

/* Nanoseconds per operation, negative when the strategy is unknown. */
double cost_of(const char *strategy, const struct cost_options *options);

#endif
