/* std::promise::set_value_at_thread_exit() and the like (C++ [futures.promise]).
 *
 * libstdc++ keeps a list of what to do when a thread ends. An entry for a promise makes its
 * shared state ready with a release store inside the library, which is not announced: a thread
 * that then gets the value would seem to race with the one that stored it. So the entry's
 * function is replaced by one that announces the store and then calls the library's. */
#include "runtime/access/atomic.h"
#include "runtime/hooks/policy/forward.h"

/* libstdc++'s layouts, which are part of its binary interface. */
struct shared_count { /* _Sp_counted_base */
    void (**method)(struct shared_count *count);
    uint32_t uses;
    uint32_t watchers; /* and one for all uses */
};
enum { METHOD_DISPOSE = 2, METHOD_DESTROY = 3 };

struct promise_state { /* _State_baseV2 */
    void *method;
    void *result;
    uint32_t status;
};

struct exit_entry { /* _Make_ready */
    struct exit_entry *next;
    void (*call)(void *entry);
    struct promise_state *state; /* a std::weak_ptr */
    struct shared_count *count;
};

static void (*library_call)(void *entry); /* the same one for every promise */

static uint64_t address_of(const uint32_t *word)
{
    return (uint64_t)(uintptr_t)word;
}

/* Increments the number unless it is 0, as the library does. Returns the old number. */
static uint32_t change_count(uint32_t *count, uint32_t difference)
{
    uint64_t address = address_of(count);
    struct op op = atomic_begin(OP_RMW, OP_READS | OP_WRITES, address, sizeof *count,
                                __ATOMIC_ACQ_REL, CALLER);
    uint32_t before = *count;
    if (before == 0) {
        atomic_end_load(&op, address, sizeof *count, __ATOMIC_RELAXED, before, CALLER);
        return before;
    }
    *count = before + difference;
    atomic_end_rmw(&op, address, sizeof *count, __ATOMIC_ACQ_REL, before, *count, CALLER);
    return before;
}

static void drop_state(struct shared_count *count)
{
    if (change_count(&count->uses, -1u) != 1)
        return;
    count->method[METHOD_DISPOSE](count);
    if (change_count(&count->watchers, -1u) == 1)
        count->method[METHOD_DESTROY](count);
}

/* The store itself follows in the library, before any other thread can run. */
static void announce_store(const struct promise_state *state)
{
    uint64_t status = address_of(&state->status);
    struct op op = atomic_begin(OP_STORE, OP_WRITES, status, sizeof state->status,
                                __ATOMIC_RELEASE, CALLER);
    race_atomic_store(rt.current, status, sizeof state->status, __ATOMIC_RELEASE, CALLER);
    schedule_done(&op);
}

static void make_ready(void *pointer)
{
    struct exit_entry *entry = pointer;
    struct shared_count *count = entry->count;
    if (!under_control() || !count || change_count(&count->uses, 1) == 0) {
        library_call(entry);
        return;
    }
    announce_store(entry->state);
    library_call(entry); /* which frees the entry */
    drop_state(count);
}

static void replace_call(struct exit_entry *entry)
{
    library_call = entry->call;
    entry->call = make_ready;
}

/* This one returns nothing. */
FORWARD_RESULT(void *, _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv,
               (struct exit_entry * entry), (entry), , replace_call(entry))
