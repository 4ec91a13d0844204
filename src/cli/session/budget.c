/* See budget.h. */
#include "cli/session/budget.h"

#include "base/must.h"
#include "cli/watch/supervise.h"

#define SEARCH_SHARE     0.8  /* with --keep-going */
#define SIMPLIFY_SECONDS 10.0 /* for all failures together, see simplify_failure.c */
#define SIMPLIFY_SHARE   0.8  /* of what is left for one failure; the rest is to record it */
#define RECORD_SECONDS   5.0  /* at least */
#define AT_ONCE          1e-3 /* a limit of 0 would be none */

struct budget budget_open(double time, bool keep_going)
{
    return (struct budget){.time = time, .started = clock_seconds(), .keep_going = keep_going};
}

static double seconds_left(const struct budget *budget)
{
    return budget->time - (clock_seconds() - budget->started);
}

double budget_search(const struct budget *budget)
{
    if (budget->time <= 0)
        return 0;
    double share = budget->keep_going ? SEARCH_SHARE : 1;
    double left = share * budget->time - (clock_seconds() - budget->started);
    return left > AT_ONCE ? left : AT_ONCE;
}

double budget_simplify(const struct budget *budget, size_t failures)
{
    must(failures > 0);
    double most = SIMPLIFY_SECONDS - budget->simplifying;
    if (budget->time <= 0)
        return most;
    double share = SIMPLIFY_SHARE * seconds_left(budget) / (double)failures;
    return share < most ? share : most;
}

double budget_record(const struct budget *budget, size_t failures)
{
    must(failures > 0);
    if (budget->time <= 0)
        return 0;
    double share = seconds_left(budget) / (double)failures;
    return share > RECORD_SECONDS ? share : RECORD_SECONDS;
}
