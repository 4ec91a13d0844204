/* What a thread has done since it last changed anything (waiting/spin.c). */
#ifndef MAZUR_RUNTIME_THREAD_SPIN_H
#define MAZUR_RUNTIME_THREAD_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#define SPIN_READS  16
#define SPIN_WRITES 8

/* Reads since the thread last changed anything: an idle cycle would consist of these. */
struct spin_read {
    uint64_t pc;
    uint64_t state; /* hash of the thread's local state before the read */
    uint64_t address;
    uint64_t object;
    uint64_t value;
    uint8_t size;
    bool by_store; /* it stored the value that was there … */
    bool by_rmw;   /* … as a read-modify-write */
    bool yielded;  /* the thread yielded before it */
};

/* The read that the thread waits to make, if it looks ahead (look_ahead.c), and where it leads
 * with the value that was there when this was last found out. */
struct spin_ahead {
    uint64_t pc;
    uint64_t state;
    uint64_t address;
    uint8_t size;
    bool yielded; /* since the read before it */
    bool leads_over_yield;
    bool stores;     /* what is there */
    bool assumes;    /* it makes an assumption fail */
    bool retries;    /* see retry.c */
    bool held;       /* it had to wait at once, for the attempt before it is redundant */
    bool closes;     /* it has to wait with this value */
    bool next_reads; /* it leads to a read in the same function */
    uint64_t outer;  /* hash of the stack outside this function */
    uint64_t key;    /* of the answer */
    uint64_t name;   /* of the read, 0: none (known_waits.c) */
    uint64_t next_pc, next_state;
};

/* A plain write, and the value before it. */
struct spin_write {
    uint64_t address;
    uint64_t before;
    uint8_t size;
};

struct thread_spin {
    uint32_t nreads;
    uint32_t nwrites;        /* plain writes since the reads; they may have changed nothing */
    uint32_t depth;          /* least nframes since the last progress */
    bool lost_reads;         /* there were more than SPIN_READS since its last progress */
    bool yielded;            /* it has yielded or waited since its last read */
    bool comes_again;        /* to a read that it has made since its last progress */
    bool wrote;              /* it has changed something since its last spurious wakeup */
    bool unproven;           /* it waits in a cycle that has not been proven idle */
    uint32_t rounds;         /* reads that came again since the last progress (counted.c) */
    bool proven_again;       /* … or that was tried again when nothing else could run */
    uint32_t naps;           /* idle loops that ended because time passed */
    uint32_t yields;         /* in this execution */
    uint32_t busy_stretches; /* long runs of plain reads without an operation (access.c) */
    uint64_t state;          /* local state at the read being executed, 0: unknown */
    struct spin_ahead ahead;
};

#endif
