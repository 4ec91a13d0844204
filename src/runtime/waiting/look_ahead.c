/* Waiting loops that cost nothing: a read that would close an idle round is a disabled
 * operation.
 *
 * A round is a sequence of reads after which the thread stands in the same local state as
 * before it, having changed nothing. Taking a round out of an execution gives an execution with
 * the same other operations, values and end. So executions with rounds need not be searched at
 * all: the read that would close one waits until its location has another value. Whether it
 * waits depends on the thread's own past and on the one location that it reads, so for the
 * reductions it is an ordinary blocking operation, and `while (!flag) ;` costs as much as a
 * semaphore.
 *
 *     lock:  while (load(&now) != mine) ;      load = 3 waits while now is 0, 1, 2: no event
 *     ttas:  do while (load(&taken)) ;         waits while taken is 1
 *            while (exchange(&taken, 1))       after a load of 0: waits while taken is 1
 *
 * Where a read leads is found out by a trial: the thread runs on, with the present value, to
 * its next read; then its stack, its registers and its record are put back. Answers are kept,
 * so there is one trial per local state and value. A trial stops at anything that is more than
 * a read of the location: a plain access outside the thread's own frames, a write, any other
 * operation but a yield, a call of libc, the end of the thread's function. Then the read is an
 * ordinary operation, and the rule of spin.c takes over when the thread has really completed
 * its round. Writes of code without instrumentation are found by comparing all memory before
 * and after the trial; then this read looks ahead no more, and the search starts over.
 *
 * Which reads look ahead is learned (the pc of the read that closed a round), and the search
 * starts over with it. A round of one read that is closed by itself is LESSON_AWAIT. For one
 * with a read before it, LESSON_RETRY, the thread must not be free to wait inside the round, or
 * taking it out would cost a preemption:
 *   - the two reads can't both be true of the same memory: no such round is idle by itself;
 *   - the thread does not yield between them, and does not wait at the second one.
 * Such a thread may stand at its second read for ever although a round that begins now would
 * end differently. An execution that ends that way is redundant: neither a trace nor a failure.
 *
 * Invariant: during a trial `rt.looking_ahead` is set, and nothing but the thread's stack and
 * record is written; both are put back. */
#define XXH_INLINE_ALL
#include "runtime/waiting/look_ahead.h"

#include <xxhash.h>

#include "base/must.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/snapshot.h"
#include "runtime/waiting/spin.h"
#include "runtime/waiting/spin_stack.h"

#define ANSWERS      (UINT64_C(1) << 16) /* a power of two */
#define ANSWERS_MOST (ANSWERS / 4 * 3)
#define KEPT_STACK   (UINT64_C(256) << 10) /* deeper stacks are not tried */
#define BELOW_STACK  (UINT64_C(16) << 10)  /* what a trial may use below the stack pointer */
#define TRIAL_STACK  (64 << 10)
#define ROUNDS_MOST  64 /* reads of a trial that goes on through them */
#define PLACES       (4 * LESSONS_MOST)
#define HIDDEN       1 /* the size of a lesson: code that is not seen has an effect there */

/* Where a read leads. */
struct ahead_answer {
    uint64_t key; /* hash of thread, pc, local state, location and value; 0: free */
    uint64_t pc;  /* the next read, and the local state before it; 0: the thread does more */
    uint64_t state;
    bool yields; /* on the way */
};

struct ahead_answers {
    uint64_t count;
    struct ahead_answer item[ANSWERS];
};

static struct ahead_answers *answers;

/* The learned reads, as a table of their pcs: looked up at every read. */
enum { PLACE_AWAIT = 1, PLACE_RETRY = 2 };
static struct {
    uint32_t lessons; /* how many lessons there were */
    struct place {
        uint64_t pc;
        unsigned kinds;
    } item[PLACES];
} places;

enum trial_result { TRIAL_LEAVES, TRIAL_READS, TRIAL_IDLE };

static struct {
    struct thread *thread;
    bool through; /* the trial goes on through reads until it repeats itself or leaves */
    bool yields;
    enum trial_result result;
    uint64_t pc, state; /* of the next read */
    uint32_t nseen;
    struct {
        uint64_t pc, state;
    } seen[ROUNDS_MOST];
    struct fiber fiber; /* where trials are made from */
    struct fiber asker; /* who wants to know */
    struct thread record;
    char *stack; /* a copy */
} trial;

uint64_t look_ahead_bytes(void)
{
    return (sizeof *answers + 4095) & ~UINT64_C(4095);
}

void look_ahead_init(void *memory)
{
    answers = memory;
    places.lessons = UINT32_MAX;
}

/* --- Which reads look ahead --- */

static struct place *place_of(uint64_t pc)
{
    uint32_t at = (uint32_t)((pc * UINT64_C(0x9e3779b97f4a7c15)) >> 40) % PLACES;
    while (places.item[at].pc != 0 && places.item[at].pc != pc)
        at = (at + 1) % PLACES;
    return &places.item[at];
}

static void read_lessons(const struct lessons *lessons)
{
    places.lessons = lessons->count;
    __builtin_memset(places.item, 0, sizeof places.item);
    for (uint32_t i = 0; i < lessons->count; i++) {
        const struct lesson *lesson = &lessons->item[i];
        if ((lesson->kind != LESSON_AWAIT && lesson->kind != LESSON_RETRY) ||
            lessons_know(lessons, LESSON_AWAIT, lesson->value, HIDDEN))
            continue;
        struct place *place = place_of(lesson->value);
        place->pc = lesson->value;
        place->kinds |= lesson->kind == LESSON_AWAIT ? PLACE_AWAIT : PLACE_RETRY;
    }
}

/* What a fingerprint compares, or a store buffer delays, is not known in a trial. */
static bool is_possible(void)
{
    return !rt.fingerprints && !rt.store_buffers && !rt.has_traps && !rt.any_timeouts &&
           rt.board->config.idle_rounds == ROUNDS_SKIP;
}

void look_ahead_begin(void)
{
    const struct lessons *lessons = &rt.board->lessons;
    rt.looking_ahead = false;
    rt.looks_ahead = is_possible() && (lessons_have(lessons, LESSON_AWAIT) ||
                                       lessons_have(lessons, LESSON_RETRY));
    if (rt.looks_ahead && places.lessons != lessons->count)
        read_lessons(lessons);
}

static void learn_place(enum lesson_kind kind, uint64_t pc)
{
    struct lessons *lessons = &rt.board->lessons;
    if (rt.recording || rt.simplifying || !is_possible() || !module_instrumented(pc) ||
        lessons_know(lessons, LESSON_AWAIT, pc, HIDDEN))
        return;
    if (lessons_add(lessons, kind, pc, 0) == LESSON_NEW)
        schedule_start_over();
}

/* Can two reads of the round not be true of the same memory? */
static bool reads_contradict(const struct spin_read *a, uint64_t address, uint32_t size,
                             uint64_t value)
{
    return a->address == address && a->size == size && a->value != value;
}

void look_ahead_learn(struct thread *self, uint32_t from)
{
    const struct spin_read *last = &self->read[self->spin.nreads - 1];
    bool plain_thread = self->atomic == 0 && self->no_preempt == 0 && !self->time.saw_clock;
    if (!plain_thread || last->by_store)
        return;
    if (from + 1 == self->spin.nreads)
        learn_place(LESSON_AWAIT, last->pc);
    else if (from + 2 == self->spin.nreads &&
             reads_contradict(&self->read[from], last->address, last->size, last->value))
        learn_place(LESSON_RETRY, last->pc);
}

bool look_ahead_applies(const struct thread *self, const struct op *op, uint64_t pc)
{
    return place_of(pc)->kinds != 0 && self->spin.state != 0 && op->size <= 8 &&
           op->nobjects == 1 && self->atomic == 0 && self->no_preempt == 0 &&
           !self->time.saw_clock && self->routine_end - fiber_entry.sp < KEPT_STACK / 2 &&
           !lessons_know(&rt.board->lessons, LESSON_BUSY, pc, 0);
}

/* --- Answers --- */

static uint64_t value_at(uint64_t address, uint32_t size)
{
    uint64_t value = 0;
    __builtin_memcpy(&value, (const void *)address, size);
    return value;
}

static uint64_t key_of(const struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    uint64_t facts[] = {
        (uint64_t)thread->slot,  ahead->pc,   ahead->state,
        ahead->address,          ahead->size, value_at(ahead->address, ahead->size),
        thread_frame_end(thread)};
    return XXH3_64bits(facts, sizeof facts) | 1;
}

static struct ahead_answer *answer_place(uint64_t key)
{
    uint64_t at = key >> 8;
    while (answers->item[at & (ANSWERS - 1)].key != 0 &&
           answers->item[at & (ANSWERS - 1)].key != key)
        at++;
    return &answers->item[at & (ANSWERS - 1)];
}

/* --- Trials --- */

static void stack_of_trial(const struct thread *thread, uint64_t *low, uint64_t *high)
{
    uint64_t lowest = (uint64_t)(uintptr_t)thread->fiber.stack;
    uint64_t sp = (uint64_t)(uintptr_t)thread->fiber.sp;
    *low = sp - lowest > BELOW_STACK ? sp - BELOW_STACK : lowest;
    *high = thread->routine_end;
    must(*high - *low <= KEPT_STACK);
}

/* Everything that the program can write, except for the stack of the thread on trial. */
static uint64_t other_memory(const struct thread *tried, const struct thread *asker)
{
    uint64_t hash = heap_hash(snapshot_hash(1));
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        bool stands = thread->state == THREAD_RUNNABLE || thread->state == THREAD_BLOCKED;
        const struct fiber *fiber = thread == asker ? &trial.asker : &thread->fiber;
        uint64_t low = (uint64_t)(uintptr_t)fiber->sp;
        if (thread != tried && stands && thread_owns_stack(thread, low) &&
            low < thread->routine_end)
            hash = XXH3_64bits_withSeed((const void *)low, thread->routine_end - low, hash);
    }
    return hash;
}

/* Code without instrumentation has changed something, which can't be undone. */
static void forget_read(const struct thread *thread)
{
    uint64_t pc = thread->spin.ahead.pc;
    rt.looking_ahead = rt.on_trial = false;
    if (lessons_add(&rt.board->lessons, LESSON_AWAIT, pc, HIDDEN) == LESSON_NO_ROOM)
        rt.board->config.idle_rounds = ROUNDS_EXPLORE;
    schedule_start_over();
}

/* Lets the thread run on, on trial, and puts back what it changes. */
static void run_trial(struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    uint64_t value = value_at(ahead->address, ahead->size);
    uint64_t address = ahead->address, size = ahead->size;
    uint64_t low, high;
    stack_of_trial(thread, &low, &high);
    struct fiber_entry_registers entry = fiber_entry;
    threadset blocking = rt.blocking;
    uint32_t plain_reads = rt.plain_reads;
    int current = rt.current;
    struct thread *self = rt.self;
    rawmem_copy(trial.stack, (const void *)low, high - low);
    trial.record = *thread;
    rt.current = thread->slot;
    rt.self = thread;
    rt.looking_ahead = rt.on_trial = true;
    fiber_swap(&trial.fiber, &thread->fiber);
    rt.on = false;
    rt.looking_ahead = rt.on_trial = false;
    rt.current = current;
    rt.self = self;
    rt.plain_reads = plain_reads;
    rt.blocking = blocking;
    fiber_entry = entry;
    *thread = trial.record;
    rawmem_copy((void *)low, trial.stack, high - low);
    if (value_at(address, (uint32_t)size) != value) /* a compare-exchange that succeeded */
        __builtin_memcpy((void *)address, &value, size);
}

static void make_trial(void *unused)
{
    (void)unused;
    struct thread *thread = trial.thread;
    const struct thread *asker = thread == rt.self ? NULL : rt.self;
    bool proves = !rt.recording;
    uint64_t before = proves ? other_memory(thread, asker) : 0;
    run_trial(thread);
    if (proves && other_memory(thread, asker) != before)
        forget_read(thread);
    fiber_jump(asker ? &trial.asker : &thread->fiber);
}

static void begin_trial(struct thread *thread, bool through)
{
    if (!trial.stack) {
        trial.stack = rt_map(KEPT_STACK);
        trial.fiber.stack = rt_map(TRIAL_STACK);
        trial.fiber.base = trial.fiber.stack + TRIAL_STACK;
        trial.fiber.tls = rt.driver.tls;
    }
    snapshot_watch();
    trial.thread = thread;
    trial.through = through;
    trial.yields = false;
    trial.result = TRIAL_LEAVES;
    trial.pc = trial.state = 0;
    trial.nseen = 0;
    fiber_prepare(&trial.fiber, make_trial, NULL);
}

/* Returns on trial (rt.looking_ahead) if the thread is the current one. */
static void try_thread(struct thread *thread, bool through)
{
    must(!rt.on_trial);
    begin_trial(thread, through);
    if (thread == rt.self) {
        fiber_swap(&thread->fiber, &trial.fiber);
        return;
    }
    trial.asker = (struct fiber){.tls = rt.self->fiber.tls};
    fiber_swap(&trial.asker, &trial.fiber);
}

static void end_trial(enum trial_result result) __attribute__((noreturn));
static void end_trial(enum trial_result result)
{
    trial.result = result;
    fiber_jump(&trial.fiber);
}

void look_ahead_stop(void)
{
    end_trial(TRIAL_LEAVES);
}

void look_ahead_at_atomic(uint64_t address, uint32_t size, bool reads, uint64_t pc)
{
    struct thread *self = rt.self;
    uint32_t nreads = self->spin.nreads;
    bool looked = reads && size <= 8;
    uint64_t state = looked ? spin_local_state(self, pc) : 0;
    rt.on = false;
    if (state == 0 || self->spin.nreads != nreads) /* it has left the loop's function */
        end_trial(TRIAL_LEAVES);
    trial.pc = pc;
    trial.state = state;
    if (!trial.through)
        end_trial(TRIAL_READS);
    for (uint32_t i = 0; i < trial.nseen; i++)
        if (trial.seen[i].pc == pc && trial.seen[i].state == state)
            end_trial(TRIAL_IDLE);
    if (trial.nseen == ROUNDS_MOST) {
        rt.saw_unproven_loop = true;
        end_trial(TRIAL_LEAVES);
    }
    trial.seen[trial.nseen].pc = pc;
    trial.seen[trial.nseen++].state = state;
    if (heap_check(address, size) != HEAP_OK)
        end_trial(TRIAL_LEAVES);
}

void look_ahead_at_operation(const struct op *op)
{
    if (op->kind != OP_YIELD || op->flags != OP_YIELDS)
        look_ahead_stop();
    trial.yields = true;
    rt.on = false;
}

/* Own frames are part of the local state. Other plain memory may be written by other threads,
 * and the access may be a race: it must happen. */
void look_ahead_at_access(uint64_t address, uint64_t size, bool write)
{
    const struct thread *self = rt.self;
    uint64_t here = (uint64_t)(uintptr_t)__builtin_frame_address(0);
    bool own = address >= here && address + size <= thread_frame_end(self) &&
               thread_owns_stack(self, here) && !stacks_shared(address);
    if (!own && (write || !trial.through))
        look_ahead_stop();
}

/* --- The wait --- */

/* Does the read lead back to itself? */
static bool closes_alone(const struct spin_ahead *ahead)
{
    return ahead->next_pc == ahead->pc && ahead->next_state == ahead->state;
}

/* Does it lead back to the read before it, in a round in which the thread is nowhere free to
 * wait? */
static bool closes_with_last(const struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    if (thread->spin.nreads == 0 || ahead->leads_over_yield || ahead->yielded)
        return false;
    const struct spin_read *head = &thread->read[thread->spin.nreads - 1];
    return head->pc == ahead->next_pc && head->state == ahead->next_state && !head->by_store &&
           reads_contradict(head, ahead->address, ahead->size,
                            value_at(ahead->address, ahead->size));
}

/* Would the read close a round, with the present value of its location? */
static bool closes_round(const struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    unsigned kinds = place_of(ahead->pc)->kinds;
    if (ahead->next_pc == 0)
        return false;
    if (!closes_alone(ahead))
        return kinds == PLACE_RETRY && closes_with_last(thread);
    if (!(kinds & PLACE_AWAIT))
        learn_place(LESSON_AWAIT, ahead->pc);
    return kinds & PLACE_AWAIT;
}

static void keep_answer(uint64_t key)
{
    bool reads = trial.result == TRIAL_READS;
    if (answers->count == ANSWERS_MOST) /* start again: each can be found out again */
        __builtin_memset(answers, 0, sizeof *answers);
    answers->count++;
    *answer_place(key) = (struct ahead_answer){.key = key,
                                               .pc = reads ? trial.pc : 0,
                                               .state = reads ? trial.state : 0,
                                               .yields = trial.yields};
}

/* Finds out where the thread's read leads with the present value. Returns false on trial. */
static bool find_answer(struct thread *thread)
{
    struct spin_ahead *ahead = &thread->spin.ahead;
    uint64_t key = key_of(thread);
    if (LIKELY(ahead->key == key))
        return true;
    if (answer_place(key)->key != key) {
        try_thread(thread, false);
        if (rt.looking_ahead)
            return false;
        keep_answer(key);
    }
    const struct ahead_answer *answer = answer_place(key);
    ahead->key = key;
    ahead->next_pc = answer->pc;
    ahead->next_state = answer->state;
    ahead->leads_over_yield = answer->yields;
    return true;
}

static bool is_ready(struct thread *thread)
{
    if (UNLIKELY(thread->signals.handled_in_spin))
        return true;
    /* Dead stack slots differ in a recording, so that a round may close one round sooner: the
     * schedule knows better. An OS thread can't be tried at all. */
    if (UNLIKELY(rt.recording) && (rt.os_threads || schedule_is_next(thread->slot)))
        return schedule_is_next(thread->slot);
    must(thread != rt.self || thread->spin.ahead.key == key_of(thread));
    find_answer(thread);
    return !closes_round(thread);
}

void look_ahead_point(struct op *op, uint64_t address, uint64_t pc)
{
    struct thread *self = rt.self;
    self->spin.ahead = (struct spin_ahead){.pc = pc,
                                           .state = self->spin.state,
                                           .address = address,
                                           .size = op->size,
                                           .yielded = self->spin.yielded};
    rt.on = false;
    if (!rt.os_threads && !find_answer(self))
        return;
    op->flags |= OP_MAY_BLOCK | OP_SPINS;
    self->signals.handled_in_spin = false;
    schedule_point_blocking(op, is_ready);
    op->flags &= (uint16_t) ~(OP_MAY_BLOCK | OP_SPINS);
}

/* --- The end of an execution --- */

/* Does the thread stand in the middle of a round, which a thread that is alone would leave? */
static bool would_go_on(struct thread *thread)
{
    bool waits = threadset_has(&rt.blocking, thread->slot) && thread->wait.ready == is_ready;
    if (!waits || rt.os_threads || closes_alone(&thread->spin.ahead))
        return false;
    try_thread(thread, true);
    return !rt.looking_ahead && trial.result == TRIAL_LEAVES;
}

void look_ahead_judge(void)
{
    if (!rt.looks_ahead)
        return;
    for (uint32_t t = 0; t < rt.used; t++) {
        bool goes_on = would_go_on(&rt.thread[t]);
        if (rt.looking_ahead)
            return;
        if (goes_on)
            schedule_end(OUTCOME_REDUNDANT);
    }
}
