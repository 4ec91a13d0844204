/* Places in the program that options name: --preempt-only and --no-preempt (here), --visible
 * (traps.c), and those where instrumented code accesses memory unannounced (traps.c, too).
 *
 *     child                                         command
 *     modules noted; names in the configuration, or instrumented code?
 *     places_asked = 1          ───────────────▶    looks them up with debug information
 *     waits                     ◀───────────────    place[], places_known = 1
 *
 * The names can't be looked up earlier: where libraries lie is known when they are loaded.
 *
 * A thread may be preempted before an operation when --preempt-only names nothing, or the place
 * of the operation, and --no-preempt does not name it. The operation is in a function also when
 * that function called the one that makes it (as far as the instrumentation shows calls); it is
 * in a file when its own source line is; it is at a variable when it is an operation on it.
 * Switches that are no preemptions stay free everywhere.
 *
 * Invariant: with such places no reduction is used, and `withheld` is set as soon as they make
 * a difference, so that the result can say what it is about. */
#include "runtime/core/places.h"

#include <sys/syscall.h>
#include <time.h>

#include "runtime/arch/raw.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/race/race.h"

#define PAUSE 100000 /* nanoseconds between looks at the answer */

static bool has[LISTS];

void places_look_up(void)
{
    struct board *board = rt.board;
    bool any = rt.ninstrumented > 0; /* it may have to be helped to announce what it does */
    for (int i = 0; i < LISTS; i++) {
        has[i] = board->config.names[i][0] != 0;
        any = any || (has[i] && (i == LIST_VISIBLE || !rt.recording));
    }
    if (!any)
        return;
    board->nplaces = 0;
    board->places_known = 0;
    __atomic_store_n(&board->places_asked, 1, __ATOMIC_SEQ_CST);
    while (__atomic_load_n(&board->places_known, __ATOMIC_SEQ_CST) == 0) {
        const struct timespec pause = {0, PAUSE};
        raw_syscall2(SYS_nanosleep, (long)&pause, 0);
    }
    rt.preempts_by_place = (has[LIST_PREEMPT_ONLY] || has[LIST_NO_PREEMPT]) && !rt.recording;
}

static bool holds(const struct board_place *place, uint64_t address)
{
    return address >= place->start && address < place->end;
}

/* Addresses of calls are return addresses: the call lies before them. */
static bool is_in_function(const struct thread *thread, const struct board_place *place)
{
    uint32_t n = thread->nframes < FRAMES_MAX ? thread->nframes : FRAMES_MAX;
    if (holds(place, rt.pending[thread->slot].pc - 1))
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (holds(place, thread->frame[i].pc - 1))
            return true;
    return false;
}

static bool is_on_variable(const struct op *op, const struct board_place *place)
{
    uint64_t size = op->size > 0 ? op->size : 1;
    for (int i = 0; i < op->nobjects; i++)
        if (op->object[i] < place->end && op->object[i] + size > place->start)
            return true;
    return false;
}

static bool is_named(const struct thread *thread, int list)
{
    const struct op *op = &rt.pending[thread->slot];
    for (uint32_t i = 0; i < rt.board->nplaces; i++) {
        const struct board_place *place = &rt.board->place[i];
        if (place->list != list)
            continue;
        if (place->kind == PLACE_VARIABLE   ? is_on_variable(op, place)
            : place->kind == PLACE_FUNCTION ? is_in_function(thread, place)
                                            : holds(place, op->pc - 1))
            return true;
    }
    return false;
}

bool places_forbid_preemption(const struct thread *thread)
{
    if (has[LIST_PREEMPT_ONLY] && !is_named(thread, LIST_PREEMPT_ONLY))
        return true;
    return has[LIST_NO_PREEMPT] && is_named(thread, LIST_NO_PREEMPT);
}

bool places_have_code(int list, uint64_t pc)
{
    for (uint32_t i = 0; i < rt.board->nplaces; i++)
        if (rt.board->place[i].list == list && holds(&rt.board->place[i], pc))
            return true;
    return false;
}

/* --- The rules of the language --- */

static bool follows_old_rule(uint64_t pc)
{
    uint32_t low = 0, high = rt.board->nold_rules;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rt.board->old_rules[middle].end <
            pc) /* a return address: the call lies before it */
            low = middle + 1;
        else
            high = middle;
    }
    return low < rt.board->nold_rules && pc - 1 >= rt.board->old_rules[low].start;
}

static void learn_heads(void)
{
    shared_learn(LESSON_HEADS, 0);
}

void places_set_rules(void)
{
    if (rt.board->nold_rules > 0 && rt.board->nold_rules <= BOARD_OLD_RULES)
        race_old_rule = follows_old_rule;
    race_wants_heads = learn_heads;
}
