/* Is a concurrent history explained by a serial one? (Line-Up: Burckhardt, Dern, Musuvathi,
 * Tan, PLDI 2010; CHESS's linearizability check in two phases.)
 *
 * A *history* is what the callers of a data structure see: each operation with its thread, its
 * arguments, its result, and when it began and ended. It is *serial* when no two overlap. The
 * serial histories of a test are its specification: whatever the structure does when it is used
 * by one thread at a time is right.
 *
 *     T1  |-- push(1) --|     |-- pop() = 2 --|        explained by the serial history
 *     T2          |-- push(2) --|                      push(1) push(2) pop()=2
 *
 * A history is explained by a serial one with the same operations and results per thread that
 * keeps the order of operations that did not overlap. A history that got *stuck*, with some
 * operations pending for ever, is explained if, for each pending one, the serial execution of
 * everything that was completed, followed by this operation, gets stuck in it, too.
 *
 * Names are numbers here (linear_name); nothing in this file depends on threads or programs. */
#ifndef MAZUR_EXPLORE_LINEAR_H
#define MAZUR_EXPLORE_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#define LINEAR_OPERATIONS 64 /* in one history */
#define LINEAR_TEXT       40
#define LINEAR_NAMES      4096 /* different names, arguments and results; a power of two */
#define LINEAR_ENTRIES    (1u << 21) /* operations of all serial histories */
#define LINEAR_HISTORIES  (1u << 18) /* serial histories; a power of two */
#define LINEAR_PENDING    UINT32_MAX /* result, and end, of an operation that has not ended */

struct linear_operation {
    uint32_t tid;
    uint32_t operation; /* names */
    uint32_t arguments;
    uint32_t result; /* or LINEAR_PENDING */
    uint32_t begin;  /* moments: smaller is earlier, no two are the same */
    uint32_t end;    /* or LINEAR_PENDING */
};

/* What a history consists of, in the order in which its operations began. */
struct linear_history {
    uint32_t count;
    struct linear_operation item[LINEAR_OPERATIONS];
};

struct linear_serial {
    uint64_t projection; /* hash of what each thread did and saw, whatever the order */
    uint64_t sequence;   /* hash of the whole, in order */
    uint32_t first;      /* entry[first … first + count) */
    uint32_t count;
    uint32_t next; /* next with the same bucket, plus 1; 0: none */
    uint32_t reserved;
};

/* All serial histories of a test. All zero: empty. */
struct linear_table {
    uint32_t nhistories;
    uint32_t nentries;
    bool full; /* the table overflowed */
    char name[LINEAR_NAMES][LINEAR_TEXT];
    uint32_t bucket[LINEAR_HISTORIES]; /* history number plus 1; 0: none */
    struct linear_serial history[LINEAR_HISTORIES];
    struct linear_operation entry[LINEAR_ENTRIES];
};

/* The number of a text, cut to LINEAR_TEXT - 1 bytes; the same text has the same number. If
 * there is no room for it, table->full is set and the number is meaningless. */
uint32_t linear_name(struct linear_table *table, const char *text);
/* Adds a serial history; only its last operation can be pending. */
void linear_add(struct linear_table *table, const struct linear_history *history);
/* Does a serial history explain this one, all of whose operations have ended? */
bool linear_explains(const struct linear_table *table, const struct linear_history *history);
/* The first pending operation that no serial history explains; -1: all are. */
int linear_unexplained(const struct linear_table *table, const struct linear_history *history);

/* Copies the used part of a table into an empty one. */
void linear_copy(struct linear_table *to, const struct linear_table *from);

/* For reports: the index in `serial` of each operation of `history`, when both make the same
 * calls in each thread and the order of `serial` is allowed; false otherwise. */
bool linear_same_calls(const struct linear_history *history,
                       const struct linear_operation *serial, uint32_t count, uint32_t *place);

#endif
