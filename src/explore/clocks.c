/* Vector clocks and last accesses (clocks.h).
 *
 * Invariant: dependence is op_dependent(): an operation without OP_WRITES counts as a read of
 * its objects; an OP_GLOBAL step is before every later and after every earlier step. */
#include "explore/clocks.h"

#include <string.h>

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

void clocks_begin(struct clocks *clocks, uint32_t kept)
{
    table_clear(&clocks->objects);
    clocks->accesses.count = 0;
    clocks->users.count = 0;
    clocks->kept = kept;
    clocks->steps = 0;
    clocks->global = 0;
    for (uint32_t tid = 0; tid < clocks->threads.count; tid++) {
        struct clocks_thread *thread = &clocks->threads.item[tid];
        if (thread->born && thread->birth > kept)
            thread->born = false;
        if (!thread->born)
            thread->birth = 0;
        thread->last = thread->birth;
        thread->step = thread->global = 0;
        thread->steps.count = 0;
    }
}

/* Clocks get wider: move them, last step first. */
static void widen(struct clocks *clocks, uint32_t stride)
{
    uint32_t steps = clocks->steps > clocks->kept ? clocks->steps : clocks->kept;
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
        widen(clocks, tid < 4 ? 4 : (uint32_t)tid * 2);
    struct clocks_thread *thread = &clocks->threads.item[tid];
    thread->born = true;
    thread->birth = thread->last = clocks->steps;
}

static void join(struct clocks *clocks, uint32_t *clock, uint32_t step)
{
    const uint32_t *other = clock_at(clocks, step);
    for (uint32_t i = 0; i < clocks->threads.count; i++)
        if (other[i] > clock[i])
            clock[i] = other[i];
}

static struct clocks_user *first_user(const struct clocks *clocks, uint64_t object)
{
    const uint32_t *first = table_get(&clocks->objects, object, 0);
    return first ? &clocks->users.item[*first - 1] : NULL;
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

/* Writes of an object are ordered among themselves: the last one stands for all. */
static void join_objects(struct clocks *clocks, uint32_t *clock, const struct op *op)
{
    for (int i = 0; i < op->nobjects; i++) {
        const struct clocks_user *first = first_user(clocks, op->object[i]);
        uint32_t write = 0;
        for (const struct clocks_user *u = first; u; u = next_user(clocks, u))
            if (u->write > write)
                write = u->write;
        if (write)
            join(clocks, clock, write);
        if (!(op->flags & OP_WRITES))
            continue;
        for (const struct clocks_user *u = first; u; u = next_user(clocks, u))
            if (last_step(clocks, u) > write)
                join(clocks, clock, last_step(clocks, u));
    }
}

static void compute(struct clocks *clocks, uint32_t step, int tid, const struct op *op)
{
    vector_reserve(clocks->pool, &clocks->clock, (step + 1) * clocks->stride);
    uint32_t *clock = clock_at(clocks, step);
    memcpy(clock, clock_at(clocks, clocks->threads.item[tid].last),
           clocks->stride * sizeof *clock);
    if (clocks->global)
        join(clocks, clock, clocks->global);
    if (op->flags & OP_GLOBAL)
        for (uint32_t t = 0; t < clocks->threads.count; t++)
            join(clocks, clock, clocks->threads.item[t].last);
    join_objects(clocks, clock, op);
    clock[tid] = step;
}

static void touch(struct clocks *clocks, uint64_t object, int tid, uint32_t step,
                  const struct op *op)
{
    uint32_t *first = table_put(&clocks->objects, object, 0, NULL);
    struct clocks_user *user = *first ? &clocks->users.item[*first - 1] : NULL;
    while (user && user->tid != (uint32_t)tid)
        user = next_user(clocks, user);
    if (!user) {
        user = vector_add(clocks->pool, &clocks->users);
        *user = (struct clocks_user){.tid = (uint32_t)tid, .next = *first};
        *first = clocks->users.count;
    }
    struct clocks_access *access = vector_add(clocks->pool, &clocks->accesses);
    *access = (struct clocks_access){step, user->last, op->kind, op->flags & OP_WRITES};
    user->last = clocks->accesses.count;
    if (access->write)
        user->write = step;
}

uint32_t clocks_step(struct clocks *clocks, int tid, const struct op *op)
{
    if (!clocks_is_born(clocks, tid))
        clocks_born(clocks, tid);
    uint32_t step = clocks->steps + 1;
    if (step > clocks->kept)
        compute(clocks, step, tid, op);
    clocks->steps = step;
    for (int i = 0; i < op->nobjects; i++)
        touch(clocks, op->object[i], tid, step, op);
    struct clocks_thread *thread = &clocks->threads.item[tid];
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

/* Only the pairs for which it is certain, whatever else the program does. An operation that
 * did not write released nothing. */
static bool never_together(int executed, bool wrote, int pending)
{
    switch (wrote ? executed : OP_NONE) {
    case OP_MUTEX_UNLOCK:
        return pending == OP_MUTEX_LOCK || pending == OP_COND_WAKE;
    case OP_SPIN_UNLOCK:
        return pending == OP_SPIN_LOCK;
    case OP_THREAD_EXIT:
        return pending == OP_JOIN;
    default:
        return false;
    }
}

bool clocks_never_together(const struct op *executed, const struct op *pending)
{
    return never_together(executed->kind, executed->flags & OP_WRITES, pending->kind);
}

static uint32_t user_candidate(const struct clocks *clocks, const struct clocks_user *user,
                               const struct op *op, bool skip_releases)
{
    if (!skip_releases)
        return op->flags & OP_WRITES ? last_step(clocks, user) : user->write;
    for (uint32_t index = user->last; index > 0;) {
        const struct clocks_access *access = &clocks->accesses.item[index - 1];
        if ((access->write || op->flags & OP_WRITES) &&
            !never_together(access->kind, access->write, op->kind))
            return access->step;
        index = access->before;
    }
    return 0;
}

bool clocks_candidates(const struct clocks *clocks, int tid, const struct op *op,
                       bool skip_releases, uint32_t *candidate)
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
            uint32_t step = user_candidate(clocks, user, op, skip_releases);
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
            dependent_access(clocks, other, op->object[i], op->flags & OP_WRITES, below);
        if (!access || access->step < step)
            continue;
        step = access->step;
        *releases = never_together(access->kind, access->write, op->kind);
    }
    return step;
}
