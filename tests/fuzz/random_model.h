/* A random Promela model: what its two writers share. random_statement.c writes expressions and
 * statements, random_model.c declarations, processes and properties around them. */
#ifndef MAZUR_RANDOM_MODEL_H
#define MAZUR_RANDOM_MODEL_H

#include <stdbool.h>

enum feature {
    ATOMIC,
    DSTEP,
    ELSE,
    TIMEOUT,
    UNLESS,
    PRIORITY,
    PROVIDED,
    RUN,
    MTYPE,
    TYPEDEF,
    ARRAY,
    RANDOM_RECEIVE,
    SORTED,
    POLL,
    PEEK,
    EVAL,
    COUNT,
    LAST,
    REMOTE,
    SELECT,
    FOR,
    INLINE,
    EMBEDDED,
    PARAMETER,
    EXCLUSIVE,
    ENABLED,
    BLOCK,
    CHANNELS,
    RENDEZVOUS,
    GOTO,
    DETERMINISTIC,
    WIDTH,
    TRACE,
    SET_PRIORITY,
    FORMULA,
    JUMP,    /* labels inside atomic sequences, and jumps to them */
    SUBTYPE, /* mtype:fruit */
    PASSED,  /* channels through channels */
    NESTED,  /* structures inside structures */
    PRINT,
    LOCAL,    /* globals that one process uses */
    HIDDEN,   /* globals that are not part of Spin's states */
    TRACKED,  /* c_state and c_track */
    COUNTER,  /* pc_value() */
    NEVER,    /* a claim written by hand */
    PROGRESS, /* np_ in it */
    FEATURES
};

#define ATOMIC_LABELS 2

extern bool has[FEATURES];
extern bool buffered; /* Spin has no rendezvous with priorities or enabled() */
extern int processes, labels[4];
extern int writing; /* the process that is being written */

/* Labels M0, M1 inside the atomic sequences of a process, once each. */
extern bool jumped_to[ATOMIC_LABELS], placed[ATOMIC_LABELS];
extern int loops_of_step; /* labels K0, K1, … inside its d_steps */

/* Where the statement that is being written stands. */
struct place {
    int depth; /* of nesting */
    bool loop; /* break is possible */
    bool atomic;
    bool indivisible; /* in a d_step: nothing may block or jump out */
    bool passed;      /* in a proctype with parameters */
    int tab;
};

int pick(int n);
bool maybe(enum feature feature, int one_in);

void condition(void);
void statement(struct place place);
void sequence(struct place place, int most);

#endif
