/* Executions that do not end: states that come back, and the step limit.
 *
 * A livelock is a state that comes back. Halfway to the step limit one state is kept as a hash
 * (registers, stacks, data, heap: fingerprint.c), and every later state is compared with it:
 *
 *     0 ──────── limit/4 ──────── limit/2 ─────────────────────────────── limit
 *                entries noted    the state is kept, then compared        cut
 *
 * When it comes back, the operations in between can be repeated forever. This is a livelock if
 * every thread that could run at some point in between did run (otherwise it is only unfair),
 * and if time can't change anything: if a wait has a deadline or a timer is set, time passes
 * instead. A loop that counts, allocates, draws random numbers or reads the clock never returns
 * to a state, however regular it is. Printed output is not part of the state.
 *
 * Comparing is cheap: the thread, the place or the thread's own registers and frame nearly
 * always differ, and the whole state is hashed only if they do not.
 *
 * An execution that reaches the limit without this is cut, and the result says in which loop.
 * The default limit adapts to the program: when it is first reached, one execution is run in
 * which the threads take turns (the probe). If the probe ends, twice its length is the new
 * limit. A limit given by the user stays as it is.
 *
 * Invariant: whether a state has come back depends only on the execution, so a replay ends in
 * the same way. */
#define XXH_INLINE_ALL
#include "runtime/waiting/endless.h"

#include <xxhash.h>

#include "base/must.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/waiting/fingerprint.h"
#include "runtime/waiting/waits.h"

#define COMPARISONS 2000 /* of whole states per execution: some milliseconds */
#define TURN        100  /* operations that a thread makes in a row in a probe */
#define LOOP_WINDOW 1024 /* operations before the cut that show which thread loops */

enum phase {
    PHASE_EARLY,    /* nothing is noted yet */
    PHASE_NOTING,   /* registers at the entry of operations are recorded, see fingerprint.c */
    PHASE_COMPARING /* a state is kept */
};

static struct {
    enum phase phase;
    uint32_t limit;
    uint32_t comparisons;
    uint32_t turn; /* of a probe: operations of the thread in a row */
    /* the state that was kept */
    uint64_t state;
    uint64_t local; /* of the thread that had arrived at an operation */
    uint64_t pc;    /* … and where */
    int tid;
    uint32_t depth;
    uint32_t choices;
    threadset could_run; /* threads that could run at some point since then */
} watch;

/* Is the execution a probe of the program's length? Then its threads take turns. */
static bool is_probe(void)
{
    return rt.board->probe == PROBE_RUNS;
}

void endless_begin(void)
{
    rt.notes_entries = rt.fingerprints;
    rt.probing = is_probe();
    watch.phase = PHASE_EARLY;
    watch.limit = rt.probing ? PROBE_DEPTH : rt.board->config.search.depth;
    watch.comparisons = 0;
    watch.turn = 0;
    rt.look_at = rt.probing ? watch.limit : watch.limit / 4;
}

/* --- States that come back --- */

/* The part of the state that most likely differs: that of the thread that has just arrived at
 * an operation. */
static uint64_t local_state(const struct thread *self)
{
    uint64_t end = self->entry.sp + 256;
    if (end > self->routine_end)
        end = self->routine_end;
    uint64_t registers =
        XXH3_64bits(self->entry.preserved, sizeof self->entry.preserved) + self->entry.sp;
    return end <= self->entry.sp ? registers
                                 : XXH3_64bits_withSeed((const void *)self->entry.sp,
                                                        end - self->entry.sp, registers);
}

static void keep_state(void)
{
    const struct thread *self = rt.self;
    uint64_t state = fingerprint_cycle();
    if (state == 0)
        return; /* unknown here: try at the next operation */
    watch.phase = PHASE_COMPARING;
    watch.state = state;
    watch.local = local_state(self);
    watch.pc = rt.pending[self->slot].pc;
    watch.tid = self->slot;
    watch.depth = rt.pos.depth;
    watch.choices = rt.board->nschedule;
    watch.could_run = rt.pos.enabled;
}

static bool state_has_come_back(void)
{
    const struct thread *self = rt.self;
    if (self->slot != watch.tid || rt.pending[self->slot].pc != watch.pc ||
        !self->entry_known || local_state(self) != watch.local)
        return false;
    watch.comparisons++;
    return fingerprint_cycle() == watch.state;
}

static bool everybody_ran(void)
{
    threadset ran;
    threadset_clear(&ran);
    for (uint32_t i = watch.choices; i < rt.board->nschedule; i++)
        if (!(rt.board->schedule[i] & BOARD_CHOICE))
            threadset_add(&ran, (int)rt.board->schedule[i]);
    for (int t = threadset_next(&watch.could_run, 0); t >= 0;
         t = threadset_next(&watch.could_run, t + 1))
        if (!threadset_has(&ran, t))
            return false;
    return true;
}

/* Runs on the search's stack, so that it leaves no values in the program's frames. */
static int look_at_state(void *unused)
{
    (void)unused;
    if (watch.phase == PHASE_NOTING) {
        keep_state();
        return false;
    }
    for (int i = 0; i < THREADSET_WORDS; i++)
        watch.could_run.word[i] |= rt.pos.enabled.word[i];
    return state_has_come_back() && everybody_ran();
}

static void compare_states(void)
{
    if (!fiber_call(look_at_state, NULL, rt.search_stack))
        return;
    must(rt.pos.depth > watch.depth);
    if (!schedule_pass_time())
        failure_endless(rt.pos.depth - watch.depth);
    watch.phase = PHASE_NOTING;
}

/* --- The step limit --- */

/* Stores the thread that made most of the last operations, and where it is. */
static void note_loop(void)
{
    struct board *board = rt.board;
    static uint32_t made[THREADS_MAX];
    int most = rt.current;
    __builtin_memset(made, 0, sizeof made);
    for (uint32_t i = 0; i < LOOP_WINDOW && i < board->nschedule; i++) {
        uint32_t tid = board->schedule[board->nschedule - 1 - i];
        if (tid < THREADS_MAX && ++made[tid] > made[most])
            most = (int)tid;
    }
    board->cut_depth = rt.pos.depth;
    board->cut_in_loop = schedule_was_at(most, rt.pending[most].pc);
    stack_capture(&rt.thread[most], rt.pending[most].pc, &board->cut_at);
}

/* The rule for fair bounds (paper 002, Algorithm 4, line 3): an endless execution within a fair
 * bound has a thread that continues without yielding while another one waits for its turn. */
static bool starves_somebody(void)
{
    return rt.board->config.search.fair >= 0 && watch.phase == PHASE_COMPARING &&
           !everybody_ran();
}

static bool may_grow(void)
{
    return rt.board->config.depth_grows && rt.board->probe == PROBE_NONE && !rt.recording &&
           !rt.simplifying;
}

static void reach_limit(void)
{
    if (rt.probing)
        schedule_end(OUTCOME_CUT);
    if (may_grow()) {
        rt.board->probe = PROBE_RUNS;
        schedule_start_over();
    }
    if (starves_somebody())
        failure_endless(0);
    note_loop();
    if (waits_learn_from_cut())
        schedule_start_over();
    schedule_end(OUTCOME_CUT);
}

void endless_look(void)
{
    uint32_t depth = rt.pos.depth;
    if (depth >= watch.limit)
        reach_limit();
    switch (watch.phase) {
    case PHASE_EARLY:
        rt.notes_entries = true;
        watch.phase = PHASE_NOTING;
        break;
    case PHASE_NOTING:
    case PHASE_COMPARING:
        compare_states();
        break;
    }
    rt.look_at = depth + 1;
    if (depth < watch.limit / 2)
        rt.look_at = watch.limit / 2;
    if (watch.comparisons >= COMPARISONS)
        rt.look_at = watch.limit;
}

/* --- The probe --- */

/* The same thread for some time, then the next one in turn; the next one at once if it
 * yields. */
int endless_probe_pick(const struct position *pos)
{
    int last = pos->last;
    bool goes_on = last >= 0 && threadset_has(&pos->enabled, last) &&
                   !(pos->pending[last].flags & OP_YIELDS) && watch.turn < TURN;
    if (goes_on) {
        watch.turn++;
        return last;
    }
    watch.turn = 0;
    int next = threadset_next(&pos->enabled, last + 1);
    return next >= 0 ? next : threadset_next(&pos->enabled, 0);
}

void endless_probe_end(void)
{
    struct board_config *config = &rt.board->config;
    uint32_t needs = 2 * rt.pos.depth;
    rt.board->probe = PROBE_DONE;
    rt.board->start_over = 1;
    if (rt.outcome == OUTCOME_CUT || needs <= config->search.depth)
        return;
    config->search.depth = needs < PROBE_DEPTH ? needs : PROBE_DEPTH;
}
