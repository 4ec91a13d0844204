/* Semaphores, read-write locks and barriers of synthetic programs (synth.h), with the
 * operations that the native runtime makes of them (sem.c, rwlock.c): a down is
 * disabled at 0, a barrier is two operations, an arrival that may release others and a
 * departure that waits for the last of two.
 *
 * They differ from locks and conditions in what a reduction must get right: an operation that
 * releases many at once (the last arrival, the end of the last reader), one that any thread may
 * make (up), and a wait that only two other threads together can end (a writer with two
 * readers).
 *
 * Invariant: as in synth.c, everything depends on the thread's own state and the named
 * object. */
#include "base/hash.h"
#include "selftest/synth.h"

#define SEMAPHORE_NAME(i) (UINT64_C(0x600) + (i))
#define RWLOCK_NAME       UINT64_C(0x700)
#define BARRIER_NAME      UINT64_C(0x800)
#define SEMAPHORE_MOST    3
#define PARTIES           2

bool synth_is_sync(int kind)
{
    return kind >= SYNTH_DOWN && kind <= SYNTH_DEPART;
}

static int semaphore_of(const struct synth_op *op)
{
    return op->object % SYNTH_SEMAPHORES;
}

void synth_sync_pending(const struct synth_op *next, struct op *op)
{
    static const struct {
        uint16_t kind, flags;
    } forms[] = {
        {OP_SEM_WAIT, OP_READS | OP_WRITES | OP_MAY_BLOCK},
        {OP_SEM_POST, OP_READS | OP_WRITES | OP_MAY_RELEASE},
        {OP_RWLOCK_READ, OP_READS | OP_WRITES | OP_MAY_BLOCK},
        {OP_RWLOCK_WRITE, OP_READS | OP_WRITES | OP_MAY_BLOCK},
        {OP_RWLOCK_UNLOCK, OP_READS | OP_WRITES | OP_MAY_RELEASE},
        {OP_BARRIER_ARRIVE, OP_READS | OP_WRITES | OP_MAY_RELEASE},
        {OP_BARRIER_LEAVE, OP_READS | OP_MAY_BLOCK},
    };
    int form = next->kind - SYNTH_DOWN;
    op->kind = forms[form].kind;
    op->flags = forms[form].flags;
    op->nobjects = 1;
    op->object[0] = next->kind <= SYNTH_UP        ? SEMAPHORE_NAME(semaphore_of(next))
                    : next->kind <= SYNTH_RELEASE ? RWLOCK_NAME
                                                  : BARRIER_NAME;
}

bool synth_sync_enabled(const struct synth_op *op, const struct synth_state *state, int tid)
{
    switch (op->kind) {
    case SYNTH_DOWN:
        return state->semaphore[semaphore_of(op)] > 0;
    case SYNTH_SHARE:
        return state->writer == 0;
    case SYNTH_EXCLUDE:
        return state->writer == 0 && state->readers == 0;
    case SYNTH_DEPART:
        return state->met[tid] != state->meetings + 1; /* its meeting is over */
    default:
        return true;
    }
}

static void release_rwlock(struct synth_state *state, int tid, struct op *done)
{
    uint8_t bit = (uint8_t)(1u << tid);
    if (state->writer == tid + 1)
        state->writer = 0;
    else if (state->readers & bit)
        state->readers &= (uint8_t)~bit;
    else
        done->flags = OP_READS | OP_FAILED;
}

bool synth_sync_step(struct synth_state *state, int tid, const struct synth_op *op,
                     struct op *done)
{
    uint8_t *semaphore = &state->semaphore[semaphore_of(op)];
    switch (op->kind) {
    case SYNTH_DOWN:
        --*semaphore;
        return false;
    case SYNTH_UP:
        *semaphore += *semaphore < SEMAPHORE_MOST;
        return false;
    case SYNTH_SHARE:
        state->readers |= (uint8_t)(1u << tid);
        return false;
    case SYNTH_EXCLUDE:
        state->writer = (uint8_t)(tid + 1);
        return false;
    case SYNTH_RELEASE:
        release_rwlock(state, tid, done);
        return false;
    case SYNTH_ARRIVE:
        state->met[tid] = (uint8_t)(state->meetings + 1);
        state->r[tid] = ++state->arrived == PARTIES; /* the serial thread */
        if (state->r[tid]) {
            state->arrived = 0;
            state->meetings++;
        }
        return true;
    default:
        state->met[tid] = 0;
        return false;
    }
}

uint64_t synth_sync_hash(const struct synth_state *state)
{
    uint64_t hash = (uint64_t)state->readers << 24 | (uint64_t)state->writer << 16 |
                    (uint64_t)state->arrived << 8 | state->meetings;
    for (int i = 0; i < SYNTH_SEMAPHORES; i++)
        hash = hash_join(hash, state->semaphore[i]);
    for (int tid = 0; tid < SYNTH_THREADS; tid++)
        hash = hash_join(hash, state->met[tid]);
    return hash;
}

/* Which operation replaces which, so that some programs have them in a sensible order. */
static int instead_of(int kind, uint64_t random)
{
    switch (kind) {
    case SYNTH_LOCK:
        return random & 1 ? SYNTH_EXCLUDE : SYNTH_SHARE;
    case SYNTH_UNLOCK:
        return SYNTH_RELEASE;
    case SYNTH_TRYLOCK:
        return SYNTH_ARRIVE;
    case SYNTH_WAIT:
    case SYNTH_AWAIT:
        return random & 1 ? SYNTH_DOWN : SYNTH_DEPART;
    case SYNTH_SIGNAL:
    case SYNTH_BROADCAST:
        return SYNTH_UP;
    case SYNTH_READ:
    case SYNTH_RMW:
        return random & 12 ? kind : SYNTH_DOWN + (int)(random >> 8) % 7;
    default:
        return kind;
    }
}

void synth_synchronise(struct synth_program *program, uint64_t seed)
{
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++) {
            struct synth_op *op = &program->op[tid][i];
            uint64_t random = hash_mix(seed * 64 + (uint64_t)(tid * SYNTH_OPS + i)) & 0xffffff;
            int kind = random >> 16 & 3 ? instead_of(op->kind, random) : op->kind;
            if (kind == op->kind)
                continue;
            op->kind = (uint8_t)kind;
            op->time = TIME_NEVER;
            op->spurious = op->add_r = op->wide = false;
        }
}
