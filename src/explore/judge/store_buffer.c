/* The monitor for store buffers: see store_buffer.h. */
#include "explore/judge/store_buffer.h"

#include <string.h>

enum store_buffer_access {
    ACCESS_LOAD,   /* may take effect before earlier stores of its thread */
    ACCESS_STORE,  /* may wait in the buffer */
    ACCESS_LOCKED, /* neither: it empties the buffer first and leaves it empty */
};

void store_buffer_init(struct store_buffer *buffer, struct pool *pool)
{
    memset(buffer, 0, sizeof *buffer);
    buffer->pool = pool;
    table_init_stamped(&buffer->index, pool, sizeof(uint32_t));
    store_buffer_begin(buffer);
}

static struct store_buffer_object *add_object(struct store_buffer *buffer)
{
    return memset(vector_add(buffer->pool, &buffer->objects), 0,
                  sizeof(struct store_buffer_object));
}

void store_buffer_begin(struct store_buffer *buffer)
{
    table_clear(&buffer->index);
    buffer->objects.count = buffer->threads.count = buffer->stores.count = 0;
    add_object(buffer);
}

static struct store_buffer_thread *thread_of(struct store_buffer *buffer, int tid)
{
    while (buffer->threads.count <= (uint32_t)tid)
        memset(vector_add(buffer->pool, &buffer->threads), 0,
               sizeof(struct store_buffer_thread));
    return &buffer->threads.item[tid];
}

/* The place of an object; references to objects are valid until the next one is added. */
static uint32_t object_place(struct store_buffer *buffer, uint64_t name)
{
    uint32_t *place = table_put(&buffer->index, name, 0, NULL);
    if (*place == 0) {
        *place = buffer->objects.count;
        add_object(buffer);
    }
    return *place;
}

static void join_clock(const struct store_buffer *buffer, struct store_clock *into,
                       const struct store_clock *from)
{
    for (uint32_t tid = 0; tid < buffer->threads.count; tid++)
        if (from->stores[tid] > into->stores[tid])
            into->stores[tid] = from->stores[tid];
}

static void empty_buffer(struct store_buffer *buffer, struct store_buffer_thread *thread)
{
    join_clock(buffer, &thread->tso_store, &thread->tso_load);
    thread->tso_load = thread->tso_store;
}

void store_buffer_fence(struct store_buffer *buffer, int tid)
{
    empty_buffer(buffer, thread_of(buffer, tid));
}

/* The last store to the object that happens before the load decides: earlier stores come before
 * it in both relations. A store of the load's own thread is forwarded to the load. */
static const struct store_buffer_store *find_overtaken(const struct store_buffer *buffer,
                                                       int tid,
                                                       const struct store_buffer_object *object)
{
    const struct store_buffer_thread *thread = &buffer->threads.item[tid];
    for (uint32_t at = object->last; at > 0; at = buffer->stores.item[at - 1].previous) {
        const struct store_buffer_store *store = &buffer->stores.item[at - 1];
        if (store->tid == tid)
            return NULL;
        if (thread->sc.stores[store->tid] >= store->number)
            return thread->tso_load.stores[store->tid] < store->number ? store : NULL;
    }
    return NULL;
}

static void note_load(struct store_buffer *buffer, int tid, struct store_buffer_object *object)
{
    struct store_buffer_thread *thread = &buffer->threads.item[tid];
    bool own = object->last && buffer->stores.item[object->last - 1].tid == tid;
    join_clock(buffer, &thread->sc, &object->written_sc);
    if (!own) /* else the value may come from the buffer, before other threads see it */
        join_clock(buffer, &thread->tso_load, &object->written_tso);
    join_clock(buffer, &thread->tso_store, &thread->tso_load);
    join_clock(buffer, &object->read_sc, &thread->sc);
    join_clock(buffer, &object->read_tso, &thread->tso_load);
}

/* What comes before a store; the store itself is counted by the caller. */
static void before_store(struct store_buffer *buffer, int tid,
                         const struct store_buffer_object *object)
{
    struct store_buffer_thread *thread = &buffer->threads.item[tid];
    join_clock(buffer, &thread->sc, &object->written_sc);
    join_clock(buffer, &thread->sc, &object->read_sc);
    join_clock(buffer, &thread->tso_store, &object->written_tso);
    join_clock(buffer, &thread->tso_store, &object->read_tso);
}

static void note_store(struct store_buffer *buffer, int tid, struct store_buffer_object *object,
                       const struct op *op, uint32_t step)
{
    struct store_buffer_thread *thread = &buffer->threads.item[tid];
    object->written_sc = thread->sc;
    object->written_tso = thread->tso_store;
    memset(&object->read_sc, 0, sizeof object->read_sc);
    memset(&object->read_tso, 0, sizeof object->read_tso);
    *vector_add(buffer->pool, &buffer->stores) =
        (struct store_buffer_store){.tid = tid,
                                    .number = thread->nstores,
                                    .previous = object->last,
                                    .step = step,
                                    .op = *op};
    object->last = buffer->stores.count;
}

static enum store_buffer_access access_of(const struct op *op)
{
    if (op->flags & OP_GLOBAL)
        return ACCESS_LOCKED;
    switch (op->kind) {
    case OP_LOAD:
    case OP_PLAIN_READ:
        return ACCESS_LOAD;
    case OP_CAS: /* locked, also where it fails */
        return ACCESS_LOCKED;
    default: /* calls that may use plain loads and stores count as a store */
        return op_has(op, OP_DRAINS) && !(op->flags & OP_FAILED) ? ACCESS_LOCKED : ACCESS_STORE;
    }
}

/* An operation that depends on all others comes after them and before what follows, like a
 * write of the first object, which all other operations read. */
static void note_global(struct store_buffer *buffer, int tid, const struct op *op,
                        uint32_t step)
{
    struct store_buffer_thread *thread = &buffer->threads.item[tid];
    for (uint32_t other = 0; other < buffer->threads.count; other++) {
        join_clock(buffer, &thread->sc, &buffer->threads.item[other].sc);
        join_clock(buffer, &thread->tso_store, &buffer->threads.item[other].tso_store);
    }
    note_store(buffer, tid, &buffer->objects.item[0], op, step);
}

const struct store_buffer_store *store_buffer_step(struct store_buffer *buffer, int tid,
                                                   const struct op *op, uint32_t step)
{
    enum store_buffer_access access = access_of(op);
    struct store_buffer_thread *thread = thread_of(buffer, tid);
    const struct store_buffer_store *found = NULL;
    uint32_t place[OP_OBJECTS];
    for (int i = 0; i < op->nobjects; i++)
        place[i] = object_place(buffer, op->object[i]);
    if (access == ACCESS_LOCKED)
        empty_buffer(buffer, thread);
    note_load(buffer, tid, &buffer->objects.item[0]);
    if (access == ACCESS_LOAD)
        found = find_overtaken(buffer, tid, &buffer->objects.item[place[0]]);
    for (int i = 0; i < op->nobjects; i++) {
        struct store_buffer_object *object = &buffer->objects.item[place[i]];
        if (op->flags & OP_READS || !op_writes(op, i))
            note_load(buffer, tid, object);
        if (op_writes(op, i))
            before_store(buffer, tid, object);
    }
    if (op->flags & (OP_WRITES | OP_GLOBAL)) {
        thread->sc.stores[tid] = thread->tso_store.stores[tid] = ++thread->nstores;
        for (int i = 0; i < op->nobjects; i++)
            if (op_writes(op, i))
                note_store(buffer, tid, &buffer->objects.item[place[i]], op, step);
    }
    if (op->flags & OP_GLOBAL)
        note_global(buffer, tid, op, step);
    if (access == ACCESS_LOCKED || (op->kind == OP_STORE && op->order == __ATOMIC_SEQ_CST))
        empty_buffer(buffer, thread);
    return found;
}
