/* Waiting loops that cost nothing: a read that would close an idle round is a disabled
 * operation.
 *
 * A round is a sequence of reads after which the thread is in the same local state as before,
 * and has changed nothing. Removing a round from an execution gives an execution with the same
 * other operations, values and end. So executions with rounds need not be searched at all: the
 * read that would close one waits until its location has another value. Whether it waits
 * depends on the thread's own past and on the one location that it reads, so for the reductions
 * it is an ordinary blocking operation, and `while (!flag) ;` costs as much as a semaphore.
 *
 *     lock:  while (load(&now) != mine) ;      load = 3 waits while now is 0, 1, 2: no event
 *     ttas:  do while (load(&taken)) ;         waits while taken is 1
 *            while (exchange(&taken, 1))       after a load of 0: waits while taken is 1
 *
 * A trial finds out where a read leads (trial.c). If the thread does more than read, the read
 * is an ordinary operation, and the rule of spin.c applies when the thread has really completed
 * its round.
 *
 * The search learns which reads look ahead (the pc of the read that closed a round), and starts
 * over. A round of a single read is LESSON_AWAIT. A round with another read before it is
 * LESSON_RETRY: there the thread must not be free to wait inside the round, since removing the
 * round would then cost a preemption:
 *   - the two reads can't both be true of the same memory: no such round is idle by itself;
 *   - the thread does not yield between them, and does not wait at the second one.
 * LESSON_ATTEMPT is a read of a loop that tries again: it waits as long as it would lead the
 * thread to where it would be if it had begun later (retry.c); LESSON_FIRST is the first read
 * of such attempts, LESSON_WAITS a read at which the thread may be free to leave.
 *
 * LESSON_ASSUME is a read after which mazur_assume failed, with no operation in between. An
 * execution in which it fails counts for nothing, so the read waits for a value with which it
 * does not fail. If no thread can run and one of them waits for this, the execution ends as if
 * the assumption had failed: time must not pass then, since the thread could have read.
 *
 * A thread may wait inside a round for ever although a round that began now would end
 * differently. An execution that ends like this is redundant: it counts neither as a trace nor
 * as a failure. */
#define XXH_INLINE_ALL
#include "runtime/waiting/look_ahead.h"

#include <xxhash.h>

#include "base/hash.h"
#include "base/must.h"
#include "runtime/core/modules.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/memory/heap.h"
#include "runtime/race/race.h"
#include "runtime/waiting/attempt.h"
#include "runtime/waiting/known_waits.h"
#include "runtime/waiting/retry.h"
#include "runtime/waiting/spin_stack.h"
#include "runtime/waiting/trial.h"

#define PLACES (4 * LESSONS_MOST)
/* Sizes of lessons: unseen code has an effect there (LESSON_AWAIT); whether the attempt is
 * redundant depends on the value (LESSON_ATTEMPT). */
#define HIDDEN 1
#define FICKLE 1

/* The learned reads, as a table of their pcs: looked up at every read. */
enum {
    PLACE_AWAIT = 1,
    PLACE_RETRY = 2,
    PLACE_ATTEMPT = 4,
    PLACE_FIRST = 8,
    PLACE_WAITS = 16,
    PLACE_FICKLE = 32,
    PLACE_ASSUME = 64,
    PLACE_LOOKS = PLACE_AWAIT | PLACE_RETRY | PLACE_ATTEMPT | PLACE_FIRST | PLACE_ASSUME,
};
static struct {
    uint32_t lessons; /* how many lessons there were */
    struct place {
        uint64_t pc;
        unsigned kinds;
    } item[PLACES];
} places = {.lessons = UINT32_MAX};

/* --- Which reads look ahead --- */

static struct place *place_of(uint64_t pc)
{
    uint32_t at = hash_slot(pc, 24) % PLACES;
    while (places.item[at].pc != 0 && places.item[at].pc != pc)
        at = (at + 1) % PLACES;
    return &places.item[at];
}

static unsigned kind_of_place(const struct lesson *lesson)
{
    switch (lesson->kind) {
    case LESSON_AWAIT:
        return PLACE_AWAIT;
    case LESSON_RETRY:
        return PLACE_RETRY;
    case LESSON_ATTEMPT:
        return lesson->size == FICKLE ? PLACE_FICKLE : PLACE_ATTEMPT;
    case LESSON_FIRST:
        return PLACE_FIRST;
    case LESSON_WAITS:
        return PLACE_WAITS;
    case LESSON_ASSUME:
        return PLACE_ASSUME;
    default:
        return 0;
    }
}

static void read_lessons(const struct lessons *lessons)
{
    places.lessons = lessons->count;
    __builtin_memset(places.item, 0, sizeof places.item);
    for (uint32_t i = 0; i < lessons->count; i++) {
        const struct lesson *lesson = &lessons->item[i];
        unsigned kind = kind_of_place(lesson);
        if (kind == 0 || lessons_know(lessons, LESSON_AWAIT, lesson->value, HIDDEN))
            continue;
        struct place *place = place_of(lesson->value);
        place->pc = lesson->value;
        place->kinds |= kind;
    }
}

/* A trial does not know what a fingerprint compares or what a store buffer delays. */
static bool is_possible(void)
{
    return !rt.fingerprints && !rt.store_buffers && !rt.has_traps && !rt.any_timeouts &&
           rt.board->config.idle_rounds == ROUNDS_SKIP;
}

void look_ahead_begin(void)
{
    const struct lessons *lessons = &rt.board->lessons;
    rt.looking_ahead = false;
    rt.looks_ahead =
        is_possible() &&
        (lessons_have(lessons, LESSON_AWAIT) || lessons_have(lessons, LESSON_RETRY) ||
         lessons_have(lessons, LESSON_ATTEMPT) || lessons_have(lessons, LESSON_ASSUME));
    if (rt.looks_ahead && places.lessons != lessons->count)
        read_lessons(lessons);
    rt.pos.must_wait = rt.looks_ahead ? known_waits_ask : NULL;
}

bool look_ahead_waits_at(uint64_t pc)
{
    return place_of(pc)->kinds & (PLACE_AWAIT | PLACE_WAITS);
}

static bool can_learn(uint64_t pc)
{
    return !rt.recording && !rt.simplifying && is_possible() && module_instrumented(pc) &&
           !lessons_know(&rt.board->lessons, LESSON_AWAIT, pc, HIDDEN);
}

static bool add_lesson(enum lesson_kind kind, uint64_t pc)
{
    return can_learn(pc) && lessons_add(&rt.board->lessons, kind, pc, 0) == LESSON_NEW;
}

/* Without this lesson the search would be wrong: if there is no room for it, nothing looks
 * ahead any more. Returns whether the search must start over. */
static bool add_caution(enum lesson_kind kind, uint64_t pc, uint32_t size)
{
    enum lesson_result result = lessons_add(&rt.board->lessons, kind, pc, size);
    if (result == LESSON_NO_ROOM)
        rt.board->config.idle_rounds = ROUNDS_EXPLORE;
    return result != LESSON_KNOWN;
}

static void learn_place(enum lesson_kind kind, uint64_t pc)
{
    if (add_lesson(kind, pc))
        schedule_start_over();
}

void look_ahead_forget(const struct thread *thread)
{
    rt.looking_ahead = rt.on_trial = false;
    add_caution(LESSON_AWAIT, thread->spin.ahead.pc, HIDDEN);
    schedule_start_over();
}

/* Do two reads of the round contradict each other, because memory can't hold both values at
 * once? */
static bool reads_contradict(const struct spin_read *a, uint64_t address, uint32_t size,
                             uint64_t value)
{
    return a->address == address && a->size == size && a->value != value;
}

static bool is_plain_thread(const struct thread *thread)
{
    return thread->atomic == 0 && thread->no_preempt == 0 && !thread->time.saw_clock;
}

/* The thread is free to leave at each read of the round, so none of them is part of an attempt
 * that may be left out. */
static void learn_waits(const struct thread *self, uint32_t from)
{
    bool starts_over = false;
    for (uint32_t i = from; i < self->spin.nreads; i++) {
        uint64_t pc = self->read[i].pc;
        bool fresh = can_learn(pc) && add_caution(LESSON_WAITS, pc, 0);
        if (fresh && lessons_know(&rt.board->lessons, LESSON_ATTEMPT, pc, 0))
            starts_over = true;
    }
    if (starts_over)
        schedule_start_over();
}

void look_ahead_learn(struct thread *self, uint32_t from)
{
    const struct spin_read *last = &self->read[self->spin.nreads - 1];
    bool is_alone = from + 1 == self->spin.nreads;
    if (is_plain_thread(self) && !last->by_store) {
        if (is_alone)
            learn_place(LESSON_AWAIT, last->pc);
        else if (from + 2 == self->spin.nreads &&
                 reads_contradict(&self->read[from], last->address, last->size, last->value))
            learn_place(LESSON_RETRY, last->pc);
    }
    if (!retry_saw_change(self, from))
        learn_waits(self, from);
}

void look_ahead_learn_retry(struct thread *self, uint64_t pc)
{
    uint32_t n = self->spin.nreads;
    bool fresh = false;
    if (!is_plain_thread(self) || !retry_saw_change(self, 0) ||
        (rt.looks_ahead && look_ahead_waits_at(pc)))
        return;
    for (uint32_t i = n; i-- > 0;) {
        if (add_lesson(LESSON_ATTEMPT, self->read[i].pc))
            fresh = true;
        if (self->read[i].pc == pc)
            break;
    }
    if (add_lesson(LESSON_FIRST, self->read[0].pc) || fresh)
        schedule_start_over();
}

void look_ahead_learn_assume(const struct thread *self)
{
    if (self->spin.nreads == 0 || self->spin.state == 0 || !is_plain_thread(self))
        return;
    const struct spin_read *last = &self->read[self->spin.nreads - 1];
    bool is_its_step = rt.done_step == rt.pos.depth && rt.done.pc == last->pc &&
                       rt.done.object[0] == last->object;
    if (is_its_step && !last->by_store && last->size <= 8)
        learn_place(LESSON_ASSUME, last->pc);
}

bool look_ahead_applies(const struct thread *self, const struct op *op, uint64_t pc)
{
    return (place_of(pc)->kinds & PLACE_LOOKS) && self->spin.state != 0 && op->size <= 8 &&
           op->nobjects == 1 && is_plain_thread(self) &&
           self->routine_end - fiber_entry.sp < TRIAL_KEPT_STACK / 2 &&
           !lessons_know(&rt.board->lessons, LESSON_BUSY, pc, 0);
}

/* --- The wait --- */

/* Does the read lead back to itself? */
static bool closes_alone(const struct spin_ahead *ahead)
{
    return ahead->next_reads && ahead->next_pc == ahead->pc &&
           ahead->next_state == ahead->state;
}

/* Does it lead back to the read before it, in a round in which the thread is never free to
 * wait? */
static bool closes_with_last(const struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    if (thread->spin.nreads == 0 || ahead->leads_over_yield || ahead->yielded ||
        !ahead->next_reads)
        return false;
    const struct spin_read *head = &thread->read[thread->spin.nreads - 1];
    struct ahead_read read = trial_pending_read(thread);
    return head->pc == ahead->next_pc && head->state == ahead->next_state && !head->by_store &&
           reads_contradict(head, read.address, read.size, read.value);
}

/* Would the read close a round, with the present value of its location? */
static bool closes_round(struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    unsigned kinds = place_of(ahead->pc)->kinds;
    if (ahead->assumes)
        return kinds & PLACE_ASSUME;
    if (!closes_alone(ahead))
        return ((kinds & PLACE_RETRY) && !(kinds & PLACE_AWAIT) && closes_with_last(thread)) ||
               (ahead->retries && retry_is_redundant(thread));
    if (!(kinds & PLACE_AWAIT))
        learn_place(LESSON_AWAIT, ahead->pc);
    return kinds & PLACE_AWAIT;
}

/* Finds out whether the read closes a round with the present value. Returns false during a
 * trial. */
static bool find_answer(struct thread *thread)
{
    struct spin_ahead *ahead = &thread->spin.ahead;
    struct ahead_read read = trial_pending_read(thread);
    uint64_t key = trial_key(thread, ahead->pc, ahead->state, &read);
    if (LIKELY(ahead->key == key))
        return true;
    struct ahead_answer answer = trial_find_next(thread, key);
    if (rt.looking_ahead)
        return false;
    ahead->next_pc = answer.pc;
    ahead->next_state = answer.state;
    ahead->next_reads = answer.reads;
    ahead->leads_over_yield = answer.yields;
    ahead->stores = answer.stores;
    ahead->assumes = answer.assumes;
    ahead->closes = closes_round(thread);
    ahead->key = key;
    known_waits_note(ahead->name, read.value, ahead->closes);
    return true;
}

/* The thread had to wait as soon as it arrived (`held`), so switching away from it cost
 * nothing, although the program could have continued. If the thread waits until the end, the
 * execution is redundant. If the thread continues with another value, or the execution fails,
 * the execution counts fewer preemptions than it should: then the search learns that this read
 * must not wait. */
static void leave_alone(const struct thread *thread)
{
    if (add_caution(LESSON_ATTEMPT, thread->spin.ahead.pc, FICKLE))
        schedule_start_over();
}

static bool goes_on_after_all(const struct thread *thread)
{
    if (!rt.recording && !rt.simplifying)
        leave_alone(thread);
    return false;
}

static bool is_ready(struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    if (UNLIKELY(thread->signals.handled_in_spin) ||
        UNLIKELY(heap_check(ahead->address, ahead->size) != HEAP_OK))
        return true;
    /* Dead stack slots differ in a recording, so a round may close one round sooner there: the
     * schedule decides instead. A trial of an OS thread is impossible. */
    if (UNLIKELY(rt.recording) && (rt.os_threads || schedule_is_next(thread->slot)))
        return schedule_is_next(thread->slot);
    find_answer(thread);
    if (ahead->closes)
        return false;
    return UNLIKELY(ahead->held) ? goes_on_after_all(thread) : true;
}

/* A read that waits still counts as an access: it could have happened here, in an execution
 * that is not searched. So it is checked against plain accesses. It acquires nothing: if
 * nothing orders a plain write before the thread's arrival, there is an execution in which the
 * read comes right before the write. */
static void check_race(struct thread *self, const struct op *op)
{
    const struct spin_ahead *ahead = &self->spin.ahead;
    if (UNLIKELY(rt.recording) && schedule_is_next(self->slot))
        return;
    if (!rt.os_threads && !ahead->closes)
        return;
    bool stores = rt.os_threads ? op->kind == OP_RMW : ahead->stores;
    race_await(self->slot, ahead->address, ahead->size, stores, ahead->pc);
}

/* Where a trial that leaves the function ends. */
static uint64_t outer_stack(const struct thread *self)
{
    uint64_t low = thread_frame_end(self), high = self->routine_end;
    if (low == 0 || low >= high || stacks_overlap(low, high))
        return 0;
    return XXH3_64bits((const void *)low, high - low);
}

static bool is_retry(const struct thread *self, unsigned kinds)
{
    return (kinds & PLACE_ATTEMPT) && !(kinds & (PLACE_FICKLE | PLACE_AWAIT | PLACE_WAITS)) &&
           !rt.os_threads && retry_is_possible(self);
}

void look_ahead_point(struct op *op, uint64_t address, uint64_t pc)
{
    struct thread *self = rt.self;
    struct spin_ahead *ahead = &self->spin.ahead;
    unsigned kinds = place_of(pc)->kinds;
    *ahead = (struct spin_ahead){.pc = pc,
                                 .state = self->spin.state,
                                 .address = address,
                                 .size = op->size,
                                 .yielded = self->spin.yielded};
    rt.on = false;
    if ((kinds & PLACE_FIRST) && self->spin.nreads == 0 && !rt.os_threads &&
        !attempt_is_kept(self)) {
        trial_keep_beginning(self);
        if (rt.looking_ahead) /* rewound to here */
            return;
    }
    ahead->retries = is_retry(self, kinds);
    if (!ahead->retries && !(kinds & (PLACE_AWAIT | PLACE_RETRY | PLACE_ASSUME))) {
        schedule_point(op);
        return;
    }
    ahead->outer = ahead->retries ? outer_stack(self) : 0;
    op->wait = ahead->name =
        known_waits_name(self, ahead->retries || kinds & PLACE_RETRY, places.lessons);
    if (!rt.os_threads && !find_answer(self))
        return;
    ahead->held = ahead->closes && ahead->retries && !closes_alone(ahead);
    check_race(self, op);
    op->flags |= OP_MAY_BLOCK | OP_SPINS;
    self->signals.handled_in_spin = false;
    schedule_point_blocking(op, is_ready);
    op->flags &= (uint16_t) ~(OP_MAY_BLOCK | OP_SPINS);
}

/* --- The end of an execution --- */

static bool waits_ahead(const struct thread *thread)
{
    return threadset_has(&rt.blocking, thread->slot) && thread->wait.ready == is_ready &&
           !rt.os_threads;
}

/* Is the thread in the middle of a round that it would leave if it ran alone? */
static bool would_go_on(struct thread *thread)
{
    return waits_ahead(thread) && !closes_alone(&thread->spin.ahead) &&
           trial_finds_way_out(thread);
}

/* Answers are kept. If the loop calls code without instrumentation, it may have read something
 * else, which another thread has changed since: then this is no livelock. */
static bool would_do_otherwise(struct thread *thread)
{
    return waits_ahead(thread) && !rt.recording && !trial_confirms(thread);
}

/* Does the thread wait for what mazur_assume asks for? */
static bool waits_to_assume(const struct thread *thread)
{
    return threadset_has(&rt.blocking, thread->slot) && thread->wait.ready == is_ready &&
           thread->spin.ahead.assumes;
}

void look_ahead_judge_assumed(void)
{
    for (uint32_t t = 0; rt.looks_ahead && t < rt.used; t++)
        if (waits_to_assume(&rt.thread[t]))
            schedule_end(OUTCOME_ASSUME_WAITS);
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
    for (uint32_t t = 0; t < rt.used; t++) {
        bool differs = would_do_otherwise(&rt.thread[t]);
        if (rt.looking_ahead)
            return;
        if (differs)
            look_ahead_forget(&rt.thread[t]);
    }
}

void look_ahead_at_failure(void)
{
    if (!rt.looks_ahead || rt.recording)
        return;
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        if (!threadset_has(&rt.blocking, (int)t) || thread->wait.ready != is_ready ||
            !thread->spin.ahead.held)
            continue;
        if (rt.simplifying)
            schedule_end(OUTCOME_REDUNDANT);
        leave_alone(thread);
    }
}
