/* Places in the program: those that the options --preempt-only and --no-preempt (here) and
 * --visible (traps.c) name, and those where instrumented code makes unannounced accesses
 * (traps.c, too).
 *
 *     child                                         command
 *     modules noted; names in the configuration, or instrumented code?
 *     places_asked = 1          ───────────────▶    looks them up with debug information
 *     waits                     ◀───────────────    place[], places_known = 1
 *
 * The names can't be looked up earlier, because the addresses of libraries are known only when
 * they are loaded.
 *
 * A thread may be preempted before an operation if --preempt-only is not given or names the
 * place of the operation, and --no-preempt does not name it. An operation is in a function if
 * the function or one that it called makes it (as far as the instrumentation shows calls). It
 * is in a file if its own source line is, and at a variable if it is an operation on the
 * variable. Switches that are not preemptions are allowed everywhere.
 *
 * Invariant: with such places no reduction is used, and `withheld` is set as soon as they make
 * a difference, so that the result can state its scope. */
#include "runtime/core/places.h"

#include <sys/syscall.h>
#include <time.h>

#include "runtime/arch/raw.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/race/race.h"

#define PAUSE 100000 /* nanoseconds between two checks for the answer */

static bool has[LISTS];

void places_look_up(void)
{
    struct board *board = rt.board;
    bool any = rt.ninstrumented > 0; /* it may make unannounced accesses */
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

static bool place_holds(const struct board_place *place, uint64_t address)
{
    return address >= place->start && address < place->end;
}

/* The addresses of calls are return addresses: the call is before them. */
static bool is_in_function(const struct thread *thread, const struct board_place *place)
{
    uint32_t n = thread->nframes < FRAMES_MAX ? thread->nframes : FRAMES_MAX;
    if (place_holds(place, rt.pending[thread->slot].pc - 1))
        return true;
    for (uint32_t i = 0; i < n; i++)
        if (place_holds(place, thread->frame[i].pc - 1))
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
                                            : place_holds(place, op->pc - 1))
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
        if (rt.board->place[i].list == list && place_holds(&rt.board->place[i], pc))
            return true;
    return false;
}

/* --- The rules of the language --- */

static bool follows_old_rule(uint64_t pc)
{
    uint32_t low = 0, high = rt.board->nold_rules;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rt.board->old_rules[middle].end < pc) /* a return address: the call is before it */
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
