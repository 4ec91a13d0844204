/* --store-buffers: the monitor of explore/judge/store_buffer.h watches every operation. An
 * execution fails if one of its loads may take effect before a store that happens before it.
 *
 * As on x86-64, these operations empty the store buffer: read-modify-writes, sequentially
 * consistent stores and fences, and calls of glibc except pthread_spin_unlock. */
#include "runtime/access/store_buffers.h"

#include "base/pool.h"
#include "explore/judge/store_buffer.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/memory/memory.h"

#define MONITOR_BYTES ((size_t)1 << 36) /* of address space; used as needed */

static struct store_buffer *monitor; /* only if rt.store_buffers */

void store_buffers_init(void)
{
    struct pool *pool = pool_create(rt_map_table(MONITOR_BYTES), MONITOR_BYTES);
    monitor = pool_alloc(pool, sizeof *monitor);
    store_buffer_init(monitor, pool);
}

void store_buffers_begin(void)
{
    store_buffer_begin(monitor);
}

void store_buffers_fence(void)
{
    store_buffer_fence(monitor, rt.current);
}

static void fill_access(struct board_access *access, int tid, const struct op *op,
                        uint32_t event)
{
    access->tid = tid;
    access->write = op->flags & OP_WRITES;
    access->atomic = op->kind == OP_LOAD || op->kind == OP_STORE;
    access->size = op->size;
    access->address = op->object[0];
    access->stack.depth = 1;
    access->stack.pc[0] = op->pc;
    failure_access_context(access);
    access->event = event;
}

void store_buffers_done(const struct op *op)
{
    const struct store_buffer_store *store =
        store_buffer_step(monitor, rt.current, op, rt.self->last_event);
    if (!store)
        return;
    failure_note(FAILURE_STORE_BUFFER,
                 &(struct failure_details){.pc = op->pc, .address = op->object[0]},
                 "a load may take effect before a store that happens before it");
    struct board_failure *failure = failure_current();
    failure->naccesses = 2;
    fill_access(&failure->access[0], store->tid, &store->op, store->step);
    fill_access(&failure->access[1], rt.current, op, rt.self->last_event);
    schedule_end(OUTCOME_FAILED);
}
