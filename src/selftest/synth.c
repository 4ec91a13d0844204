/* The meaning of synthetic programs (synth.h): pending operations, enabledness, steps.
 *
 * Invariant: whether a thread is enabled, and what its operation does, depends only on the
 * thread's own state and on the objects that the operation names, as op_dependent() assumes;
 * a program that broke this would make every reduction wrong. */
#include "selftest/synth.h"

#include <string.h>

#include "base/hash.h"

/* Names of objects: the kind in the high bits. */
#define MUTEX_NAME(i)     (UINT64_C(0x200) + (i))
#define CONDITION_NAME(i) (UINT64_C(0x300) + (i))
#define THREAD_NAME(i)    (UINT64_C(0x400) + (i))
#define WAKE_NAME(i)      (UINT64_C(0x500) + (i))

static bool is_spawned(const struct synth_program *program, int tid)
{
    for (int t = 0; t < program->nthreads; t++)
        for (int i = 0; i < program->nops[t]; i++)
            if (program->op[t][i].kind == SYNTH_SPAWN && program->op[t][i].object == tid)
                return true;
    return false;
}

/* Skips, invisibly, operations whose guard does not hold. */
static void run_on(const struct synth_program *program, struct synth_state *state, int tid)
{
    while (state->life[tid] == LIFE_RUNNING) {
        if (state->counter[tid] >= program->nops[tid]) {
            state->life[tid] = program->bare ? LIFE_ENDED : LIFE_EXITING;
            return;
        }
        uint8_t guard = program->op[tid][state->counter[tid]].guard;
        if (guard == GUARD_NONE || (guard == GUARD_IF_ZERO) == (state->r[tid] == 0))
            return;
        state->counter[tid]++;
    }
}

static bool enabled_by_itself(const struct synth_program *program,
                              const struct synth_state *state, int tid);

/* Does it wait, and end by itself on a time-out? */
static bool waits_for_time(const struct synth_program *program, const struct synth_state *state,
                           int tid)
{
    const struct synth_op *next = &program->op[tid][state->counter[tid]];
    return state->life[tid] == LIFE_RUNNING && !state->exited && next->time == TIME_IDLE &&
           (next->kind != SYNTH_WAIT || state->waiting[tid] == WAITING_FOR_SIGNAL);
}

/* When no thread can run, time passes up to the time-outs. */
static void pass_time(const struct synth_program *program, struct synth_state *state)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        if (enabled_by_itself(program, state, tid))
            return;
    for (int tid = 0; tid < program->nthreads; tid++)
        state->expired[tid] = waits_for_time(program, state, tid);
}

void synth_begin(const struct synth_program *program, struct synth_state *state)
{
    memset(state, 0, sizeof *state);
    memset(state->owner, -1, sizeof state->owner);
    state->last = -1;
    for (int tid = 0; tid < program->nthreads; tid++) {
        if (is_spawned(program, tid))
            continue;
        state->life[tid] = program->bare ? LIFE_RUNNING : LIFE_START;
        run_on(program, state, tid);
    }
    pass_time(program, state);
}

static void set_op(struct op *op, int kind, int flags, uint64_t object)
{
    op->kind = (uint16_t)kind;
    op->flags = (uint16_t)flags;
    op->nobjects = object != 0;
    op->object[0] = object;
}

/* A waiter that may leave without a signal: its leaving and a signal depend on each other. */
static void pending_wake(struct op *op, const struct synth_op *wait, int tid)
{
    int timed = wait->time == TIME_NEVER ? 0 : OP_TIMED;
    set_op(op, OP_COND_WAKE, OP_READS | OP_WRITES | OP_MAY_BLOCK | timed,
           MUTEX_NAME(wait->object));
    op->object[op->nobjects++] = WAKE_NAME(tid);
    if (timed || wait->spurious)
        op->object[op->nobjects++] = CONDITION_NAME(wait->object);
}

static void pending_running(const struct synth_op *next, bool spun, struct op *op)
{
    const int write = OP_READS | OP_WRITES | OP_MAY_RELEASE;
    const int wait = OP_MAY_BLOCK | (next->time == TIME_NEVER ? 0 : OP_TIMED);
    uint64_t variable = SYNTH_VARIABLE(next->object);
    uint64_t mutex = MUTEX_NAME(next->object);
    switch (next->kind) {
    case SYNTH_READ:
    case SYNTH_CHECK:
        return set_op(op, OP_LOAD, OP_READS, variable);
    case SYNTH_WRITE:
        return set_op(op, OP_STORE, OP_WRITES | OP_MAY_RELEASE, variable);
    case SYNTH_RMW:
    case SYNTH_GRAB:
        return set_op(op, OP_RMW, write, variable);
    case SYNTH_COPY:
        set_op(op, OP_PLAIN_WRITE, write, SYNTH_VARIABLE((next->object + 1) % SYNTH_VARS));
        op->only_read = 1u << op->nobjects;
        op->object[op->nobjects++] = variable;
        return;
    case SYNTH_CAS:
    case SYNTH_CLAIM:
        return set_op(op, OP_CAS, write, variable);
    case SYNTH_LOCK:
        return set_op(op, OP_MUTEX_LOCK, OP_READS | OP_WRITES | wait, mutex);
    case SYNTH_UNLOCK:
        return set_op(op, OP_MUTEX_UNLOCK, write, mutex);
    case SYNTH_TRYLOCK:
        return set_op(op, OP_MUTEX_TRYLOCK, OP_READS | OP_WRITES, mutex);
    case SYNTH_WAIT:
        set_op(op, OP_COND_WAIT, write, CONDITION_NAME(next->object));
        op->object[op->nobjects++] = mutex;
        return;
    case SYNTH_SIGNAL:
        return set_op(op, OP_COND_SIGNAL, write, CONDITION_NAME(next->object));
    case SYNTH_BROADCAST:
        return set_op(op, OP_COND_BROADCAST, write, CONDITION_NAME(next->object));
    case SYNTH_YIELD:
        return set_op(op, OP_YIELD, OP_YIELDS, 0);
    case SYNTH_CHOOSE:
        return set_op(op, OP_CHOOSE, 0, 0);
    case SYNTH_SPAWN:
        return set_op(op, OP_CREATE, OP_WRITES | OP_MAY_RELEASE, THREAD_NAME(next->object));
    case SYNTH_JOIN:
        return set_op(op, OP_JOIN, OP_READS | OP_MAY_BLOCK, THREAD_NAME(next->object));
    case SYNTH_AWAIT:
        set_op(op, OP_LOAD, OP_READS | wait, variable);
        if (next->time == TIME_NEVER)
            op->wait = SYNTH_WAIT_NAME(next->value);
        return;
    case SYNTH_SPIN:
        return spun ? set_op(op, OP_YIELD, OP_YIELDS, 0)
                    : set_op(op, OP_LOAD, OP_READS, variable);
    default:
        return set_op(op, OP_PROCESS_EXIT, OP_GLOBAL | OP_YIELDS, 0);
    }
}

static void pending_loop(const struct synth_op *next, const struct synth_loop *loop,
                         struct op *op)
{
    struct synth_op now = *next;
    now.object = synth_loop_object(next, loop);
    if (next->kind == SYNTH_POLL)
        now.kind = SYNTH_READ;
    pending_running(&now, false, op);
    op->pc += (uint64_t)loop->place << 8;
    synth_loop_pending(next, loop, op);
}

void synth_pending(const struct synth_program *program, const struct synth_state *state,
                   int tid, struct op *op)
{
    memset(op, 0, sizeof *op);
    const struct synth_op *next = &program->op[tid][state->counter[tid]];
    switch (state->life[tid]) {
    case LIFE_START:
        return set_op(op, OP_START, OP_READS, THREAD_NAME(tid));
    case LIFE_EXITING:
        return set_op(op, OP_THREAD_EXIT, OP_WRITES | OP_MAY_RELEASE, THREAD_NAME(tid));
    case LIFE_RUNNING:
        op->pc = state->counter[tid] + 1;
        op->size = 1;
        if (state->waiting[tid])
            pending_wake(op, next, tid);
        else if (synth_is_sync(next->kind))
            synth_sync_pending(next, op);
        else if (synth_is_loop(next->kind))
            pending_loop(next, &state->loop[tid], op);
        else
            pending_running(next, state->spun[tid], op);
        if (next->glued) /* it is not known yet what else it will do */
            op->flags |= OP_GLOBAL;
        return;
    default:
        return;
    }
}

static bool enabled_by_itself(const struct synth_program *program,
                              const struct synth_state *state, int tid)
{
    if (state->exited || state->life[tid] == LIFE_UNBORN || state->life[tid] == LIFE_ENDED)
        return false;
    if (state->life[tid] != LIFE_RUNNING)
        return true;
    const struct synth_op *next = &program->op[tid][state->counter[tid]];
    bool expired = state->expired[tid] || next->time == TIME_ANY;
    switch (next->kind) {
    case SYNTH_LOCK:
        return state->owner[next->object] < 0 || expired;
    case SYNTH_WAIT:
        if (state->waiting[tid] == WAITING_NONE)
            return true;
        return state->owner[next->object] < 0 &&
               (state->waiting[tid] == WAITING_FOR_MUTEX || expired ||
                (next->spurious && !state->woke[tid]));
    case SYNTH_JOIN:
        return state->life[next->object] == LIFE_ENDED;
    case SYNTH_AWAIT:
        return state->variable[next->object] == next->value || expired;
    case SYNTH_SPIN:
        return state->spins[tid] < SYNTH_SPINS;
    case SYNTH_POLL:
    case SYNTH_GRAB:
    case SYNTH_CLAIM:
        return synth_loop_enabled(&state->loop[tid], state);
    default:
        return synth_sync_enabled(next, state, tid);
    }
}

bool synth_enabled(const struct synth_program *program, const struct synth_state *state,
                   int tid)
{
    return !(state->glued && state->last != tid) && enabled_by_itself(program, state, tid);
}

threadset synth_enabled_set(const struct synth_program *program,
                            const struct synth_state *state)
{
    threadset enabled;
    threadset_clear(&enabled);
    for (int tid = 0; tid < program->nthreads; tid++)
        if (synth_enabled(program, state, tid))
            threadset_add(&enabled, tid);
    return enabled;
}

static bool waits_for(const struct synth_program *program, const struct synth_state *state,
                      int tid, int condition)
{
    return state->waiting[tid] == WAITING_FOR_SIGNAL &&
           program->op[tid][state->counter[tid]].object == condition;
}

/* Has what a lock or an await waits for happened? */
static bool comes_to_pass(const struct synth_state *state, const struct synth_op *op)
{
    return op->kind == SYNTH_LOCK ? state->owner[op->object] < 0
                                  : state->variable[op->object] == op->value;
}

int synth_choices(const struct synth_program *program, const struct synth_state *state, int tid)
{
    const struct synth_op *next = &program->op[tid][state->counter[tid]];
    if (state->life[tid] != LIFE_RUNNING)
        return 1;
    if (next->kind == SYNTH_CHOOSE)
        return next->value + 2;
    if (next->kind == SYNTH_LOCK || next->kind == SYNTH_AWAIT)
        return next->time == TIME_ANY && comes_to_pass(state, next) ? 2 : 1;
    if (next->kind != SYNTH_SIGNAL)
        return 1;
    int waiters = 0;
    for (int t = 0; t < program->nthreads; t++)
        waiters += waits_for(program, state, t, next->object);
    return waiters > 1 ? waiters : 1;
}

/* The signal and the wake-up that it causes share an object. */
static void wake_waiters(const struct synth_program *program, struct synth_state *state,
                         const struct synth_op *op, int choice, struct op *done)
{
    for (int t = 0; t < program->nthreads; t++) {
        if (!waits_for(program, state, t, op->object) ||
            (op->kind == SYNTH_SIGNAL && choice-- != 0))
            continue;
        state->waiting[t] = WAITING_FOR_MUTEX;
        op_add_object(done, WAKE_NAME(t));
    }
}

void synth_note_before(struct op *done, uint8_t before)
{
    if (!(done->flags & OP_WRITES) || done->nobjects != 1)
        return;
    done->flags |= OP_KNOWS_BEFORE;
    done->before = before;
}

/* A quarter of the answers is not known. */
enum wait_answer synth_must_wait(uint64_t wait, uint64_t value)
{
    if (hash_join(wait, value) % 4 == 0)
        return WAIT_UNKNOWN;
    return SYNTH_WAIT_NAME(value) == wait ? WAIT_NO : WAIT_YES;
}

/* Memory operations. True: r has a new value that the thread has seen. */
static bool step_memory(struct synth_state *state, int tid, const struct synth_op *op,
                        struct op *done)
{
    uint8_t *x = &state->variable[op->object];
    uint8_t *r = &state->r[tid];
    synth_note_before(done, *x);
    switch (op->kind) {
    case SYNTH_WRITE:
        *x = (uint8_t)((op->value + (op->add_r ? *r : 0)) % SYNTH_VALUES);
        return false;
    case SYNTH_COPY:
        state->variable[(op->object + 1) % SYNTH_VARS] = *x;
        return false;
    case SYNTH_RMW:
        *r = *x;
        *x = (uint8_t)((*x + op->value) % SYNTH_VALUES);
        return true;
    case SYNTH_CAS:
        *r = *x == op->value;
        if (*r)
            *x = (uint8_t)((op->value + 1) % SYNTH_VALUES);
        else
            done->flags = OP_READS | OP_FAILED;
        return true;
    case SYNTH_TRYLOCK:
        *r = state->owner[op->object] < 0;
        if (*r)
            state->owner[op->object] = (int8_t)tid;
        else
            done->flags = OP_READS | OP_FAILED;
        return true;
    case SYNTH_CHECK:
        *r = *x;
        state->exited = state->failed = *x == op->value;
        return true;
    default: /* SYNTH_READ, SYNTH_SPIN */
        *r = *x;
        return true;
    }
}

/* The operation times out. If this happens because no other thread could run, everything
 * happens before it. */
static void time_is_over(const struct synth_op *op, struct op *done)
{
    done->flags |= OP_TIMED_OUT | (op->time == TIME_IDLE ? OP_GLOBAL : 0);
}

/* WAIT is two steps: it releases the mutex and waits, then takes the mutex again. One that may
 * time out then sets r = 1 if it did, else 0. */
static bool step_wait(struct synth_state *state, int tid, const struct synth_op *op,
                      struct op *done)
{
    if (state->waiting[tid] == WAITING_NONE) {
        state->waiting[tid] = WAITING_FOR_SIGNAL;
        if (state->owner[op->object] == tid)
            state->owner[op->object] = -1;
        return false;
    }
    bool unasked = state->waiting[tid] == WAITING_FOR_SIGNAL;
    bool timed_out = unasked && (op->time == TIME_ANY || state->expired[tid]);
    if (timed_out)
        time_is_over(op, done);
    state->woke[tid] |= unasked && !timed_out;
    if (op->time != TIME_NEVER) {
        state->r[tid] = timed_out;
        state->history[tid] = hash_join(state->history[tid], timed_out);
    }
    state->waiting[tid] = WAITING_NONE;
    state->expired[tid] = false;
    state->owner[op->object] = (int8_t)tid;
    return true;
}

/* A lock, or waiting for a value. True: r has a new value that the thread has seen. */
static bool step_blocking(struct synth_state *state, int tid, const struct synth_op *op,
                          int choice, struct op *done)
{
    bool timed_out = !comes_to_pass(state, op) || choice == 1;
    state->expired[tid] = false;
    if (timed_out)
        time_is_over(op, done);
    if (op->kind == SYNTH_AWAIT)
        state->r[tid] = timed_out ? 0 : op->value;
    else if (op->time != TIME_NEVER)
        state->r[tid] = !timed_out;
    if (op->kind == SYNTH_LOCK && !timed_out)
        state->owner[op->object] = (int8_t)tid;
    else if (op->kind == SYNTH_LOCK)
        done->flags = (uint16_t)((done->flags & ~OP_WRITES) | OP_FAILED);
    return op->kind == SYNTH_AWAIT || op->time != TIME_NEVER;
}

static void step_spawn(const struct synth_program *program, struct synth_state *state, int tid)
{
    if (state->life[tid] == LIFE_UNBORN)
        state->life[tid] = LIFE_START;
    run_on(program, state, tid);
}

/* The operation of a running thread. True: the thread continues to its next one. */
static bool step_running(const struct synth_program *program, struct synth_state *state,
                         int tid, int choice, struct op *done)
{
    const struct synth_op *op = &program->op[tid][state->counter[tid]];
    bool sees = false, goes_on = true;
    switch (op->kind) {
    case SYNTH_LOCK:
    case SYNTH_AWAIT:
        sees = step_blocking(state, tid, op, choice, done);
        break;
    case SYNTH_UNLOCK:
        if (state->owner[op->object] == tid)
            state->owner[op->object] = -1;
        else
            done->flags = OP_READS | OP_FAILED;
        break;
    case SYNTH_WAIT:
        return step_wait(state, tid, op, done);
    case SYNTH_SIGNAL:
    case SYNTH_BROADCAST:
        wake_waiters(program, state, op, choice, done);
        break;
    case SYNTH_CHOOSE:
        state->r[tid] = (uint8_t)choice;
        sees = true;
        break;
    case SYNTH_SPAWN:
        step_spawn(program, state, op->object);
        break;
    case SYNTH_EXIT:
        state->exited = true;
        break;
    case SYNTH_SPIN:
        if (state->spun[tid]) {
            state->spun[tid] = false;
            state->spins[tid]++;
            return false;
        }
        sees = step_memory(state, tid, op, done);
        state->spun[tid] = state->r[tid] != op->value;
        break;
    case SYNTH_POLL:
    case SYNTH_GRAB:
    case SYNTH_CLAIM:
        goes_on = synth_loop_step(state, tid, op, done);
        sees = true;
        break;
    case SYNTH_YIELD:
    case SYNTH_JOIN:
        break;
    default:
        sees = synth_is_sync(op->kind) ? synth_sync_step(state, tid, op, done)
                                       : step_memory(state, tid, op, done);
    }
    if (sees)
        state->history[tid] = hash_join(state->history[tid], state->r[tid]);
    return goes_on && !state->spun[tid];
}

/* The plain access after an operation. */
static void touch_memory(struct synth_state *state, int tid, const struct synth_op *op,
                         struct op *done)
{
    if (op->touch == TOUCH_NONE)
        return;
    if (state->touched & ~(1u << tid)) {
        state->exited = true;
        state->failed = op->touch == TOUCH_FAILS;
        state->assumed = op->touch == TOUCH_ASSUMES;
        done->flags |= OP_FAILED; /* so that traces that end here differ from others */
    }
    state->touched |= (uint8_t)(1u << tid);
}

void synth_step(const struct synth_program *program, struct synth_state *state, int tid,
                int choice, struct op *done)
{
    const struct synth_op *op = &program->op[tid][state->counter[tid]];
    synth_pending(program, state, tid, done);
    state->last = (int8_t)tid;
    state->section = state->life[tid] == LIFE_RUNNING && op->glued;
    bool wide = op->wide && state->loop[tid].cycle > 0;
    if (state->section && op->kind != SYNTH_EXIT && !wide)
        done->flags &= (uint16_t)~OP_GLOBAL;
    state->history[tid] = hash_join(state->history[tid], 0x100u + state->counter[tid]);
    if (state->life[tid] == LIFE_START)
        state->life[tid] = LIFE_RUNNING;
    else if (state->life[tid] == LIFE_EXITING)
        state->life[tid] = LIFE_ENDED;
    else if (step_running(program, state, tid, choice, done)) {
        state->counter[tid]++;
        touch_memory(state, tid, op, done);
    }
    run_on(program, state, tid);
    pass_time(program, state);
    state->glued = state->section && enabled_by_itself(program, state, tid);
}

bool synth_ended(const struct synth_program *program, const struct synth_state *state)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        if (synth_enabled(program, state, tid))
            return false;
    return true;
}

bool synth_cut(const struct synth_program *program, const struct synth_state *state)
{
    for (int tid = 0; tid < program->nthreads && !state->failed && !state->assumed; tid++)
        if (state->spins[tid] == SYNTH_SPINS && state->life[tid] == LIFE_RUNNING &&
            program->op[tid][state->counter[tid]].kind == SYNTH_SPIN)
            return true;
    return false;
}

bool synth_deadlocked(const struct synth_program *program, const struct synth_state *state)
{
    bool stuck = false;
    for (int tid = 0; tid < program->nthreads; tid++) {
        if (synth_enabled(program, state, tid))
            return false;
        stuck |= state->life[tid] != LIFE_UNBORN && state->life[tid] != LIFE_ENDED;
    }
    return stuck && !state->exited && !synth_cut(program, state);
}

bool synth_spins(const struct synth_program *program, const struct synth_state *state)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        if (state->life[tid] == LIFE_RUNNING && state->loop[tid].cycle > 0)
            return true;
    return false;
}

uint64_t synth_fingerprint(const struct synth_state *state)
{
    uint64_t hash = hash_join(state->exited, synth_sync_hash(state));
    if (state->touched)
        hash = hash_join(hash, state->touched);
    if (state->glued)
        hash = hash_join(hash, (uint64_t)state->last);
    for (int i = 0; i < SYNTH_VARS; i++)
        hash = hash_join(hash, state->variable[i]);
    for (int i = 0; i < SYNTH_MUTEXES; i++)
        hash = hash_join(hash, (uint64_t)state->owner[i]);
    for (int tid = 0; tid < SYNTH_THREADS; tid++) {
        hash = hash_join(hash, (uint64_t)state->life[tid] << 8 | state->waiting[tid]);
        hash = hash_join(hash, (uint64_t)state->spun[tid] << 17 | state->expired[tid] << 16 |
                                   state->counter[tid] << 8 | state->r[tid]);
        hash = hash_join(hash, (uint64_t)state->woke[tid] << 24 | state->loop[tid].place << 16 |
                                   state->loop[tid].cycle << 8 | state->loop[tid].nreads);
        for (int i = 0; i < state->loop[tid].nreads; i++) {
            const struct synth_read *read = &state->loop[tid].read[i];
            hash = hash_join(hash, (uint64_t)read->place << 24 | read->local << 16 |
                                       read->object << 8 | read->value);
        }
    }
    return hash ? hash : 1;
}
