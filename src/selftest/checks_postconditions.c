/* Theorems 8 and 9 of paper 002 as they are stated, on programs that are small enough: whenever
 * the plain search leaves a state s = final(S),
 *
 *   - the postcondition Post(S.w, len(S), u) holds for every sequence w of transitions from s
 * within the bound (Definitions 5.1 to 5.4), also for those that the search does not run, and
 * for every thread u
 *   - the set T of threads to be explored from s is preemption-bound persistent
 * (Definition 4.6) or fair-bound persistent (Definition 4.7): no sequence without them reaches
 * a transition that depends on theirs
 *
 * The sequences are enumerated here by copying states, with bounds and dependences worked out
 * anew. Of the search only the sets of its path are read, after the execution at whose end the
 * state was left: what was removed from the path is still there.
 *
 * One thing is not in the paper: a step before u was created has no other order. Left out are
 * programs with what the paper does not have: atomic sections, time-outs, spurious wake-ups,
 * failures, operations that turn out to be something else than was announced (a
 * compare-exchange that fails) and, with the preemption bound, yields. */
#include <string.h>

#include "base/must.h"
#include "explore/reduction/por.h"
#include "selftest/selftest.h"

#define MOST_INTERLEAVINGS 400 /* of a program: everything below every state is enumerated */
#define MOST_PREEMPTIONS   2   /* the largest bound */

struct path_step {
    int tid;
    int choice;
    struct op op;  /* in its final form */
    uint64_t past; /* transitions of the path that happen before it */
};

/* A sequence of transitions, and the state that it leads to. */
struct oracle_walk {
    const struct synth_program *program;
    struct synth_state state;
    int length;
    int preemptions;
    int yields[SYNTH_THREADS];
    int maker[SYNTH_THREADS]; /* the transition that created the thread, -1: none */
    struct path_step step[TRACE_EVENTS];
};

/* What a search with the plain algorithm is asked for, and what came out. */
struct plain_watch {
    const struct synth_program *program;
    int bound, fair;
    bool conditional; /* a transition did something else than it had announced */
    const struct por *por;
    const char *failure;
};

static struct plain_watch *watch; /* the strategy's callbacks have no argument for it */

static void walk_begin(struct oracle_walk *walk, const struct synth_program *program)
{
    memset(walk, 0, sizeof *walk);
    walk->program = program;
    synth_begin(program, &walk->state);
    for (int tid = 0; tid < SYNTH_THREADS; tid++)
        walk->maker[tid] = -1;
}

static struct op walk_pending(const struct oracle_walk *walk, int tid)
{
    struct op op;
    synth_pending(walk->program, &walk->state, tid, &op);
    return op;
}

static int last_thread(const struct oracle_walk *walk)
{
    return walk->length ? walk->step[walk->length - 1].tid : -1;
}

/* Definition 2.5: what continuing with the thread adds to the bound. */
static int walk_price(const struct oracle_walk *walk, int tid)
{
    int last = last_thread(walk);
    return last >= 0 && last != tid && synth_enabled(walk->program, &walk->state, last);
}

/* Definition 2.6: may the thread go on within the fair bound? */
static bool is_fair(const struct oracle_walk *walk, int tid, int fair)
{
    for (int other = 0; fair >= 0 && other < walk->program->nthreads; other++)
        if (synth_enabled(walk->program, &walk->state, other) &&
            walk->yields[tid] - walk->yields[other] > fair)
            return false;
    return true;
}

static bool may_go(const struct oracle_walk *walk, int tid)
{
    return synth_enabled(walk->program, &walk->state, tid) && is_fair(walk, tid, watch->fair) &&
           (watch->bound == BOUND_NONE ||
            walk->preemptions + walk_price(walk, tid) <= watch->bound);
}

/* Section 2.3: "we assume that the dependence relation is not conditional". */
static bool is_conditional(const struct op *pending, const struct op *done)
{
    uint16_t telling = OP_READS | OP_WRITES | OP_GLOBAL;
    return (pending->flags ^ done->flags) & telling || pending->nobjects != done->nobjects ||
           pending->only_read != done->only_read ||
           memcmp(pending->object, done->object, sizeof done->object) != 0;
}

static uint64_t past_of(const struct oracle_walk *walk, int tid, const struct op *op)
{
    uint64_t past = 0;
    for (int i = 0; i < walk->length; i++)
        if (walk->step[i].tid == tid || op_dependent(&walk->step[i].op, op))
            past |= walk->step[i].past | UINT64_C(1) << i;
    return past;
}

static void walk_step(struct oracle_walk *walk, int tid, int choice)
{
    must(walk->length < TRACE_EVENTS);
    struct path_step *step = &walk->step[walk->length];
    bool born[SYNTH_THREADS] = {false};
    for (int other = 0; other < walk->program->nthreads; other++)
        born[other] = walk_pending(walk, other).kind != OP_NONE;
    struct op pending = walk_pending(walk, tid);
    walk->preemptions += walk_price(walk, tid);
    step->tid = tid;
    step->choice = choice;
    synth_step(walk->program, &walk->state, tid, choice, &step->op);
    watch->conditional |= is_conditional(&pending, &step->op);
    step->past = past_of(walk, tid, &step->op);
    walk->yields[tid] += (step->op.flags & OP_YIELDS) != 0;
    for (int other = 0; other < walk->program->nthreads; other++)
        if (!born[other] && walk->maker[other] < 0 && other != tid &&
            walk_pending(walk, other).kind != OP_NONE)
            walk->maker[other] = walk->length;
    walk->length++;
}

/* --- the postcondition --- */

static bool has_point(const struct por_frame *frame, int tid, bool everybody)
{
    if (!everybody && threadset_has(&frame->enabled, tid) &&
        threadset_has(&frame->backtrack, tid))
        return true;
    for (int other = 0; other < SYNTH_THREADS; other++)
        if (threadset_has(&frame->enabled, other) && !threadset_has(&frame->backtrack, other))
            return false;
    return true;
}

static bool made_after(const struct oracle_walk *walk, int tid, int index)
{
    int maker = walk->maker[tid];
    return maker >= index && (maker == index || walk->step[maker].past >> index & 1);
}

/* Of the last step of `other` that depends on the pending operation of `tid`; `length`: of S.
 */
static bool holds_for_pair(const struct oracle_walk *walk, int length, int tid, int other)
{
    const struct por_frame *frame = watch->por->frames.item;
    struct op next = walk_pending(walk, tid);
    int i = walk->length - 1;
    while (i >= 0 && (walk->step[i].tid != other || !op_dependent(&walk->step[i].op, &next)))
        i--;
    if (next.kind == OP_NONE || i < 0 || made_after(walk, tid, i))
        return true;
    bool releases = watch->fair >= 0 && walk->step[i].op.flags & OP_MAY_RELEASE;
    if (i < length && !has_point(&frame[i], tid, releases))
        return false;
    int j = i - 1;
    while (j > 0 && walk->step[j - 1].tid == walk->step[j].tid)
        j--;
    return watch->bound == BOUND_NONE || j < 0 || j >= length ||
           has_point(&frame[j], tid, false);
}

/* For every sequence from here, and this one. */
static bool holds_below(const struct oracle_walk *walk, int length)
{
    for (int tid = 0; tid < walk->program->nthreads; tid++)
        for (int other = 0; other < walk->program->nthreads; other++)
            if (other != tid && !holds_for_pair(walk, length, tid, other))
                return false;
    for (int tid = 0; tid < walk->program->nthreads; tid++) {
        if (!may_go(walk, tid))
            continue;
        int choices = synth_choices(walk->program, &walk->state, tid);
        for (int choice = 0; choice < choices; choice++) {
            struct oracle_walk next = *walk;
            walk_step(&next, tid, choice);
            if (!holds_below(&next, length))
                return false;
        }
    }
    return true;
}

/* --- persistent sets --- */

static bool is_independent(const struct oracle_walk *from, const struct oracle_walk *to,
                           const struct op *op)
{
    for (int i = from->length; i < to->length; i++)
        if (op_dependent(&to->step[i].op, op))
            return false;
    return true;
}

/* t, or ext(s, t): the steps that the thread takes until it blocks. */
static void take_steps(struct oracle_walk *ahead, int tid, bool all)
{
    do
        walk_step(ahead, tid, 0);
    while (all && synth_enabled(ahead->program, &ahead->state, tid));
}

/* A sequence from `start` without the threads of the set: is its last transition, and what that
 * thread would do next, independent of what the thread of the set does? Requirements 1 to 3 of
 * Definition 4.6; 1 and 3 of Definition 4.7. */
static bool is_apart(const struct oracle_walk *start, const struct oracle_walk *walk, int tid)
{
    struct oracle_walk ahead = *start;
    bool bounded = watch->bound != BOUND_NONE;
    int other = last_thread(walk);
    int mine = walk_price(start, tid),
        theirs = walk_price(start, walk->step[start->length].tid);
    if (bounded && mine > theirs)
        return false;
    take_steps(&ahead, tid, bounded && mine == theirs);
    struct op next = walk_pending(walk, other);
    return is_independent(start, &ahead, &walk->step[walk->length - 1].op) &&
           (!bounded || next.kind == OP_NONE || is_independent(start, &ahead, &next));
}

static bool is_apart_below(const struct oracle_walk *start, const struct oracle_walk *walk,
                           const threadset *set)
{
    for (int tid = 0; tid < walk->program->nthreads; tid++)
        if (walk->length > start->length && threadset_has(set, tid) &&
            !is_apart(start, walk, tid))
            return false;
    for (int tid = 0; tid < walk->program->nthreads; tid++) {
        if (threadset_has(set, tid) || !may_go(walk, tid))
            continue;
        int choices = synth_choices(walk->program, &walk->state, tid);
        for (int choice = 0; choice < choices; choice++) {
            struct oracle_walk next = *walk;
            walk_step(&next, tid, choice);
            if (!is_apart_below(start, &next, set))
                return false;
        }
    }
    return true;
}

/* Can the thread's next step be a release? As it turns out: an unlock of a mutex that is not
 * held is none. */
static bool is_release(const struct oracle_walk *walk, int tid)
{
    struct oracle_walk ahead = *walk;
    take_steps(&ahead, tid, false);
    return ahead.step[walk->length].op.flags & OP_MAY_RELEASE;
}

static bool is_persistent(const struct oracle_walk *walk, const struct por_frame *frame)
{
    threadset set = frame->backtrack;
    for (int tid = 0; tid < walk->program->nthreads; tid++) {
        if (!threadset_has(&set, tid))
            continue;
        if (!may_go(walk, tid))
            threadset_remove(&set, tid);
        else if (watch->fair >= 0 && is_release(walk, tid) && !has_point(frame, tid, true))
            return false; /* requirement 2 of Definition 4.7 */
    }
    return is_apart_below(walk, walk, &set);
}

/* --- watching the search --- */

/* The path of the execution, before its end changes it. */
static void note_path(const struct por *por, struct oracle_walk *path)
{
    uint32_t at = 0;
    walk_begin(path, watch->program);
    for (uint32_t i = 0; i < por->frames.count; i++) {
        int choice = 0;
        for (; at < por->choices.count && por->choices.item[at].frame == i; at++)
            choice = (int)por->choices.item[at].index;
        path->step[i].tid = (int)por->frames.item[i].chosen;
        path->step[i].choice = choice;
    }
}

static enum verdict end_watched(struct strategy *strategy, const struct position *pos,
                                enum outcome outcome)
{
    struct por *por = por_of(strategy);
    struct oracle_walk path, walk;
    note_path(por, &path);
    int before = (int)por->frames.count;
    enum verdict verdict = por_end(strategy, pos, outcome);
    watch->por = por;
    walk_begin(&walk, watch->program);
    for (int i = 0; i < before && !watch->failure && !watch->conditional; i++) {
        if (i >= (int)por->frames.count) { /* this state was left */
            if (!holds_below(&walk, i))
                watch->failure = "a postcondition does not hold";
            else if (!is_persistent(&walk, &por->frames.item[i]))
                watch->failure = "a set is not bound persistent";
        }
        walk_step(&walk, path.step[i].tid, path.step[i].choice);
    }
    return verdict;
}

static const char *watched_search(const struct selftest_case *one,
                                  const struct synth_program *program, int bound, int fair)
{
    struct plain_watch this = {.program = program, .bound = bound, .fair = fair};
    struct strategy_ops ops = strategy_bpor_plain;
    struct search_options options = oracle_options(ops.name, bound);
    struct oracle_coverage seen;
    struct search_stats stats;
    ops.end = end_watched;
    options.first_bound = bound > 0 ? bound : 0;
    options.fair = fair;
    coverage_init(&seen, one->pool);
    watch = &this;
    bool run = oracle_search_custom(one->pool, program, &ops, &options, &seen, &stats);
    watch = NULL;

    return run ? this.conditional ? NULL : this.failure : "refused";
}

/* Is there anything in the program that the paper does not have? */
static bool is_beyond(const struct synth_program *program, bool with_yields)
{
    bool beyond = synth_has_sections(program) || synth_has_checks(program);
    for (int tid = 0; tid < program->nthreads; tid++)
        for (int i = 0; i < program->nops[tid]; i++) {
            const struct synth_op *op = &program->op[tid][i];
            beyond |= op->time != TIME_NEVER || op->spurious || op->touch != TOUCH_NONE ||
                      synth_is_loop(op->kind) || op->kind == SYNTH_EXIT ||
                      (op->kind == SYNTH_YIELD && !with_yields);
        }
    return beyond;
}

const char *selftest_postconditions(const struct selftest_case *one)
{
    const char *failure = NULL;
    if (is_beyond(one->program, false) || one->all->interleavings.count > MOST_INTERLEAVINGS)
        return NULL;
    for (int bound = BOUND_NONE; !failure && bound <= MOST_PREEMPTIONS; bound++)
        failure = watched_search(one, one->program, bound, -1);
    return failure;
}

const char *selftest_fair_postconditions(const struct selftest_case *one)
{
    struct synth_program program;
    struct oracle_coverage all;
    const char *failure = NULL;
    if (is_beyond(one->program, true))
        return NULL;
    selftest_make_cyclic(one->program, &program);
    for (int fair = 0; !failure && fair < 2; fair++) {
        coverage_init(&all, one->pool);
        if (oracle_enumerate_fair(&program, MOST_INTERLEAVINGS, fair, &all))
            failure = watched_search(one, &program, BOUND_NONE, fair);
    }
    return failure;
}
