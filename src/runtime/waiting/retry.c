/* A thread that retries: which reads make its earlier attempt redundant?
 *
 *     again: old = load(&top);                  r0    v1
 *            next = load(&old->next);           r1           another thread changes top
 *            if (!cas(&top, old, next))         r2    v2     fails
 *                goto again;                    r3    v3     where would the thread be now
 *                                                            if it had begun here?
 *
 * Let r0 … rm be the reads since the thread's last progress, rm the one that it is about to
 * make. Suppose that the thread, put back to where it was before rp (the anchor) and given the
 * values of ri … rm, makes exactly these reads and then is where rm leads it. Then the
 * execution without rp … r(i-1) is an execution with the same other operations, values and end:
 * reads change nothing, and the thread's state after rm is the same. So rm waits until its
 * location has a value for which this does not hold. With no reads left (rm leads back to the
 * anchor) this is a round of a waiting loop.
 *
 * The comparison is made by trials (trial.c). Whether rm waits depends on the thread's own past
 * and on the one location that rm reads.
 *
 * What else must hold:
 *   - Races: the thread makes no plain access outside its own frames between the anchor and
 *     rm, because leaving out the attempt would leave out the access. (Each step from the
 *     anchor on has its own answer, and no trial continues past such an access.) Nor does it
 *     store a value that is already there.
 *   - Preemptions: the execution without the attempt must not cost more. So the reads from the
 *     anchor on must contradict each other (one location, two values): then there was a switch
 *     away from the thread in between. The switch was a preemption unless it was free, so the
 *     thread must not yield between the anchor and rm, and no read there may be one at which a
 *     round of a waiting loop has closed (LESSON_AWAIT, LESSON_WAITS). A thread that has to
 *     wait as soon as it arrives at rm must not continue in this execution: look_ahead.c
 *     ensures that. */
#include "runtime/waiting/retry.h"

#include "base/must.h"
#include "runtime/core/runtime.h"
#include "runtime/waiting/attempt.h"
#include "runtime/waiting/look_ahead.h"
#include "runtime/waiting/trial.h"

/* The reads of an attempt; the last one is pending. */
struct attempt_reads {
    struct thread *thread;
    uint32_t last;
    struct ahead_read item[SPIN_READS + 1];
};

static bool same_location(const struct ahead_read *a, const struct ahead_read *b)
{
    return a->address == b->address && a->size == b->size;
}

/* The first read that can be an anchor. Returns nreads if there is none. */
static uint32_t lowest_anchor(const struct thread *thread)
{
    uint32_t p = thread->spin.nreads;
    if (thread->spin.ahead.yielded || !attempt_is_current(thread))
        return p;
    while (p > 0) {
        const struct spin_read *read = &thread->read[p - 1];
        if (read->by_store || read->by_rmw)
            break;
        p--;
        if (read->yielded || look_ahead_waits_at(read->pc))
            break;
    }
    return p;
}

bool retry_saw_change(const struct thread *thread, uint32_t from)
{
    for (uint32_t i = from; i < thread->spin.nreads; i++)
        for (uint32_t j = i + 1; j < thread->spin.nreads; j++)
            if (thread->read[i].address == thread->read[j].address &&
                thread->read[i].size == thread->read[j].size &&
                thread->read[i].value != thread->read[j].value)
                return true;
    return false;
}

bool retry_is_possible(const struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    uint32_t anchor = lowest_anchor(thread);
    for (uint32_t i = anchor; i < thread->spin.nreads; i++)
        if (thread->read[i].address == ahead->address && thread->read[i].size == ahead->size)
            return true;
    return retry_saw_change(thread, anchor);
}

/* Where does the thread get to from `state` at `pc`, after the reads 0 … skipped-1, if it
 * continues with `from` … `to`? */
static struct ahead_answer find_step(const struct attempt_reads *reads, uint64_t pc,
                                     uint64_t state, uint32_t skipped, uint32_t from,
                                     uint32_t to)
{
    struct ahead_read fed[SPIN_READS + 1];
    uint32_t count = 0;
    for (uint32_t i = 0; i < skipped; i++)
        fed[count++] = reads->item[i];
    for (uint32_t i = from; i <= to; i++)
        fed[count++] = reads->item[i];
    uint64_t key = trial_key(reads->thread, pc, state, &reads->item[to]);
    return trial_find_fed(reads->thread, key, fed, count);
}

static bool is_plain_step(const struct ahead_answer *answer)
{
    return answer->key != 0 && answer->state != 0 && !answer->yields && !answer->stores;
}

/* Does the thread do nothing but the read p before its next read? */
static bool step_is_clean(const struct attempt_reads *reads, uint32_t p)
{
    const struct thread *thread = reads->thread;
    const struct spin_read *read = &thread->read[p];
    bool is_last = p + 1 == reads->last;
    uint64_t pc = is_last ? thread->spin.ahead.pc : thread->read[p + 1].pc;
    uint64_t state = is_last ? thread->spin.ahead.state : thread->read[p + 1].state;
    struct ahead_answer answer = find_step(reads, read->pc, read->state, p, p, p);
    return is_plain_step(&answer) && answer.reads && answer.pc == pc && answer.state == state;
}

/* Does the thread, starting before its read p, get to where the last read leads if its next
 * reads are those from i on? */
static bool leads_to_same(const struct attempt_reads *reads, uint32_t p, uint32_t i)
{
    const struct spin_ahead *ahead = &reads->thread->spin.ahead;
    uint64_t pc = reads->thread->read[p].pc, state = reads->thread->read[p].state;
    if (!same_location(&reads->item[p], &reads->item[i]))
        return false;
    for (uint32_t k = i; k <= reads->last; k++) {
        struct ahead_answer answer = find_step(reads, pc, state, p, i, k);
        if (!is_plain_step(&answer))
            return false;
        pc = answer.pc;
        state = answer.state;
        if (k == reads->last)
            return pc == ahead->next_pc && state == ahead->next_state &&
                   answer.reads == ahead->next_reads;
        struct ahead_read next = {answer.address, 0, answer.size};
        if (!answer.reads || !same_location(&next, &reads->item[k + 1]))
            return false;
    }
    return false;
}

static bool is_redundant_from(const struct attempt_reads *reads, uint32_t p)
{
    const struct spin_ahead *ahead = &reads->thread->spin.ahead;
    const struct spin_read *anchor = &reads->thread->read[p];
    if (ahead->next_reads && ahead->next_pc == anchor->pc && ahead->next_state == anchor->state)
        return true;
    for (uint32_t i = p + 1; i <= reads->last; i++)
        if (leads_to_same(reads, p, i))
            return true;
    return false;
}

static bool contradicts_later(const struct attempt_reads *reads, uint32_t p)
{
    for (uint32_t i = p + 1; i <= reads->last; i++)
        if (same_location(&reads->item[p], &reads->item[i]) &&
            reads->item[p].value != reads->item[i].value)
            return true;
    return false;
}

static void collect_reads(struct thread *thread, struct attempt_reads *reads)
{
    reads->thread = thread;
    reads->last = thread->spin.nreads;
    for (uint32_t i = 0; i < reads->last; i++)
        reads->item[i] = (struct ahead_read){thread->read[i].address, thread->read[i].value,
                                             thread->read[i].size};
    reads->item[reads->last] = trial_pending_read(thread);
}

bool retry_is_redundant(struct thread *thread)
{
    const struct spin_ahead *ahead = &thread->spin.ahead;
    struct attempt_reads reads;
    bool contradicts = false;
    if (ahead->next_state == 0 || ahead->leads_over_yield || ahead->stores)
        return false;
    collect_reads(thread, &reads);
    uint32_t lowest = lowest_anchor(thread), highest = reads.last;
    while (highest > lowest && !contradicts) /* the last possible anchor */
        contradicts = contradicts_later(&reads, --highest);
    if (!contradicts)
        return false;
    for (uint32_t p = reads.last; p-- > lowest;) {
        if (!step_is_clean(&reads, p))
            return false;
        if (p <= highest && is_redundant_from(&reads, p))
            return true;
    }
    return false;
}
