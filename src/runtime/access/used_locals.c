/* See used_locals.h. */
#include "runtime/access/used_locals.h"

#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"

/* The hook at the entry of a function leaves its frame pointer and its return address below the
 * function's frame. Whatever the function calls later returns by way of the same word, unless
 * it gets arguments on the stack. */
#define HOOK_CALL   16
#define RETURN_WORD 8

/* The part that was used last: most accesses are inside it. It is kept across executions, like
 * the entry on the board that it stands for. */
static struct {
    uint64_t sp;
    uint64_t pc;
    uint64_t low;
    uint64_t high;
} last;

#define PARTS_MOST 16 /* parts of one frame, per call */

static int64_t gap_between(const struct board_use *left, const struct board_use *right)
{
    return left->low > right->low ? left->low - right->high : right->low - left->high;
}

static void join_parts(struct board_use *use, const struct board_use *other)
{
    use->low = other->low < use->low ? other->low : use->low;
    use->high = other->high > use->high ? other->high : use->high;
}

/* Joins the two parts of the call with the smallest gap between them, if it is at most
 * `most`. */
static bool join_nearest(uint64_t pc, int64_t most)
{
    struct board *board = rt.board;
    uint32_t into = 0, gone = 0;
    for (uint32_t i = 0; i < board->nuses; i++)
        for (uint32_t j = i + 1; board->use[i].pc == pc && j < board->nuses; j++) {
            if (board->use[j].pc != pc)
                continue;
            int64_t gap = gap_between(&board->use[i], &board->use[j]);
            if (gap > most)
                continue;
            most = gap;
            into = i;
            gone = j;
        }
    if (gone == 0)
        return false;
    join_parts(&board->use[into], &board->use[gone]);
    board->use[gone] = board->use[--board->nuses];
    return true;
}

/* Joins parts that touch, and the nearest ones when there are too many: then a variable in
 * between may be reported wrongly, but none is overlooked. False: the board is full. */
static bool keep_use(struct board_use *used)
{
    struct board *board = rt.board;
    uint32_t parts = 0;
    for (uint32_t i = 0; i < board->nuses; i++)
        parts += board->use[i].pc == used->pc;
    if (parts == PARTS_MOST)
        join_nearest(used->pc, INT64_MAX);
    if (board->nuses == BOARD_USES)
        return false;
    board->use[board->nuses++] = *used;
    while (join_nearest(used->pc, 0))
        ;
    for (uint32_t i = 0; i < board->nuses; i++)
        if (board->use[i].pc == used->pc && board->use[i].low <= used->low &&
            board->use[i].high >= used->high)
            *used = board->use[i];
    return true;
}

/* The stack pointer before the call of the function: above its return address. 0: unknown. */
static uint64_t frame_address(const struct call_frame *frame, uint64_t top)
{
    for (uint64_t at = frame->sp + HOOK_CALL; at < top; at += 8)
        if (*(const uint64_t *)at == frame->pc)
            return at + 8;
    return 0;
}

void locals_note_use(const struct thread *owner, uint64_t address, uint64_t size)
{
    uint32_t i = owner->nframes;
    if (i == 0 || i > FRAMES_MAX || owner->program_fiber)
        return;
    bool innermost = true;
    for (i--; i > 0 && address >= owner->frame[i - 1].sp; i--)
        innermost = false;
    const struct call_frame *frame = &owner->frame[i];
    if (address < frame->sp + HOOK_CALL)
        return;
    uint64_t pc = innermost ? *(const uint64_t *)(frame->sp + RETURN_WORD) : frame[1].pc;
    if (frame->sp == last.sp && pc == last.pc && address >= last.low &&
        address + size <= last.high)
        return;
    uint64_t end = frame_address(frame, i > 0 ? frame[-1].sp : owner->routine_end);
    if (end == 0 || address >= end)
        return;
    int64_t low = (int64_t)(address - end);
    struct board_use used = {pc, low, low + (int64_t)size};
    if (!keep_use(&used)) {
        raise_reason(REASON_FRAMES_UNKNOWN, NULL);
        return;
    }
    last.sp = frame->sp;
    last.pc = pc;
    last.low = end + (uint64_t)used.low;
    last.high = end + (uint64_t)used.high;
}
