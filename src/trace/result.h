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

/* Models: one of several searches, with its outcome. */
struct result_pass {
    const char *property; /* claim, formula or kind of cycle; NULL: safety */
    const char *formula;  /* its text, or NULL */
    const char *verdict;  /* as of the result, or "not-checked" */
    uint64_t states, transitions;
    const char *truncated_by; /* or NULL */
    double seconds;
};

/* Models: a statement that no state of the search has taken. */
struct unreached_statement {
    const char *process; /* the proctype */
    const char *statement;
    struct source_place place;
};

struct result {
    struct arena arena;
    const char *program; /* short name */
    enum search_end end;
    double seconds;
    bool cached; /* it is an earlier one, of the same program (--cache) */
    bool require_complete;
    bool count_traces;    /* report the number of traces within each bound */
    bool count_states;    /* report the happens-before states visited */
    bool alone;           /* the program started no thread */
    char *resume;         /* the command that resumes the search, or NULL */
    const char *not_kept; /* why there is none, or NULL */
    bool claims_left_out; /* the model has claims that this search did not check */
    struct coverage coverage;
    size_t npasses; /* models: in the order in which they were run */
    struct result_pass *pass;
    bool unreached_known; /* a search for safety looked for them */
    size_t nunreached;
    struct unreached_statement *unreached;
    size_t nfailures;
    struct trace **failure;
};

struct result *result_new(const char *program);
void result_add(struct result *result, struct trace *trace); /* takes ownership of the trace */
void result_free(struct result *result);
/* Append a pass; texts are copied. */
void result_add_pass(struct result *result, const struct result_pass *pass);
/* A row of another result. */
struct unreached_statement unreached_copy(struct arena *arena,
                                          const struct unreached_statement *row);

/* Decide what the result may claim, from the search's statistics and the reasons. Called once,
 * when all reasons are known. */
void coverage_decide(struct coverage *coverage);
/* Was everything within the requested bound searched? */
bool result_bound_complete(const struct result *result);
/* "searched", "time", …: as JSON has it; and the inverse, -1: unknown. */
const char *result_end_name(enum search_end end);
int result_end_from_name(const char *name);
/* "passed", "nothing-found", "incomplete", or the first failure's name. */
const char *result_verdict(const struct result *result);
int result_exit_code(const struct result *result);
/* The coverage sentence: "all executions with ≤ 2 preemptions (…)", "complete: every
 * interleaving, …"; malloc'd. It also holds for a search that was cut. */
char *coverage_sentence(const struct coverage *coverage);
/* What weakens the claim, in a few words each; appended to `list`. */
void coverage_weaknesses(const struct coverage *coverage, struct text_list *list);

#endif
