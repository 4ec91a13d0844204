/* Where a thread began its attempt to change something: its stack and registers before the
 * first read.
 *
 *     old = load(&count);                        the beginning is kept here
 *     while (!cas(&count, &old, old + 1)) ;      would fail: is the thread then where it would
 *                                                be if it had begun now?
 *
 * retry.c answers that question with trials from the kept beginning. A beginning is kept per
 * thread, by its local state: if the thread is there in the same state in another execution, it
 * is not copied again.
 *
 * Invariant: the frames from the stack pointer to the end of the outermost frame that has run
 * since the thread's last progress are in the copy; those further out have not changed since,
 * otherwise a new attempt would have begun (spin.c). */
#include "runtime/waiting/attempt.h"

#include "base/must.h"
#include "runtime/core/runtime.h"
#include "runtime/memory/memory.h"
#include "runtime/waiting/spin_stack.h"

#define ATTEMPT_STACK  4096
#define ATTEMPT_FRAMES 16

struct attempt_beginning {
    uint64_t pc, state, address; /* of the read; state 0: nothing is kept */
    uint64_t size;
    uint64_t low, high; /* the part of the stack */
    uint32_t nframes, depth;
    struct call_frame frame[ATTEMPT_FRAMES]; /* from the depth on */
    char stack[ATTEMPT_STACK];
};

static struct attempt_beginning *beginnings; /* by slot */

static struct attempt_beginning *beginning_of(const struct thread *thread)
{
    if (!beginnings)
        beginnings = rt_map_table(THREADS_MAX * sizeof *beginnings);
    return &beginnings[thread->slot];
}

bool attempt_is_kept(const struct thread *self)
{
    const struct attempt_beginning *kept = beginning_of(self);
    const struct spin_ahead *ahead = &self->spin.ahead;
    return kept->state == ahead->state && kept->pc == ahead->pc &&
           kept->address == ahead->address && kept->size == ahead->size &&
           kept->high == thread_frame_end(self) && kept->nframes == self->nframes;
}

static uint32_t first_frame(uint32_t depth)
{
    return depth > 0 ? depth - 1 : 0;
}

void attempt_keep(const struct thread *thread)
{
    struct attempt_beginning *kept = beginning_of(thread);
    const struct spin_ahead *ahead = &thread->spin.ahead;
    uint64_t low = (uint64_t)(uintptr_t)thread->fiber.sp, high = thread_frame_end(thread);
    uint32_t from = first_frame(thread->spin.depth);
    kept->state = 0;
    if (high <= low || high - low > ATTEMPT_STACK || thread->nframes > FRAMES_MAX ||
        thread->nframes - from > ATTEMPT_FRAMES || stacks_overlap(low, high))
        return;
    rawmem_copy(kept->stack, (const void *)low, high - low);
    for (uint32_t i = from; i < thread->nframes; i++)
        kept->frame[i - from] = thread->frame[i];
    kept->pc = ahead->pc;
    kept->state = ahead->state;
    kept->address = ahead->address;
    kept->size = ahead->size;
    kept->low = low;
    kept->high = high;
    kept->nframes = thread->nframes;
    kept->depth = thread->spin.depth;
}

bool attempt_is_current(const struct thread *thread)
{
    const struct attempt_beginning *kept = beginning_of(thread);
    const struct spin_read *first = &thread->read[0];
    return thread->spin.nreads > 0 && kept->state != 0 && kept->state == first->state &&
           kept->pc == first->pc && kept->address == first->address &&
           kept->size == first->size && kept->high == thread_frame_end(thread) &&
           kept->depth == thread->spin.depth;
}

uint64_t attempt_low(const struct thread *thread)
{
    return beginning_of(thread)->low;
}

void attempt_rewind(struct thread *thread)
{
    const struct attempt_beginning *kept = beginning_of(thread);
    uint32_t from = first_frame(kept->depth);
    must(kept->state != 0);
    rawmem_copy((void *)kept->low, kept->stack, kept->high - kept->low);
    thread->fiber.sp = (void *)kept->low;
    thread->nframes = kept->nframes;
    thread->spin.depth = kept->depth;
    thread->spin.nreads = 0;
    thread->spin.nwrites = 0;
    for (uint32_t i = from; i < kept->nframes; i++)
        thread->frame[i] = kept->frame[i - from];
}
