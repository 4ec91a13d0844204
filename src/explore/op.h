/* A visible operation, and the one definition of dependence.
 *
 * Everything that a search knows about a program it knows through these records: the pending
 * operation of each thread (also of disabled ones) and the operation that was last executed,
 * in its final form (a CAS that failed has become a read). A pending operation may claim more
 * than its final form does, never less: one in an atomic section, of which it is not known what
 * else it will do, is OP_GLOBAL while it is pending. A time-out that came because nothing else
 * could run depends on everything: it is OP_GLOBAL in its final form.
 *
 * Invariant: objects are canonical within one search (DESIGN 2.7): the same object of the same
 * thread's program has the same 64-bit name in every execution. Ranges that overlap have been
 * merged into one object by the world, so equality of names is overlap. */
#ifndef MAZUR_EXPLORE_OP_H
#define MAZUR_EXPLORE_OP_H

#include <stdbool.h>
#include <stdint.h>

enum op_kind {
    OP_NONE = 0, /* no such thread, or it has finished */
    OP_START,    /* first operation of a new thread; object: the thread */
    OP_THREAD_EXIT,
    OP_CREATE, /* object: the new thread */
    OP_JOIN,
    OP_DETACH,
    OP_PROCESS_EXIT, /* main returned or exit() was called; ends the execution */
    OP_LOAD,
    OP_STORE,
    OP_RMW,
    OP_CAS,        /* final form OP_CAS without OP_WRITES when it failed */
    OP_PLAIN_READ, /* plain accesses are visible only where races are explored */
    OP_PLAIN_WRITE,
    OP_MUTEX_LOCK,
    OP_MUTEX_TRYLOCK,
    OP_MUTEX_UNLOCK,
    OP_MUTEX_INIT,
    OP_MUTEX_DESTROY,
    OP_COND_WAIT, /* releases the mutex and starts to wait; objects: condition, mutex */
    OP_COND_WAKE, /* takes the mutex again after a signal, time-out or spurious wake-up */
    OP_COND_SIGNAL,
    OP_COND_BROADCAST,
    OP_COND_INIT,
    OP_COND_DESTROY,
    OP_RWLOCK_READ,
    OP_RWLOCK_TRYREAD,
    OP_RWLOCK_WRITE,
    OP_RWLOCK_TRYWRITE,
    OP_RWLOCK_UNLOCK,
    OP_RWLOCK_INIT,
    OP_RWLOCK_DESTROY,
    OP_SPIN_LOCK,
    OP_SPIN_TRYLOCK,
    OP_SPIN_UNLOCK,
    OP_SPIN_INIT,
    OP_SPIN_DESTROY,
    OP_BARRIER_ARRIVE,
    OP_BARRIER_LEAVE,
    OP_BARRIER_INIT,
    OP_BARRIER_DESTROY,
    OP_SEM_WAIT,
    OP_SEM_TRYWAIT,
    OP_SEM_POST,
    OP_SEM_VALUE,
    OP_SEM_INIT,
    OP_SEM_DESTROY,
    OP_ONCE_BEGIN,
    OP_ONCE_END,
    OP_FUTEX_WAIT,
    OP_FUTEX_WAKE,
    OP_YIELD,
    OP_SLEEP,
    OP_CHOOSE,        /* a data choice on its own, outside any other operation */
    OP_SIGNAL,        /* delivery of a signal to a thread */
    OP_HISTORY_BEGIN, /* an operation of a tested container begins; see runtime/history.c */
    OP_HISTORY_END,
    OP_SHARED,    /* of state that libc or the kernel keeps for all threads */
    OP_READY,     /* waits for a descriptor to become ready; object: the descriptor */
    OP_SECTION,   /* an atomic section begins; as a step: several operations at once */
    OP_STATEMENT, /* models: a statement; of these, a search over programs knows nothing */
    OP_SEND,
    OP_RECEIVE,
    OP_KINDS
};

enum op_flags {
    OP_READS = 1 << 0,       /* reads its objects */
    OP_WRITES = 1 << 1,      /* writes its objects */
    OP_MAY_BLOCK = 1 << 2,   /* can be disabled while pending */
    OP_MAY_RELEASE = 1 << 3, /* executing it can enable another thread */
    OP_YIELDS = 1 << 4,      /* switching away while it is pending is free (DESIGN 6) */
    OP_GLOBAL = 1 << 5,      /* depends on every operation of every other thread */
    OP_TIMED = 1 << 6,       /* may end by a time-out */
    OP_TIMED_OUT = 1 << 7,   /* final form: it did */
    OP_FAILED = 1 << 8,      /* final form: a trylock, CAS, … that did not succeed */
    OP_SPINS = 1 << 9,       /* pending read of an idle spin loop: blocked until a write */
};

#define OP_OBJECTS 4 /* more objects than this: the world sets OP_GLOBAL */

struct op {
    uint16_t kind;
    uint16_t flags;
    uint8_t order;     /* memory order, as __ATOMIC_* ; 0 where it has none */
    uint8_t size;      /* bytes accessed, 0 where it has none */
    uint8_t nobjects;  /* how many of object[] are in use */
    uint8_t only_read; /* bit i: object[i] is read, though the operation writes others */
    uint64_t object[OP_OBJECTS];
    uint64_t value; /* final form: value read, or written where nothing is read */
    uint64_t pc;    /* code address, for reports; never part of a comparison */
};

/* Does the operation write its i-th object? */
static inline bool op_writes(const struct op *op, int i)
{
    return op->flags & OP_WRITES && !(op->only_read >> i & 1);
}

/* May the pending operation be part of an atomic section, and so do more than it says? */
static inline bool op_in_section(const struct op *pending)
{
    return pending->flags & OP_GLOBAL && pending->kind != OP_PROCESS_EXIT;
}

/* May there be threads after it that were not there before? */
static inline bool op_may_create(const struct op *op)
{
    return op->kind == OP_CREATE || op->kind == OP_SECTION;
}

/* Two operations of different threads are dependent iff their order can be told apart:
 * one of them is global, or they share an object that at least one of them writes.
 * (DESIGN 4; create/start, exit/join and the lock operations follow from their objects.) */
static inline bool op_dependent(const struct op *a, const struct op *b)
{
    uint16_t either = a->flags | b->flags;
    if (either & OP_GLOBAL)
        return true;
    if (!(either & OP_WRITES))
        return false;
    for (int i = 0; i < a->nobjects; i++)
        for (int j = 0; j < b->nobjects; j++)
            if (a->object[i] == b->object[j] && (op_writes(a, i) || op_writes(b, j)))
                return true;
    return false;
}

/* "lock", "cas", …: for messages and trace files; "?" outside the enum. */
const char *op_kind_name(int kind);
/* The inverse, for trace files; OP_NONE where the name is unknown. */
int op_kind_from_name(const char *name);

#endif
