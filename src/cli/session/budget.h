/* How --time is divided. It limits the whole run, without compilation.
 *
 *     |──────────── search ────────────|─ simplify ─|─ record ─|
 *
 * A search that continues after a failure (--keep-going) leaves a fifth of the time for the
 * rest; one that stops at the first failure leaves what remains. Simplification may use the
 * remaining time, up to ten seconds. Then each failure is run again: a failure that can't be
 * shown is worth little, so this may exceed the limit by a few seconds. */
#ifndef MAZUR_CLI_BUDGET_H
#define MAZUR_CLI_BUDGET_H

#include <stdbool.h>
#include <stddef.h>

struct budget {
    double time;        /* --time in seconds, 0: no limit */
    double started;     /* clock_seconds() when the search began */
    double simplifying; /* seconds spent on it so far */
    bool keep_going;
};

struct budget budget_open(double time, bool keep_going);
/* Seconds that the search may still take; 0: no limit. */
double budget_search(const struct budget *budget);
/* Seconds for the simplest form of one of `failures` that are still to be shown; may be ≤ 0. */
double budget_simplify(const struct budget *budget, size_t failures);
/* Seconds for running one of `failures` once more; 0: no limit. */
double budget_record(const struct budget *budget, size_t failures);

#endif
