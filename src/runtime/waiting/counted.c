/* Loops that count their rounds and then do something else, usually block:
 *
 *     for (spin = 10000; spin > 0; spin--)      P: reads count
 *         if (load(&count) > 0 && …)
 *             return;
 *     futex_wait(…);
 *
 * No two rounds begin in the same state, so none of them is idle (spin.c), and each number of
 * rounds before another thread changes `count` is another execution: a search would be about
 * nothing else. What matters is nearly always only whether the change comes before the end of
 * the loop. So once a search has come to such a loop over and over, it starts over, and from
 * then on the thread chooses once: when it comes to P again after two rounds alike, and all
 * that they read is as the thread last saw it, it runs all rounds that are left as one step.
 *
 *     P … P (another thread changes count) P …    the thread was switched away from in the loop
 *     P … P P P P P … futex_wait                  it was not
 *
 * Each such execution is one of the program: a thread may run so many rounds without a switch.
 * What is left out are executions in which the number of rounds before a change matters (also a
 * change in the middle of the very last round), and the result says so (REASON_ROUNDS_COUNTED).
 *
 * For the reductions P is a read of everything that the round reads. Whether the thread runs on
 * depends only on the values of these locations, and whether the read is such a P on the
 * thread's own past. The reads of the rounds that are left are no operations, but they acquire
 * what they read as usual: a value may have come back.
 *
 * Invariant: while rt.rushing is set the current thread has reached no operation since P. */
#include "runtime/waiting/counted.h"

#include "explore/search/search.h"
#include "runtime/core/modules.h"
#include "runtime/core/schedule.h"
#include "runtime/race/race.h"
#include "runtime/waiting/spin.h"

#define ROUNDS_LEAST 64         /* fewer can be searched one by one, and are */
#define STEPS_LEAST  1000000    /* of the search, which does not end soon */
#define PASSED_MOST  (1u << 18) /* reads of one rush: the loop does not end by itself */
#define ENDLESS      1          /* size of the lesson: then P is an ordinary read again */

static struct {
    uint64_t pc;   /* of P */
    uint32_t from; /* the round is self->read[from] … */
    uint32_t passed;
} rush;

static bool is_counted(uint64_t pc)
{
    const struct lessons *lessons = &rt.board->lessons;
    return lessons_know(lessons, LESSON_COUNTED, pc, 0) &&
           !lessons_know(lessons, LESSON_COUNTED, pc, ENDLESS);
}

bool counted_learned(void)
{
    const struct lessons *lessons = &rt.board->lessons;
    for (uint32_t i = 0; i < lessons->count; i++)
        if (lessons->item[i].kind == LESSON_COUNTED && is_counted(lessons->item[i].value))
            return true;
    return false;
}

/* A fingerprint does not cover which reads are counted, and store buffers are watched at
 * operations. */
void counted_begin(void)
{
    rt.rushing = false;
    rt.counts_rounds = counted_learned() && !rt.fingerprints && !rt.store_buffers;
}

#define NO_ROUND UINT32_MAX

/* The read of P with which the last round before `end` began. */
static uint32_t find_round(const struct thread *self, uint32_t end, uint64_t pc,
                           uint64_t address)
{
    for (uint32_t i = end; i-- > 0;)
        if (self->read[i].pc == pc)
            return self->read[i].address == address ? i : NO_ROUND;
    return NO_ROUND;
}

/* After P, did the last round read the same as the one before? Otherwise something has changed
 * in the last round, and the thread must have seen a whole round since. */
static bool is_repeated(const struct thread *self, uint32_t from, uint64_t pc, uint64_t address)
{
    uint32_t length = self->spin.nreads - from;
    if (length == 1)
        return true;
    uint32_t before = find_round(self, from, pc, address);
    if (before == NO_ROUND || from - before != length)
        return false;
    for (uint32_t i = 1; i < length; i++) {
        const struct spin_read *a = &self->read[before + i], *b = &self->read[from + i];
        if (a->pc != b->pc || a->address != b->address || a->value != b->value)
            return false;
    }
    return true;
}

static bool learn_loop(const struct thread *thread, uint64_t pc)
{
    struct lessons *lessons = &rt.board->lessons;
    return !rt.recording && !rt.simplifying && !rt.fingerprints && !rt.store_buffers &&
           !thread->time.saw_clock && module_instrumented(pc) &&
           !lessons_know(lessons, LESSON_WAIT, pc, 0) &&
           lessons_add(lessons, LESSON_COUNTED, pc, 0) == LESSON_NEW;
}

void counted_note(struct thread *self, uint64_t pc, uint64_t address)
{
    if (find_round(self, self->spin.nreads, pc, address) == NO_ROUND ||
        ++self->spin.rounds % ROUNDS_LEAST != 0)
        return;
    if (search_stats(rt.search)->steps >= STEPS_LEAST && learn_loop(self, pc))
        schedule_start_over();
}

/* Every thread that is in such a loop. */
bool counted_learn_stuck(void)
{
    bool learned = false;
    for (uint32_t t = 0; t < rt.used; t++) {
        const struct thread *thread = &rt.thread[t];
        if (thread->spin.rounds >= ROUNDS_LEAST && thread->spin.nreads > 0)
            learned |= learn_loop(thread, thread->read[thread->spin.nreads - 1].pc);
    }
    return learned;
}

bool counted_applies(const struct thread *self, uint64_t pc, uint64_t address, uint32_t *from)
{
    if (!is_counted(pc) || self->atomic > 0 || self->no_preempt > 0 || self->time.saw_clock)
        return false;
    *from = find_round(self, self->spin.nreads, pc, address);
    return *from != NO_ROUND && is_repeated(self, *from, pc, address);
}

void counted_point(struct op *op, uint32_t from)
{
    struct thread *self = rt.self;
    spin_add_reads(self, op, from);
    schedule_point(op);
    if (!spin_reads_unchanged(self, from))
        return;
    rush.pc = op->pc;
    rush.from = from;
    rush.passed = 0;
    rt.rushing = true;
}

bool counted_is_read(uint64_t address, uint64_t pc)
{
    const struct thread *self = rt.self;
    for (uint32_t i = rush.from; i < self->spin.nreads; i++)
        if (self->read[i].pc == pc && self->read[i].address == address)
            return true;
    return false;
}

void counted_read(uint64_t address, uint32_t size, int order, uint64_t pc)
{
    race_atomic_load(rt.current, address, size, order, pc);
    if (++rush.passed < PASSED_MOST)
        return;
    bool learns = !rt.recording && !rt.simplifying;
    if (learns &&
        lessons_add(&rt.board->lessons, LESSON_COUNTED, rush.pc, ENDLESS) == LESSON_NEW)
        schedule_start_over();
    schedule_end(OUTCOME_CUT);
}

/* Only where the rounds have yielded before: a yield behind the loop is a free switch. */
bool counted_passes_yield(void)
{
    const struct thread *self = rt.self;
    if (LIKELY(!rt.rushing))
        return false;
    for (uint32_t i = rush.from; i < self->spin.nreads; i++)
        if (self->read[i].yielded)
            return true;
    return false;
}
