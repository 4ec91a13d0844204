/* The result of a search, as every output format sees it: how it ended, what it covered, and
 * the failing executions. */
#ifndef MAZUR_TRACE_RESULT_H
#define MAZUR_TRACE_RESULT_H

#include "trace/trace.h"

enum search_end {
    ENDED_SEARCHED,    /* nothing was left to search within the bounds */
    ENDED_TIME,        /* --time */
    ENDED_EXECS,       /* --execs */
    ENDED_INTERRUPTED, /* Ctrl-C */
    ENDED_FAILURE,     /* stopped at a failure */
};

struct result {
    struct arena arena;
    const char *program; /* short name */
    enum search_end end;
    double seconds;
    bool require_complete;
    bool count_traces;    /* report the number of traces within each bound */
    bool alone;           /* the program started no thread */
    char *resume;         /* the command that resumes the search, or NULL */
    const char *not_kept; /* why there is none, or NULL */
    bool claims_left_out; /* the model has claims that this search did not check */
    struct coverage coverage;
    size_t nfailures;
    struct trace **failure;
};

struct result *result_new(const char *program);
void result_add(struct result *result, struct trace *trace); /* takes ownership of the trace */
void result_free(struct result *result);

/* Decide what the result may claim, from the search's statistics and the reasons. Called once,
 * when all reasons are known. */
void coverage_decide(struct coverage *coverage);
/* Was everything within the requested bound searched? */
bool result_bound_complete(const struct result *result);
/* "passed", "nothing-found", "incomplete", or the first failure's name. */
const char *result_verdict(const struct result *result);
int result_exit_code(const struct result *result);
/* The coverage sentence: "all executions with ≤ 2 preemptions (…)", "complete: every
 * interleaving, …"; malloc'd. It is true also of a search that was cut. */
char *coverage_sentence(const struct coverage *coverage);
/* What weakens the claim, in a few words each; appended to `list`. */
void coverage_weaknesses(const struct coverage *coverage, struct text_list *list);

#endif
