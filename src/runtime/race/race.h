/* Finds data races by vector clocks (FastTrack, Flanagan and Freund, PLDI'09), with exactly the
 * happens-before edges of C11.
 *
 * Two accesses race if they overlap, at least one of them is a write, not both are atomic, and
 * happens-before does not order them. Happens-before is program order, create/join, objects
 * that are released and acquired (locks and similar), and synchronizes-with of atomics and
 * fences. A read-modify-write of any order continues a release sequence. A relaxed store ends
 * one, except that before C++20 (C11 5.1.2.4p10, C++17 4.7.1p5) a store of the same thread
 * continues it: see race_old_rule.
 *
 *   address ─▶ directory[address >> 12] ─▶ 512 cells of 32 bytes, one per 8 bytes
 *   cell: execution stamp, byte mask, last plain write, plain reads, atomic writes, atomic
 *         reads (one epoch each, or a vector clock), release clock; further records when the
 *         bytes of the granule have different histories
 *
 * A cell with an old stamp is empty: race_begin() clears nothing. Nothing is recorded until a
 * second thread is created: what came before its creation is ordered before everything.
 *
 * The order of calls is the order of execution: the runtime calls when the operation takes
 * effect, not when it is pending. One OS thread; `tid` is the thread slot that acts. */
#ifndef MAZUR_RUNTIME_RACE_H
#define MAZUR_RUNTIME_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threadset.h"
#include "board/board.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/saved.h"

/* The stack of the earlier access is known only in record mode. Otherwise its depth is 0, and
 * the address and size are those of the conflicting bytes. */
struct race_pair {
    bool is_birth; /* the earlier one is the allocation of the block */
    struct board_access earlier;
    struct board_access later;
};

/* Called for a race; set once. It may jump away and never return. If it returns, the access is
 * recorded as if it were ordered. */
extern void (*race_report)(const struct race_pair *pair);

/* Record mode: fills in event, locks and stack of an access that access->tid is making. Set
 * before the snapshot, NULL in a search. It makes every access slow. */
extern void (*race_context)(struct board_access *access);

/* The epoch of the allocation that the address belongs to, and where the block ends; 0: none is
 * known. Set by the runtime; the first access to each byte is checked against it. */
extern uint32_t (*race_birth)(uint64_t address, uint64_t *end);

/* Does the code at pc follow the older rule for release sequences? NULL: none does. */
extern bool (*race_old_rule)(uint64_t pc);
/* Called when a relaxed store under the older rule finds a release sequence with several heads
 * that were not kept apart. They are kept apart only after race_keep_heads(). */
extern void (*race_wants_heads)(void);
void race_keep_heads(bool keep);

void race_init(void);
/* A new execution with thread 0 alone. */
void race_begin(void);
/* At a checkpoint: saves the execution so far. Later, right after race_begin(): the execution
 * goes on from there. */
void race_save(struct saved *saved);
void race_put_back(struct saved *saved);
/* How often memory was given back: what was saved before can't be put back. */
uint32_t race_times_given_back(void);
/* True if this execution synchronised so often (2^23 releases by one thread) that its clocks
 * overflowed: races after that may be missed. */
bool race_overflowed(void);

void race_thread_create(int parent, int child);
void race_thread_join(int joiner, int child);

/* Locks and similar objects. `object` is any 64-bit name that is not the address of an atomic.
 * acquire: what was released into the object happens before. release: adds to what was released
 * (unlock, post, arrive). release_store: replaces it. A read-write lock takes two objects:
 * readers release into the second, and only writers acquire it. */
void race_acquire(int tid, uint64_t object);
void race_release(int tid, uint64_t object);
void race_release_store(int tid, uint64_t object);
/* The object is destroyed: another one may get its name. */
void race_forget(uint64_t object);

/* The thread uses a synchronisation object at this address. Other uses do not conflict with
 * this; plain writes and the end of the memory do. */
void race_use(int tid, uint64_t address, size_t size, uint64_t pc);
/* The thread is about to make an atomic read, or an update that `stores` what is there, and may
 * wait for it: it conflicts like that operation, but acquires and releases nothing. */
void race_await(int tid, uint64_t address, size_t size, bool stores, uint64_t pc);

/* Atomic operations; `order` is __ATOMIC_*. A failed compare-exchange is a load with the
 * failure order. consume counts as acquire. */
void race_atomic_load(int tid, uint64_t address, size_t size, int order, uint64_t pc);
void race_atomic_store(int tid, uint64_t address, size_t size, int order, uint64_t pc);
void race_atomic_rmw(int tid, uint64_t address, size_t size, int order, uint64_t pc);
void race_fence(int tid, int order);

/* The block is freed: this races with every access to it that is not ordered before. After that
 * it has no history: a later access is a use after free, which the heap reports. */
void race_free(int tid, uint64_t base, size_t size, uint64_t pc);
/* Memory that is used for something new without having been freed (a mapping, a fiber's
 * stack). */
void race_forget_range(uint64_t base, size_t size);

/* --- Private: the inlined part of plain accesses --- */

#define RACE_TID_BITS 9

/* Byte histories of one granule. Epochs: clock << RACE_TID_BITS | tid, 0: none; or the index of
 * a vector clock if the flag is set. */
struct race_cell {
    uint64_t key;  /* stamp << 16 | flags << 8 | byte mask */
    uint32_t next; /* record of other bytes */
    uint32_t sync; /* release clock of the bytes as an atomic */
    uint32_t write;
    uint32_t read;
    uint32_t atomic_write;
    uint32_t atomic_read;
};

struct race_hot {
    bool concurrent; /* a second thread exists */
    uint64_t
        fast_key; /* key of an up-to-date cell without its mask; never matches in record mode */
    uint32_t clock[THREADS_MAX][THREADS_MAX]; /* row t: vector clock of thread t, as epochs */
};

#define RACE_HOT ((const struct race_hot *)rt_table(RT_RACE_STATE))

void race_plain_slow(int tid, uint64_t address, size_t size, bool write, uint64_t pc);

/* The cell if the access is within one granule and an earlier access of this execution covered
 * its bytes, otherwise NULL. */
static inline const struct race_cell *race_fast_cell(uint64_t address, size_t size)
{
    uint64_t offset = address & 7;
    if (size > 8 || offset + size > 8 || address >> 47)
        return NULL;
    const struct race_cell *cells =
        ((const struct race_cell *const *)RT_RACE_DIRECTORY)[address >> 12];
    if (!cells)
        return NULL;
    const struct race_cell *cell = &cells[(address >> 3) & 511];
    uint64_t wanted = ((UINT64_C(1) << size) - 1) << offset;
    uint64_t covered = cell->key ^ RACE_HOT->fast_key;
    return covered < 256 && !(wanted & ~covered) ? cell : NULL;
}

static inline void race_read(int tid, uint64_t address, size_t size, uint64_t pc)
{
    if (!RACE_HOT->concurrent)
        return;
    uint32_t epoch = RACE_HOT->clock[tid][tid];
    const struct race_cell *cell = race_fast_cell(address, size);
    if (!cell || (cell->read != epoch && cell->write != epoch))
        race_plain_slow(tid, address, size, false, pc);
}

static inline void race_write(int tid, uint64_t address, size_t size, uint64_t pc)
{
    if (!RACE_HOT->concurrent)
        return;
    uint32_t epoch = RACE_HOT->clock[tid][tid];
    const struct race_cell *cell = race_fast_cell(address, size);
    if (!cell || cell->write != epoch)
        race_plain_slow(tid, address, size, true, pc);
}

#endif
