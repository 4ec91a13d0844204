/* Vector clocks and last accesses (clocks.h).
 *
 * Invariant: dependence is op_dependent(): an operation without OP_WRITES counts as a read of
 * its objects; an OP_GLOBAL step is before every later and after every earlier step. Users and
 * accesses are stacks in the order of steps, so that undoing is popping. */
#include "explore/reduction/clocks.h"

#include <string.h>

#include "base/must.h"

#define OBJECTS_SPARE 1024 /* this many objects without users trigger a clean-up */

void clocks_init(struct clocks *clocks, struct pool *pool)
{
    memset(clocks, 0, sizeof *clocks);
    clocks->pool = pool;
    table_init_stamped(&clocks->objects, pool, sizeof(uint32_t));
}

static uint32_t *clock_at(struct clocks *clocks, uint32_t step)
{
    return clocks->clock.item + (uint64_t)step * clocks->stride;
}

static void set_first_user(struct clocks *clocks, uint64_t object, uint32_t user)
{
    *(uint32_t *)table_put(&clocks->objects, object, 0, NULL) = user;
    clocks->recent = object;
    clocks->recent_user = user;
}

static void undo_access(struct clocks *clocks)
{
    const struct clocks_access *access = &clocks->accesses.item[--clocks->accesses.count];
    struct clocks_user *user = &clocks->users.item[access->user];
    user->last = access->before;
    user->write = access->write_before;
    if (user->last == 0) {
        must(access->user + 1 == clocks->users.count);
        clocks->users.count--;
        set_first_user(clocks, user->object, user->next);
    }
}

static void undo_step(struct clocks *clocks)
{
    const struct clocks_record *record = &clocks->records.item[--clocks->records.count];
    struct clocks_thread *thread = &clocks->threads.item[record->tid];
    while (clocks->accesses.count > record->accesses)
        undo_access(clocks);
    uint32_t steps = --thread->steps.count;
    thread->step = steps ? thread->steps.item[steps - 1] : 0;
    thread->last = thread->step ? thread->step : thread->birth;
    thread->global = record->thread_global;
    clocks->global = record->global;
}

/* Names of objects that only old executions used must not accumulate. */
static void forget_objects(struct clocks *clocks)
{
    if (clocks->objects.count < clocks->users.count + OBJECTS_SPARE)
        return;
    table_clear(&clocks->objects);
    for (uint32_t i = 0; i < clocks->users.count; i++)
        set_first_user(clocks, clocks->users.item[i].object, i + 1);
    clocks->recent_user = 0;
    clocks->recent = 0;
}

void clocks_begin(struct clocks *clocks, uint32_t kept)
{
    while (clocks->records.count > kept)
        undo_step(clocks);
    for (uint32_t tid = 0; tid < clocks->threads.count; tid++) {
        struct clocks_thread *thread = &clocks->threads.item[tid];
        if (thread->born && thread->birth > kept) {
            thread->born = false;
            thread->birth = thread->last = 0;
        }
    }
    forget_objects(clocks);
    clocks->steps = 0;
}

/* Clocks get wider: move them, last step first. */
static void widen_clocks(struct clocks *clocks, uint32_t stride)
{
    uint32_t steps = clocks->records.count;
    uint32_t old = clocks->stride;
    vector_reserve(clocks->pool, &clocks->clock, (steps + 1) * stride);
    for (uint32_t step = steps + 1; step-- > 0;) {
        uint32_t *to = clocks->clock.item + (uint64_t)step * stride;
        memmove(to, clocks->clock.item + (uint64_t)step * old, old * sizeof *to);
        memset(to + old, 0, (stride - old) * sizeof *to);
    }
    clocks->stride = stride;
}

void clocks_born(struct clocks *clocks, int tid)
{
    while (clocks->threads.count <= (uint32_t)tid)
        memset(vector_add(clocks->pool, &clocks->threads), 0, sizeof(struct clocks_thread));
    if (clocks->stride <= (uint32_t)tid)
        widen_clocks(clocks, tid < 4 ? 4 : (uint32_t)tid * 2);
    struct clocks_thread *thread = &clocks->threads.item[tid];
    thread->born = true;
    thread->birth = thread->last = clocks->steps;
}

static void join_clock(struct clocks *clocks, uint32_t *clock, uint32_t step)
{
    const uint32_t *other = clock_at(clocks, step);
    for (uint32_t i = 0; i < clocks->threads.count; i++)
        if (other[i] > clock[i])
            clock[i] = other[i];
}

static struct clocks_user *first_user(const struct clocks *clocks, uint64_t object)
{
    uint32_t first = clocks->recent_user;
    if (object != clocks->recent || first == 0) {
        const uint32_t *known = table_get(&clocks->objects, object, 0);
        first = known ? *known : 0;
    }
    return first ? &clocks->users.item[first - 1] : NULL;
}

static struct clocks_user *next_user(const struct clocks *clocks,
                                     const struct clocks_user *user)
{
    return user->next ? &clocks->users.item[user->next - 1] : NULL;
}

static uint32_t last_step(const struct clocks *clocks, const struct clocks_user *user)
{
    return clocks->accesses.item[user->last - 1].step;
}

/* Writes of an object are ordered with each other, so the last one stands for all. */
static void join_objects(struct clocks *clocks, uint32_t *clock, const struct op *op)
{
    for (int i = 0; i < op->nobjects; i++) {
        const struct clocks_user *first = first_user(clocks, op->object[i]);
        uint32_t write = 0;
        for (const struct clocks_user *u = first; u; u = next_user(clocks, u))
            if (u->write > write)
                write = u->write;
        if (write)
            join_clock(clocks, clock, write);
        if (!op_writes(op, i))
            continue;
        for (const struct clocks_user *u = first; u; u = next_user(clocks, u))
            if (last_step(clocks, u) > write)
                join_clock(clocks, clock, last_step(clocks, u));
    }
}

static void compute_clock(struct clocks *clocks, uint32_t step, int tid, const struct op *op)
{
    vector_reserve(clocks->pool, &clocks->clock, (step + 1) * clocks->stride);
    uint32_t *clock = clock_at(clocks, step);
    memcpy(clock, clock_at(clocks, clocks->threads.item[tid].last),
           clocks->stride * sizeof *clock);
    if (clocks->global)
        join_clock(clocks, clock, clocks->global);
    if (op->flags & OP_GLOBAL)
        for (uint32_t t = 0; t < clocks->threads.count; t++)
            join_clock(clocks, clock, clocks->threads.item[t].last);
    join_objects(clocks, clock, op);
    clock[tid] = step;
}

static void note_access(struct clocks *clocks, const struct op *op, int index, int tid,
                        uint32_t step)
{
    uint64_t object = op->object[index];
    struct clocks_user *first = first_user(clocks, object);
    struct clocks_user *user = first;
    while (user && user->tid != (uint32_t)tid)
        user = next_user(clocks, user);
    if (!user) {
        uint32_t next = first ? (uint32_t)(first - clocks->users.item) + 1 : 0;
        user = vector_add(clocks->pool, &clocks->users);
        *user = (struct clocks_user){.object = object, .tid = (uint32_t)tid, .next = next};
        set_first_user(clocks, object, clocks->users.count);
    }
    struct clocks_access *access = vector_add(clocks->pool, &clocks->accesses);
    *access = (struct clocks_access){
        .step = step,
        .user = (uint32_t)(user - clocks->users.item),
        .before = user->last,
        .write_before = user->write,
        .kind = op->kind,
        .write = op_writes(op, index),
    };
    user->last = clocks->accesses.count;
    if (access->write)
        user->write = step;
}

uint32_t clocks_step(struct clocks *clocks, int tid, const struct op *op)
{
    if (clocks->steps < clocks->records.count) /* kept from the previous execution */
        return ++clocks->steps;
    uint32_t step = clocks->steps + 1;
    if (!clocks_is_born(clocks, tid))
        clocks_born(clocks, tid);
    compute_clock(clocks, step, tid, op);
    clocks->steps = step;
    struct clocks_thread *thread = &clocks->threads.item[tid];
    struct clocks_record *record = vector_add(clocks->pool, &clocks->records);
    *record = (struct clocks_record){(uint32_t)tid, clocks->accesses.count, thread->global,
                                     clocks->global};
    for (int i = 0; i < op->nobjects; i++)
        note_access(clocks, op, i, tid, step);
    thread->last = thread->step = step;
    *vector_add(clocks->pool, &thread->steps) = step;
    if (op->flags & OP_GLOBAL)
        clocks->global = thread->global = step;
    return step;
}

uint32_t clocks_first_after(const struct clocks *clocks, int tid, uint32_t step)
{
    const struct clocks_thread *thread = &clocks->threads.item[tid];
    uint32_t low = 0;
    uint32_t high = thread->steps.count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (thread->steps.item[middle] > step)
            high = middle;
        else
            low = middle + 1;
    }
    return low < thread->steps.count ? thread->steps.item[low] : 0;
}

/* Only for pairs for which this is certain, whatever else the program does. An operation that
 * did not write released nothing. A timed lock or join can be executed while the other thread
 * is still there: it times out. A timed wait still needs the mutex. */
static bool never_together(int executed, bool wrote, const struct op *pending)
{
    bool untimed = !(pending->flags & OP_TIMED);
    switch (wrote ? executed : OP_NONE) {
    case OP_MUTEX_UNLOCK:
        return (pending->kind == OP_MUTEX_LOCK && untimed) || pending->kind == OP_COND_WAKE;
    case OP_SPIN_UNLOCK:
        return pending->kind == OP_SPIN_LOCK;
    case OP_THREAD_EXIT:
        return pending->kind == OP_JOIN && untimed;
    default:
        return false;
    }
}

bool clocks_never_together(const struct op *executed, const struct op *pending)
{
    return never_together(executed->kind, executed->flags & OP_WRITES, pending);
}

bool clocks_candidates(const struct clocks *clocks, int tid, const struct op *op,
                       uint32_t *candidate)
{
    bool any = false;
    bool global = op->flags & OP_GLOBAL;
    for (uint32_t t = 0; t < clocks->threads.count; t++) {
        const struct clocks_thread *thread = &clocks->threads.item[t];
        candidate[t] = t == (uint32_t)tid ? 0 : global ? thread->step : thread->global;
        any |= candidate[t] != 0;
    }
    for (int i = 0; i < op->nobjects && !global; i++) {
        const struct clocks_user *user = first_user(clocks, op->object[i]);
        for (; user; user = next_user(clocks, user)) {
            uint32_t step = op_writes(op, i) ? last_step(clocks, user) : user->write;
            if (user->tid != (uint32_t)tid && step > candidate[user->tid]) {
                candidate[user->tid] = step;
                any = true;
            }
        }
    }
    return any;
}

/* The last access of the object by the thread before `below` that is dependent. */
static const struct clocks_access *dependent_access(const struct clocks *clocks, int other,
                                                    uint64_t object, bool writes,
                                                    uint32_t below)
{
    const struct clocks_user *user = first_user(clocks, object);
    while (user && user->tid != (uint32_t)other)
        user = next_user(clocks, user);
    for (uint32_t index = user ? user->last : 0; index > 0;) {
        const struct clocks_access *access = &clocks->accesses.item[index - 1];
        if (access->step < below && (writes || access->write))
            return access;
        index = access->before;
    }
    return NULL;
}

/* The last step of the thread before `below`, all or only global ones. */
static uint32_t step_below(const struct clocks *clocks, int other, bool global, uint32_t below)
{
    const struct clocks_thread *thread = &clocks->threads.item[other];
    if (global)
        return thread->global < below ? thread->global : 0;
    for (uint32_t i = thread->steps.count; i > 0; i--)
        if (thread->steps.item[i - 1] < below)
            return thread->steps.item[i - 1];
    return 0;
}

uint32_t clocks_dependent(const struct clocks *clocks, int other, const struct op *op,
                          uint32_t below, bool *releases)
{
    *releases = false;
    uint32_t step = step_below(clocks, other, !(op->flags & OP_GLOBAL), below);
    for (int i = 0; i < op->nobjects; i++) {
        const struct clocks_access *access =
            dependent_access(clocks, other, op->object[i], op_writes(op, i), below);
        if (!access || access->step < step)
            continue;
        step = access->step;
        *releases = never_together(access->kind, access->write, op);
    }
    return step;
}
