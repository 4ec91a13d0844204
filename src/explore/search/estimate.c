/* The estimate of what is left (estimate.h). */
#include "explore/search/estimate.h"

void estimate_begin(struct estimate *estimate, uint64_t executions)
{
    estimate->before = executions;
    estimate->fraction = 0;
}

void estimate_add(struct estimate *estimate, double weight)
{
    estimate->fraction += weight;
    if (estimate->fraction > 1)
        estimate->fraction = 1;
}

double estimate_total(const struct estimate *estimate, uint64_t executions)
{
    if (estimate->fraction <= 0)
        return 0;
    return (double)estimate->before +
           (double)(executions - estimate->before) / estimate->fraction;
}
