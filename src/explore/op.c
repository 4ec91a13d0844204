/* Names of operations, one table for both directions. */
#include "explore/op.h"

#include <stddef.h>

/* Indexed by enum op_kind. The names are part of the trace file format: never change one. */
static const char *const names[OP_KINDS] = {
    [OP_NONE] = "none",
    [OP_START] = "start",
    [OP_THREAD_EXIT] = "thread-exit",
    [OP_CREATE] = "create",
    [OP_JOIN] = "join",
    [OP_DETACH] = "detach",
    [OP_PROCESS_EXIT] = "exit",
    [OP_LOAD] = "load",
    [OP_STORE] = "store",
    [OP_RMW] = "rmw",
    [OP_CAS] = "cas",
    [OP_PLAIN_READ] = "read",
    [OP_PLAIN_WRITE] = "write",
    [OP_MUTEX_LOCK] = "lock",
    [OP_MUTEX_TRYLOCK] = "trylock",
    [OP_MUTEX_UNLOCK] = "unlock",
    [OP_MUTEX_INIT] = "mutex-init",
    [OP_MUTEX_DESTROY] = "mutex-destroy",
    [OP_COND_WAIT] = "wait",
    [OP_COND_WAKE] = "wake",
    [OP_COND_SIGNAL] = "signal",
    [OP_COND_BROADCAST] = "broadcast",
    [OP_COND_INIT] = "cond-init",
    [OP_COND_DESTROY] = "cond-destroy",
    [OP_RWLOCK_READ] = "rdlock",
    [OP_RWLOCK_TRYREAD] = "tryrdlock",
    [OP_RWLOCK_WRITE] = "wrlock",
    [OP_RWLOCK_TRYWRITE] = "trywrlock",
    [OP_RWLOCK_UNLOCK] = "rwunlock",
    [OP_RWLOCK_INIT] = "rwlock-init",
    [OP_RWLOCK_DESTROY] = "rwlock-destroy",
    [OP_SPIN_LOCK] = "spin-lock",
    [OP_SPIN_TRYLOCK] = "spin-trylock",
    [OP_SPIN_UNLOCK] = "spin-unlock",
    [OP_SPIN_INIT] = "spin-init",
    [OP_SPIN_DESTROY] = "spin-destroy",
    [OP_BARRIER_ARRIVE] = "barrier-arrive",
    [OP_BARRIER_LEAVE] = "barrier-leave",
    [OP_BARRIER_INIT] = "barrier-init",
    [OP_BARRIER_DESTROY] = "barrier-destroy",
    [OP_SEM_WAIT] = "sem-wait",
    [OP_SEM_TRYWAIT] = "sem-trywait",
    [OP_SEM_POST] = "sem-post",
    [OP_SEM_VALUE] = "sem-value",
    [OP_SEM_INIT] = "sem-init",
    [OP_SEM_DESTROY] = "sem-destroy",
    [OP_ONCE_BEGIN] = "once-begin",
    [OP_ONCE_END] = "once-end",
    [OP_FUTEX_WAIT] = "futex-wait",
    [OP_FUTEX_WAKE] = "futex-wake",
    [OP_YIELD] = "yield",
    [OP_SLEEP] = "sleep",
    [OP_CHOOSE] = "choose",
    [OP_SIGNAL] = "signal-delivery",
    [OP_HISTORY_BEGIN] = "history-begin",
    [OP_HISTORY_END] = "history-end",
    [OP_SHARED] = "shared-state",
    [OP_READY] = "ready",
    [OP_SECTION] = "section",
    [OP_STATEMENT] = "statement",
    [OP_SEND] = "send",
    [OP_RECEIVE] = "receive",
};

const char *op_kind_name(int kind)
{
    return kind >= 0 && kind < OP_KINDS && names[kind] ? names[kind] : "?";
}

/* strcmp by hand: this file also runs inside the program under test, without libc. */
static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

int op_kind_from_name(const char *name)
{
    for (int kind = 0; kind < OP_KINDS; kind++)
        if (names[kind] && same_text(name, names[kind]))
            return kind;
    return OP_NONE;
}
