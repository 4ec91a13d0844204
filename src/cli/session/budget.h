/* How --time is shared out: it bounds the whole run (compiling is not part of it).
 *
 *     |──────────── search ────────────|─ simplify ─|─ record ─|
 *
 * A search that goes on after a failure (--keep-going) leaves a fifth for what comes after it;
 * one that stops at the first leaves what is left. The simplest form of a failure is looked for
 * as long as there is time, for ten seconds at most. Each failure is then run once more, since
 * a failure that can't be shown is worth little: that may take a few seconds beyond. */
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
