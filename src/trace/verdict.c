/* See verdict.h. */
#include "trace/verdict.h"

#include <string.h>

static const struct {
    const char *name;
    const char *title;
    int exit_code;
} verdicts[FAILURE_KINDS] = {
    [FAILURE_NONE] = {"passed", "no failure", 0},
    [FAILURE_ASSERTION] = {"assertion", "assertion failed", 1},
    [FAILURE_CRASH] = {"crash", "crash", 1},
    [FAILURE_EXIT] = {"exit", "bad exit status", 1},
    [FAILURE_EXCEPTION] = {"exception", "uncaught exception", 1},
    [FAILURE_DEADLOCK] = {"deadlock", "deadlock", 2},
    [FAILURE_LIVELOCK] = {"livelock", "livelock", 3},
    [FAILURE_HANG] = {"hang", "hang", 4},
    [FAILURE_NONDETERMINISM] = {"nondeterminism", "nondeterminism", 5},
    [FAILURE_INVALID] = {"invalid-test", "invalid test", 6},
    [FAILURE_RACE] = {"data-race", "data race", 7},
    [FAILURE_MEMORY] = {"memory-error", "memory error", 11},
    [FAILURE_MISUSE] = {"misuse", "misuse of a synchronisation object", 12},
    [FAILURE_LINEARIZABILITY] = {"not-linearizable", "not linearizable", 9},
    [FAILURE_STORE_BUFFER] = {"store-buffer", "store buffer", 7},
    [FAILURE_INTERNAL] = {"internal-error", "internal error of Mazur", 70},
    [FAILURE_KILLED] = {"killed", "killed from outside", 70},
    [FAILURE_LIMIT] = {"limit", "a limit of the machine", 70},
    [FAILURE_END_STATE] = {"invalid-end-state", "invalid end state", 2},
    [FAILURE_CLAIM] = {"claim", "claim violated", 3},
    [FAILURE_ACCEPTANCE] = {"acceptance-cycle", "acceptance cycle", 3},
    [FAILURE_PROGRESS] = {"non-progress-cycle", "non-progress cycle", 3},
    [FAILURE_MODEL] = {"error", "error in the model", 1},
};

static enum failure_kind bounded(enum failure_kind kind)
{
    return (unsigned)kind < FAILURE_KINDS ? kind : FAILURE_INTERNAL;
}

const char *failure_name(enum failure_kind kind)
{
    return verdicts[bounded(kind)].name;
}

const char *failure_title(enum failure_kind kind)
{
    return verdicts[bounded(kind)].title;
}

int failure_exit_code(enum failure_kind kind)
{
    return verdicts[bounded(kind)].exit_code;
}

bool failure_is_outside(enum failure_kind kind)
{
    return kind == FAILURE_INTERNAL || kind == FAILURE_KILLED || kind == FAILURE_LIMIT;
}

enum failure_kind failure_from_name(const char *name)
{
    for (int kind = FAILURE_NONE + 1; kind < FAILURE_KINDS; kind++)
        if (strcmp(verdicts[kind].name, name) == 0)
            return (enum failure_kind)kind;
    return FAILURE_NONE;
}
