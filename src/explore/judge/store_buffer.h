/* Would store buffers make a difference? Every CPU with the memory model of x86 (TSO) lets a
 * load take effect while earlier stores still wait in the CPU's buffer. The search explores
 * interleavings only (SC). This monitor tells, from interleavings alone, whether the program
 * has other executions on such a CPU (Burckhardt and Musuvathi, "Effective program verification
 * for relaxed memory models", CAV 2008; CHESS had it):
 *
 *   An interleaving is vulnerable at a load if a store to the same object happens before the
 *   load, but no longer does when the program order from stores to later loads is left out:
 *   then the load may take effect before the store, which no interleaving explains.
 *   If no interleaving of a program is vulnerable, TSO adds no executions to it.
 *
 *     T1: x = 1   r1 = y          x=1 ─po─▶ r1=y ─▶ y=1 ─po─▶ r2=x
 *     T2: y = 1   r2 = x               ✗ ┄┄┄┄┄┄┄┄┄┄┄┄┄┄ ✗
 *                                                    without ✗ nothing orders x=1 and r2=x
 *
 * Whether it is vulnerable depends on the happens-before graph only, so one execution of each
 * trace is enough.
 *
 * Two happens-before relations are kept as vector clocks that count stores: `sc` has the whole
 * program order, `tso` lacks the order that store buffers remove. In the latter a thread has
 * two clocks: what comes before its next load, and before its next store. Atomic
 * read-modify-writes, sequentially consistent stores (which compilers turn into such an
 * instruction), fences and most synchronisation calls empty the buffer.
 *
 * Invariant: loads <= stores and tso <= sc, component by component. */
#ifndef MAZUR_EXPLORE_STORE_BUFFER_H
#define MAZUR_EXPLORE_STORE_BUFFER_H

#include "base/table.h"
#include "base/threadset.h"
#include "base/vector.h"
#include "explore/world/op.h"

/* By thread: how many of its stores come before. */
struct store_clock {
    uint32_t stores[THREADS_MAX];
};

struct store_buffer_thread {
    struct store_clock sc;
    struct store_clock tso_load;  /* before its next load */
    struct store_clock tso_store; /* before its next store */
    uint32_t nstores;
};

/* A store, for the report and for the search for the last one that happens before a load. */
struct store_buffer_store {
    int tid;
    uint32_t number;   /* among its thread's */
    uint32_t previous; /* store to the same object, + 1; 0: none */
    uint32_t step;     /* of the execution */
    struct op op;
};

struct store_buffer_object {
    struct store_clock written_sc; /* up to its last store */
    struct store_clock written_tso;
    struct store_clock read_sc; /* up to its loads since then */
    struct store_clock read_tso;
    uint32_t last; /* store, + 1; 0: none */
};

struct store_buffer {
    struct pool *pool;
    struct table index;                         /* object → its place, + 1 */
    VECTOR(struct store_buffer_object) objects; /* the first: all objects, of OP_GLOBAL */
    VECTOR(struct store_buffer_thread) threads;
    VECTOR(struct store_buffer_store) stores;
};

void store_buffer_init(struct store_buffer *buffer, struct pool *pool);
/* A new execution. */
void store_buffer_begin(struct store_buffer *buffer);
/* A sequentially consistent fence. */
void store_buffer_fence(struct store_buffer *buffer, int tid);
/* Thread `tid` has executed the operation (final form). Returns the store that the operation
 * may overtake although the store happens before it in every interleaving of this trace; else
 * NULL. Valid until the next call. */
const struct store_buffer_store *store_buffer_step(struct store_buffer *buffer, int tid,
                                                   const struct op *op, uint32_t step);

#endif
