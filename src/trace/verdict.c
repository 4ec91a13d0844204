/* See verdict.h. */
#include "trace/verdict.h"

#include <string.h>

#include "host/exit_codes.h"

static const struct {
    const char *name;
    const char *title;
    enum exit_code exit_code;
} verdicts[FAILURE_KINDS] = {
    [FAILURE_NONE] = {"passed", "no failure", EXIT_NOTHING_FOUND},
    [FAILURE_ASSERTION] = {"assertion", "assertion failed", EXIT_FAILED},
    [FAILURE_CRASH] = {"crash", "crash", EXIT_FAILED},
    [FAILURE_EXIT] = {"exit", "bad exit status", EXIT_FAILED},
    [FAILURE_EXCEPTION] = {"exception", "uncaught exception", EXIT_FAILED},
    [FAILURE_DEADLOCK] = {"deadlock", "deadlock", EXIT_DEADLOCK},
    [FAILURE_LIVELOCK] = {"livelock", "livelock", EXIT_LIVELOCK},
    [FAILURE_HANG] = {"hang", "hang", EXIT_HANG},
    [FAILURE_NONDETERMINISM] = {"nondeterminism", "nondeterminism", EXIT_NONDETERMINISM},
    [FAILURE_INVALID] = {"invalid-test", "invalid test", EXIT_INVALID},
    [FAILURE_RACE] = {"data-race", "data race", EXIT_RACE},
    [FAILURE_MEMORY] = {"memory-error", "memory error", EXIT_MEMORY},
    [FAILURE_MISUSE] = {"misuse", "misuse of a synchronisation object", EXIT_MISUSE},
    [FAILURE_LINEARIZABILITY] = {"not-linearizable", "not linearizable", EXIT_NOT_LINEARIZABLE},
    [FAILURE_STORE_BUFFER] = {"store-buffer", "store buffer", EXIT_RACE},
    [FAILURE_INTERNAL] = {"internal-error", "internal error of Mazur", EXIT_INTERNAL},
    [FAILURE_KILLED] = {"killed", "killed from outside", EXIT_INTERNAL},
    [FAILURE_LIMIT] = {"limit", "a limit of the machine", EXIT_INTERNAL},
    [FAILURE_END_STATE] = {"invalid-end-state", "invalid end state", EXIT_DEADLOCK},
    [FAILURE_CLAIM] = {"claim", "claim violated", EXIT_LIVELOCK},
    [FAILURE_ACCEPTANCE] = {"acceptance-cycle", "acceptance cycle", EXIT_LIVELOCK},
    [FAILURE_PROGRESS] = {"non-progress-cycle", "non-progress cycle", EXIT_LIVELOCK},
    [FAILURE_MODEL] = {"error", "error in the model", EXIT_FAILED},
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
