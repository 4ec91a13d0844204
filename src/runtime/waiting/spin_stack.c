/* Objects on the stack of a waiting thread: in most tests a queue, a flag or a lock is local to
 * main.
 *
 * spin.c uses the local state of a thread, which includes its stack, to see whether the thread
 * has completed a cycle. What other threads write on this stack is not local: it changes
 * without an operation of the thread, and a state that includes it would depend on more than
 * the thread's own past. So these parts are treated like global memory: they are not in the
 * state, and the thread's own writes to them are progress if they change anything (access.c).
 *
 * The search learns which parts these are: when a thread first writes to such a part of another
 * thread's stack, the search starts over after the execution. A part is a lesson
 * (board/lessons.h), in units of 16 bytes.
 *
 * Other locals in the same unit, or in a later frame at the same address, drop out of the state
 * with it. This never makes a loop look idle wrongly, because a trial proves that a cycle
 * changes nothing (spin_proof.c). */
#define XXH_INLINE_ALL
#include "runtime/waiting/spin_stack.h"

#include <xxhash.h>

#include "base/must.h"
#include "runtime/core/runtime.h"

#define UNIT  16
#define PARTS 24 /* beyond that, neighbours are merged */

struct part {
    uint64_t low;
    uint64_t high;
};

static struct {
    struct part part[PARTS + 1]; /* in order of address */
    uint32_t count;
    bool grown; /* … since the execution began */
} known;

static void remove_part(uint32_t at)
{
    known.count--;
    for (uint32_t i = at; i < known.count; i++)
        known.part[i] = known.part[i + 1];
}

/* Merges the two parts that are closest to each other, if possible on the same stack. */
static void merge_closest(void)
{
    must(known.count >= 2);
    uint32_t best = 0;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i + 1 < known.count; i++) {
        uint64_t gap = known.part[i + 1].low - known.part[i].high;
        if (gap < least) {
            least = gap;
            best = i;
        }
    }
    known.part[best].high = known.part[best + 1].high;
    remove_part(best + 1);
}

static void add_part(uint64_t low, uint64_t high)
{
    uint32_t at = 0;
    while (at < known.count && known.part[at].high < low)
        at++;
    if (at < known.count && known.part[at].low <= low && high <= known.part[at].high)
        return;
    known.grown = true;
    while (at < known.count && known.part[at].low <= high) { /* they touch */
        low = known.part[at].low < low ? known.part[at].low : low;
        high = known.part[at].high > high ? known.part[at].high : high;
        remove_part(at);
    }
    for (uint32_t i = known.count; i > at; i--)
        known.part[i] = known.part[i - 1];
    known.part[at] = (struct part){low, high};
    if (++known.count > PARTS)
        merge_closest();
}

void stacks_note_write(uint64_t address, uint64_t size)
{
    if (rt.recording) /* it knows what the search knew */
        return;
    add_part(address & ~(uint64_t)(UNIT - 1),
             (address + size + UNIT - 1) & ~(uint64_t)(UNIT - 1));
}

void stacks_begin(void)
{
    const struct lessons *lessons = &rt.board->lessons;
    known.count = 0;
    for (uint32_t i = 0; i < lessons->count; i++)
        if (lessons->item[i].kind == LESSON_STACK)
            add_part(lessons->item[i].value, lessons->item[i].value + lessons->item[i].size);
    known.grown = false;
    rt.shares_stacks = known.count > 0;
}

/* Replaces the lessons with the parts that are known now; there may be fewer than before.
 * Returns false if there is no room for them. */
static bool replace_lessons(struct lessons *lessons)
{
    if (lessons->count + known.count > LESSONS_MOST)
        return false;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < lessons->count; i++)
        if (lessons->item[i].kind != LESSON_STACK)
            lessons->item[kept++] = lessons->item[i];
    lessons->count = kept;
    for (uint32_t i = 0; i < known.count; i++)
        lessons_add(lessons, LESSON_STACK, known.part[i].low,
                    (uint32_t)(known.part[i].high - known.part[i].low));
    return true;
}

bool stacks_end(void)
{
    return known.grown && !rt.recording && replace_lessons(&rt.board->lessons);
}

bool stacks_shared(uint64_t address)
{
    for (uint32_t i = 0; i < known.count; i++)
        if (address - known.part[i].low < known.part[i].high - known.part[i].low)
            return true;
    return false;
}

bool stacks_overlap(uint64_t from, uint64_t to)
{
    for (uint32_t i = 0; i < known.count; i++)
        if (known.part[i].low < to && from < known.part[i].high)
            return true;
    return false;
}

uint64_t stacks_hash(uint64_t from, uint64_t to, uint64_t seed)
{
    for (uint32_t i = 0; i < known.count && from < to; i++) {
        const struct part *part = &known.part[i];
        if (part->high <= from || part->low >= to)
            continue;
        if (part->low > from)
            seed = XXH3_64bits_withSeed((const void *)from, part->low - from, seed);
        from = part->high;
    }
    return from < to ? XXH3_64bits_withSeed((const void *)from, to - from, seed) : seed;
}
