/* Waits that change something: `while (!flag) rounds++`, polling under a lock, a trylock loop
 * that counts. spin.c blocks a thread only if it can prove that the loop is idle. A loop that
 * counts its rounds is not idle, and every number of rounds is another execution, up to the
 * step limit. A search through all of them finds even shallow failures late, or never.
 *
 * So when the step limit has cut an execution that is not a livelock (then nothing can be
 * complete, and the result says so), the search learns at which operations the threads looped,
 * and starts over with these loops treated as waits. (As in the fairness of CHESS and of paper
 * 002, section 2.5.2, a waiting thread lets the others go first.)
 *
 * When a thread arrives at an operation P that it has passed twice (… P … Q … P … Q … P), and
 * between the two passes no other thread changed anything that it touched, P waits until
 * another thread does.
 *
 * The thread also continues when nothing else can run, like a wait with a deadline (pass_time):
 * it may give up after some number of rounds, or the step limit shows that it never does.
 *
 * Invariant: whether P waits depends only on the thread's own past, as seen in its operations
 * (a change by another thread counts when this thread sees it), and the awaited objects are
 * part of the operation. The reductions need both. */
#include "runtime/waiting/waits.h"

#include "base/hash.h"
#include "runtime/arch/execution_state.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/waiting/counted.h"

#define TOUCHES         16   /* objects of a round; larger loops are not treated as waits */
#define VISITS          16   /* operations of a round */
#define VERSIONS        4096 /* objects of an execution; after that nothing is a wait */
#define LEARN_SHARE     64   /* learn loops of at least limit / LEARN_SHARE rounds */
#define LEARN_LEAST     4
#define MANY_YIELDS     256
#define MANY_EXECUTIONS 256
#define SOME_YIELDS     32 /* enough in a search of MANY_STEPS steps */
#define MANY_STEPS      200000
#define NAP             UINT64_C(1000000) /* nanoseconds */
#define NAP_DOUBLINGS   16

struct touch {
    uint64_t object;
    uint32_t version; /* number of writes to it when the thread last touched it */
    uint32_t at;
};

struct visit {
    uint64_t pc;
    uint32_t at;
    uint32_t rounds; /* in a row that saw no change */
    uint32_t locks;  /* number of locks that it held */
};

struct waiter {
    uint32_t execution; /* that the other fields belong to */
    uint32_t at;        /* number of its operations so far */
    uint32_t changed;   /* when it last touched an object that was new or changed by others */
    uint32_t naps;
    bool waited;    /* its operation waited as `await` */
    bool napped;    /* … and nothing else could run */
    uint32_t locks; /* number of locks held when it arrived at the operation */
    bool (*ready)(struct thread *);
    struct op await;
    struct touch touch[TOUCHES];
    struct visit visit[VISITS];
};

static struct {
    uint32_t number; /* of the execution */
    uint32_t objects;
    uint32_t everything; /* operations that count as a write of every object */
    uint32_t waiters;    /* whose record is one of this execution */
} execution;

static struct waiter waiters[THREADS_MAX];
static struct version {
    uint64_t object;
    uint32_t execution;
    uint32_t writes;
} versions[VERSIONS];
LASTING_STATE(waiters); /* `execution` counts the entries that this execution has changed */
LASTING_STATE(versions);

bool waits_learned(void)
{
    return lessons_have(&rt.board->lessons, LESSON_WAIT);
}

/* Are loops watched for waits? */
static bool is_impatient(void)
{
    return lessons_have(&rt.board->lessons, LESSON_IMPATIENT);
}

/* Watches loops from the next execution on. True: they were already watched, or can't be. */
static bool become_impatient(void)
{
    return lessons_add(&rt.board->lessons, LESSON_IMPATIENT, 0, 0) != LESSON_NEW;
}

void waits_begin(void)
{
    execution.number++;
    execution.objects = execution.everything = execution.waiters = 0;
    rt.waits = is_impatient() || waits_learned();
}

static struct waiter *waiter_of(const struct thread *thread)
{
    struct waiter *waiter = &waiters[thread->slot];
    if (waiter->execution != execution.number) {
        __builtin_memset(waiter, 0, sizeof *waiter);
        waiter->execution = execution.number;
        execution.waiters++;
    }
    return waiter;
}

/* NULL if there is no room. */
static struct version *version_of(uint64_t object)
{
    uint32_t at = hash_slot(object, 12);
    for (;; at = (at + 1) % VERSIONS) {
        struct version *version = &versions[at];
        if (version->execution != execution.number) {
            if (execution.objects == VERSIONS / 4 * 3)
                return NULL;
            execution.objects++;
            *version = (struct version){object, execution.number, 0};
        }
        if (version->object == object)
            return version;
    }
}

static uint32_t writes_of(uint64_t object)
{
    const struct version *version = version_of(object);
    return execution.everything + (version ? version->writes : 0);
}

/* --- What a thread does --- */

static void touch_object(struct waiter *waiter, uint64_t object, bool writes)
{
    struct touch *known = NULL, *oldest = &waiter->touch[0];
    for (struct touch *t = waiter->touch; t < waiter->touch + TOUCHES; t++) {
        if (t->object == object && t->at > 0)
            known = t;
        if (t->at < oldest->at)
            oldest = t;
    }
    struct version *version = version_of(object);
    if (!known || known->version != writes_of(object) || !version)
        waiter->changed = waiter->at;
    if (writes && version)
        version->writes++;
    known = known ? known : oldest;
    *known = (struct touch){object, writes_of(object), waiter->at};
}

static struct visit *visit_of(struct waiter *waiter, uint64_t pc)
{
    for (struct visit *v = waiter->visit; v < waiter->visit + VISITS; v++)
        if (v->pc == pc && v->at > 0)
            return v;
    return NULL;
}

void waits_done(const struct op *op)
{
    struct waiter *waiter = waiter_of(rt.self);
    waiter->at++;
    execution.everything += (op->flags & OP_GLOBAL) != 0;
    for (int i = 0; i < op->nobjects; i++)
        touch_object(waiter, op->object[i], op_writes(op, i));
    struct visit *visit = visit_of(waiter, op->pc);
    if (visit) {
        visit->rounds = waiter->changed <= visit->at ? visit->rounds + 1 : 0;
    } else {
        visit = &waiter->visit[0];
        for (struct visit *v = waiter->visit; v < waiter->visit + VISITS; v++)
            if (v->at < visit->at)
                visit = v;
        *visit = (struct visit){.pc = op->pc};
    }
    visit->at = waiter->at;
    visit->locks = waiter->locks;
}

/* Hashes the part of a thread's past that decides whether its next operations wait. */
uint64_t waits_hash(const struct thread *thread, uint64_t hash)
{
    const struct waiter *waiter = waiter_of(thread);
    for (int i = 0; i < VISITS; i++)
        if (waiter->visit[i].rounds > 0)
            hash += waiter->visit[i].pc * UINT64_C(0x9e3779b97f4a7c15);
    return hash + waiter->naps;
}

/* --- The wait --- */

static bool is_learned(uint64_t pc)
{
    return lessons_know(&rt.board->lessons, LESSON_WAIT, pc, 0);
}

static const struct op *await_of(const struct op *op, const struct visit *visit)
{
    struct waiter *waiter = waiter_of(rt.self);
    waiter->await = *op;
    waiter->await.flags |= OP_READS | OP_MAY_BLOCK | OP_SPINS | OP_TIMED;
    for (int i = 0; i < TOUCHES; i++)
        if (waiter->touch[i].at >= visit->at)
            op_add_read(&waiter->await, waiter->touch[i].object);
    return &waiter->await;
}

const struct op *waits_for_change(const struct op *op, bool (*ready)(struct thread *))
{
    struct thread *self = rt.self;
    struct waiter *waiter = waiter_of(self);
    const uint16_t never = OP_SPINS | OP_TIMED | OP_GLOBAL;
    waiter->waited = waiter->napped = false;
    waiter->locks = self->nlocks;
    if (op->flags & never || self->time.deadline != NEVER || rt.any_timeouts ||
        self->atomic > 0 || self->no_preempt > 0)
        return NULL;
    const struct visit *visit = visit_of(waiter, op->pc);
    if (!visit || visit->rounds == 0 || !is_learned(op->pc))
        return NULL;
    uint32_t doublings = waiter->naps < NAP_DOUBLINGS ? waiter->naps++ : NAP_DOUBLINGS;
    self->time.deadline = self->time.now + (NAP << doublings);
    waiter->ready = ready;
    return await_of(op, visit);
}

/* Has anything changed that the thread touched since it was last here? Then it may see
 * something else. */
static bool anything_changed(const struct thread *thread)
{
    struct waiter *waiter = waiter_of(thread);
    const struct visit *visit = visit_of(waiter, waiter->await.pc);
    for (int i = 0; i < TOUCHES; i++) {
        const struct touch *t = &waiter->touch[i];
        if (t->at >= visit->at && t->version != writes_of(t->object))
            return true;
    }
    return false;
}

bool waits_ready(struct thread *thread)
{
    const struct waiter *waiter = waiter_of(thread);
    bool expired = thread->time.timed_out;
    thread->time.timed_out = false; /* the operation itself has no deadline */
    bool can = !waiter->ready || waiter->ready(thread);
    thread->time.timed_out = expired;
    return can && (expired || anything_changed(thread));
}

void waits_over(void)
{
    struct waiter *waiter = waiter_of(rt.self);
    waiter->waited = true;
    waiter->napped = schedule_timed_out();
    rt.self->time.timed_out = false;
    rt.self->time.deadline = NEVER;
    rt.self->wait.ready = waiter->ready;
}

void waits_add_awaited(struct op *done)
{
    const struct waiter *waiter = waiter_of(rt.self);
    if (!waiter->waited)
        return;
    for (int i = 0; i < waiter->await.nobjects; i++)
        op_add_read(done, waiter->await.object[i]);
    if (waiter->napped) /* everything that could happen happened first */
        done->flags |= OP_GLOBAL | OP_TIMED_OUT;
}

/* --- The step limit --- */

static bool learn_wait(uint64_t pc)
{
    return lessons_add(&rt.board->lessons, LESSON_WAIT, pc, 0) == LESSON_NEW;
}

/* A thread that waits while it holds a lock may keep the others from doing what it waits for.
 * So it waits where it holds the fewest locks in its round. */
static bool learn_from(struct waiter *waiter, uint32_t least)
{
    uint32_t fewest = UINT32_MAX;
    bool learned = false;
    for (const struct visit *v = waiter->visit; v < waiter->visit + VISITS; v++)
        if (v->rounds >= least && v->locks < fewest)
            fewest = v->locks;
    for (const struct visit *v = waiter->visit; v < waiter->visit + VISITS; v++)
        if (v->rounds >= least && v->locks == fewest && v->pc != 0)
            learned |= learn_wait(v->pc);
    return learned;
}

/* Learns from loops of at least `least` rounds. Returns true if something was learned. */
static bool learn_loops(uint32_t least)
{
    bool learned = false;
    for (uint32_t t = 0; t < rt.used; t++)
        learned |= learn_from(waiter_of(&rt.thread[t]), least);
    if (learned)
        raise_reason(REASON_WAITS_LEARNED, NULL);
    return learned;
}

static bool may_learn(void)
{
    return !rt.recording && !rt.simplifying && !rt.any_timeouts;
}

bool waits_learn_from_cut(void)
{
    if (!may_learn())
        return false;
    if (counted_learn_stuck())
        return true;
    bool watched = become_impatient();
    rt.board->was_cut = true;
    uint32_t least = rt.board->config.search.depth / LEARN_SHARE;
    return !watched || learn_loops(least > LEARN_LEAST ? least : LEARN_LEAST);
}

/* Is the thread in a loop that the search keeps following? A thread that yields in every round
 * is recognised by its number of yields, one that yields now and then by the number of steps of
 * the search. */
static bool is_wait(uint32_t yields)
{
    const struct search_stats *stats = search_stats(rt.search);
    return (yields % MANY_YIELDS == 0 && stats->executions >= MANY_EXECUTIONS) ||
           stats->steps >= MANY_STEPS;
}

void waits_yielded(void)
{
    uint32_t yields = ++rt.self->spin.yields;
    if (LIKELY(yields % SOME_YIELDS != 0) || !is_wait(yields) || !may_learn())
        return;
    if (counted_learn_stuck())
        schedule_start_over();
    bool watched = become_impatient();
    if (!watched || learn_loops(MANY_YIELDS / 2))
        schedule_start_over();
}
