/* A visible operation, and the one definition of dependence.
 *
 * Everything that a search knows about a program it knows through these records: the pending
 * operation of each thread (also of disabled ones) and the operation that was last executed,
 * in its final form (a CAS that failed has become a read). A pending operation may claim more
 * than its final form does, never less: an operation in an atomic section is OP_GLOBAL while it
 * is pending, because it is unknown what else the section will do. A time-out that happened
 * because nothing else could run depends on everything: it is OP_GLOBAL in its final form.
 *
 * Invariant: objects are canonical within one search: the same object of the same
 * thread's program has the same 64-bit name in every execution. Ranges that overlap have been
 * merged into one object by the world, so equality of names is overlap. */
#ifndef MAZUR_EXPLORE_OP_H
#define MAZUR_EXPLORE_OP_H

#include <stdbool.h>
#include <stdint.h>

enum op_kind {
#define OP(kind, name, traits) OP_##kind,
#include "explore/world/op.def"
#undef OP
    OP_KINDS
};

/* What is certain of every operation of a kind (op.def). Without a trait a kind is handled with
 * more care. */
enum op_trait {
    OP_SAME_FORM = 1 << 0,
    OP_FORM_IF_BLOCKING = 1 << 1,
    OP_SAME_OBJECTS = 1 << 2,
    OP_CHILDLESS = 1 << 3,
    OP_PRIVATE = 1 << 4,
    OP_DRAINS = 1 << 5,
    OP_TAKES_LOCK = 1 << 6,
    OP_AS_PENDING = 1 << 7,
};

enum op_flags {
    OP_READS = 1 << 0,         /* reads its objects */
    OP_WRITES = 1 << 1,        /* writes its objects */
    OP_MAY_BLOCK = 1 << 2,     /* can be disabled while pending */
    OP_MAY_RELEASE = 1 << 3,   /* executing it can enable another thread */
    OP_YIELDS = 1 << 4,        /* switching away while it is pending is free */
    OP_GLOBAL = 1 << 5,        /* depends on every operation of every other thread */
    OP_TIMED = 1 << 6,         /* may end by a time-out */
    OP_TIMED_OUT = 1 << 7,     /* final form: it did */
    OP_FAILED = 1 << 8,        /* final form: a trylock, CAS, … that did not succeed */
    OP_SPINS = 1 << 9,         /* pending read of an idle spin loop: blocked until a write */
    OP_KNOWS_BEFORE = 1 << 10, /* final form of a write: `before` is known */
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
    union {
        uint64_t before; /* final form: the value that a write replaced */
        uint64_t wait;   /* pending: the name of a read that waits for a value, 0: it has none
                          * (position.must_wait) */
    };
    uint64_t pc; /* code address, for reports; never part of a comparison */
};

static inline bool op_has_object(const struct op *op, uint64_t object)
{
    for (int i = 0; i < op->nobjects; i++)
        if (op->object[i] == object)
            return true;
    return false;
}

/* Adds an object. Without room for it the operation depends on everything. */
static inline void op_add_object(struct op *op, uint64_t object)
{
    if (op->nobjects < OP_OBJECTS)
        op->object[op->nobjects++] = object;
    else
        op->flags |= OP_GLOBAL;
}

/* Adds an object that it reads, even if it writes others, unless it has it already. */
static inline void op_add_read(struct op *op, uint64_t object)
{
    if (op_has_object(op, object))
        return;
    if (op->nobjects < OP_OBJECTS)
        op->only_read |= (uint8_t)(1u << op->nobjects);
    op_add_object(op, object);
}

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

extern const uint8_t op_traits[OP_KINDS];

static inline bool op_has(const struct op *op, enum op_trait trait)
{
    return op_traits[op->kind] & trait;
}

/* Two operations of different threads are dependent iff their order can be observed: one of
 * them is global, or they share an object that at least one of them writes. (create/start,
 * exit/join and the lock operations follow from their objects.) */
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
