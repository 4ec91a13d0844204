/* simplify: from one failing execution to the simplest one that fails in the same way.
 *
 *   REPEAT    the given execution again: it must fail; what fails is the target from here on
 *   COMPARE   every execution with 0, 1, 2, … preemptions (icb), up to the first bound at which
 *             the target occurs: the best of that bound is proven to be the simplest
 *   TRY       only if COMPARE ran out of budget: the best so far, with one stretch of a thread
 *             left out, or moved to the thread's next or previous stretch, until none of these
 *             helps
 *   CONTINUE  the inflection point: the earliest step after which every continuation fails
 *
 * Simplest: fewest preemptions, then fewest switches of any kind, then fewest steps. All three
 * are measured on executions as they ran, never on plans.
 *
 * The inflection point. "Every continuation of a prefix fails" is monotone along the execution:
 * continuations of a longer prefix are continuations of the shorter one. So the earliest such
 * prefix is found by going back from the failure in growing strides and then halving. Each
 * question is answered by a search of its own, over all continuations and without a bound: an
 * execution that does not fail refutes, a search that ends without one and left nothing out
 * proves it. If the budget ends first, the last proven prefix is the result. With reduction
 * this is strategy optimal, which treats a failed step as dependent on everything, and so sees
 * what other threads would have done; else it is dfs.
 *
 * Budgets are counted in executions and steps, so that the result does not depend on the
 * machine. Invariant: `best` has been run and failed as the target does. */
#include "explore/search/simplify.h"

#include <string.h>

#include "base/must.h"
#include "base/vector.h"

enum stage { STAGE_REPEAT, STAGE_COMPARE, STAGE_TRY, STAGE_CONTINUE, STAGE_OVER };

typedef VECTOR(uint32_t) choice_list;

/* An execution: its choices as on the board, and its cost. */
struct simplify_run {
    choice_list choices;
    uint32_t preemptions;
    uint32_t switches;
    uint32_t steps;
};

/* Consecutive steps of one thread. */
struct stretch {
    uint32_t tid;
    uint32_t steps;
};
typedef VECTOR(struct stretch) stretch_list;

enum simplify_move { MOVE_DROP, MOVE_LATER, MOVE_EARLIER, MOVE_END, MOVES };

struct strategy {
    struct strategy_context *context;
    struct simplify_request request;
    enum stage stage;
    uint64_t target; /* identity of the failure, 0: not known yet */
    struct simplify_run given;
    struct simplify_run best;
    struct simplify_run run; /* the execution being run */
    struct simplification facts;
    struct search *inner; /* COMPARE and CONTINUE */
    uint64_t executions;  /* of this stage */
    uint64_t steps;
    bool diverged;
    /* REPEAT and CONTINUE: the prefix to follow, as a count of `best`'s (`given`'s) choices */
    uint32_t follow;
    uint32_t cursor;
    /* TRY */
    stretch_list stretches; /* of `best` */
    stretch_list plan;
    uint32_t plan_at;
    uint32_t move;
    uint32_t move_at;
    uint32_t next_value; /* data choices of `best` that were answered */
    /* CONTINUE */
    uint32_t prefix;  /* steps that are fixed */
    uint32_t proven;  /* from here on everything fails */
    uint32_t refuted; /* from here on not everything fails; UINT32_MAX: no such step is known */
    uint32_t stride;
};

static struct strategy *simplify_create(struct strategy_context *context, char *error,
                                        unsigned long error_size)
{
    (void)error;
    (void)error_size;
    struct strategy *simplify = pool_alloc(context->pool, sizeof *simplify);
    simplify->context = context;
    return simplify;
}

static void copy_choices(struct strategy *simplify, choice_list *to, const uint32_t *from,
                         uint32_t count)
{
    to->count = 0;
    vector_reserve(simplify->context->pool, to, count + 1);
    memcpy(to->item, from, count * sizeof *from);
    to->count = count;
}

void simplify_load(struct strategy *simplify, const uint32_t *schedule, uint32_t n,
                   const struct simplify_request *request)
{
    simplify->request = *request;
    copy_choices(simplify, &simplify->given.choices, schedule, n);
    simplify->follow = n;
    simplify->facts.excluded = -1;
    simplify->refuted = UINT32_MAX;
}

static void keep_best(struct strategy *simplify)
{
    struct simplify_run *best = &simplify->best;
    const struct simplify_run *run = &simplify->run;
    copy_choices(simplify, &best->choices, run->choices.item, run->choices.count);
    best->preemptions = run->preemptions;
    best->switches = run->switches;
    best->steps = run->steps;
}

static bool is_simpler(const struct simplify_run *a, const struct simplify_run *b)
{
    if (a->preemptions != b->preemptions)
        return a->preemptions < b->preemptions;
    if (a->switches != b->switches)
        return a->switches < b->switches;
    return a->steps < b->steps;
}

/* Is this stage's share of the budget used up? The comparison may take half. */
static bool is_exhausted(const struct strategy *simplify)
{
    uint64_t share = simplify->stage == STAGE_COMPARE ? 2 : 4;
    return simplify->executions >= simplify->request.executions / share ||
           simplify->steps >= simplify->request.steps / share;
}

static void enter_stage(struct strategy *simplify, enum stage stage)
{
    simplify->stage = stage;
    simplify->executions = simplify->steps = 0;
}

/* --- Searches inside --- */

static void leave_inner(struct strategy *simplify)
{
    if (simplify->inner)
        search_destroy(simplify->inner);
    simplify->inner = NULL;
}

static bool enter_inner(struct strategy *simplify, const struct strategy_ops *strategy,
                        int bound)
{
    struct search_options options = simplify->context->options;
    leave_inner(simplify);
    strategy_copy(options.strategy, sizeof options.strategy, strategy->name);
    options.bound = bound;
    options.delay = options.step_bound = options.fair = -1;
    options.csb = 0;
    options.cache_states = options.scouts = false;
    options.count_traces = true; /* a continuation that was run twice counts once */
    options.keep_going = true;
    options.execs = 0;
    char error[64];
    simplify->inner = search_create(simplify->context->pool, &options, error, sizeof error);
    if (!simplify->inner)
        return false;
    /* what the world notices counts for all of them, what one search left out only for
     * itself */
    claim_forget_search(simplify->context->claim);
    search_set_claim(simplify->inner, simplify->context->claim);
    return true;
}

/* What the inner search sees: the prefix is where its world begins. */
static struct position shift_position(const struct strategy *simplify,
                                      const struct position *pos)
{
    struct position inner = *pos;
    if (simplify->stage == STAGE_CONTINUE) {
        inner.depth -= simplify->prefix;
        if (inner.depth == 0) {
            inner.last = -1;
            inner.done = NULL;
        }
    }
    return inner;
}

/* --- Following choices --- */

static const choice_list *followed_choices(const struct strategy *simplify)
{
    return simplify->stage == STAGE_REPEAT ? &simplify->given.choices : &simplify->best.choices;
}

static bool is_following(const struct strategy *simplify)
{
    bool follows = simplify->stage == STAGE_REPEAT || simplify->stage == STAGE_CONTINUE;
    return follows && simplify->cursor < simplify->follow;
}

static int follow_thread(struct strategy *simplify, const struct position *pos)
{
    uint32_t tid = followed_choices(simplify)->item[simplify->cursor++];
    if (tid < (uint32_t)pos->nthreads && threadset_has(&pos->enabled, (int)tid))
        return (int)tid;
    simplify->diverged = true;
    return PICK_DIVERGED;
}

static int follow_value(struct strategy *simplify, int n)
{
    uint32_t entry = followed_choices(simplify)->item[simplify->cursor++];
    if (entry & SCHEDULE_CHOICE && (entry & ~SCHEDULE_CHOICE) < (uint32_t)n)
        return (int)(entry & ~SCHEDULE_CHOICE);
    simplify->diverged = true;
    return 0;
}

/* The choices of `best` up to, not including, the step after `steps`. */
static uint32_t choices_of_steps(const struct simplify_run *run, uint32_t steps)
{
    uint32_t i = 0;
    for (uint32_t seen = 0; i < run->choices.count; i++) {
        if (!(run->choices.item[i] & SCHEDULE_CHOICE) && seen++ == steps)
            break;
    }
    return i;
}

/* --- TRY: plans --- */

/* A plan says which thread should run for how long. If a stretch can't be followed, the next
 * one is tried; after the plan the program continues without preemptions. */
static int plan_thread(struct strategy *simplify, const struct position *pos)
{
    stretch_list *plan = &simplify->plan;
    for (; simplify->plan_at < plan->count; simplify->plan_at++) {
        struct stretch *stretch = &plan->item[simplify->plan_at];
        if (stretch->steps > 0 && stretch->tid < (uint32_t)pos->nthreads &&
            threadset_has(&pos->enabled, (int)stretch->tid)) {
            stretch->steps--;
            return (int)stretch->tid;
        }
    }
    return position_alternative(pos, 0);
}

static int plan_value(struct strategy *simplify, int n)
{
    const choice_list *choices = &simplify->best.choices;
    uint32_t at = simplify->next_value;
    while (at < choices->count && !(choices->item[at] & SCHEDULE_CHOICE))
        at++;
    simplify->next_value = at + 1;
    if (at >= choices->count)
        return 0;
    uint32_t value = choices->item[at] & ~SCHEDULE_CHOICE;
    return value < (uint32_t)n ? (int)value : 0;
}

static void find_stretches(struct strategy *simplify)
{
    stretch_list *stretches = &simplify->stretches;
    const choice_list *choices = &simplify->best.choices;
    stretches->count = 0;
    for (uint32_t i = 0; i < choices->count; i++) {
        uint32_t tid = choices->item[i];
        if (tid & SCHEDULE_CHOICE)
            continue;
        if (stretches->count == 0 || stretches->item[stretches->count - 1].tid != tid)
            *vector_add(simplify->context->pool, stretches) = (struct stretch){.tid = tid};
        stretches->item[stretches->count - 1].steps++;
    }
}

static void plan_add(struct strategy *simplify, uint32_t index)
{
    *vector_add(simplify->context->pool, &simplify->plan) = simplify->stretches.item[index];
}

/* The plan for the current move; false where there is nothing to move. */
static bool make_plan(struct strategy *simplify)
{
    const stretch_list *stretches = &simplify->stretches;
    uint32_t at = simplify->move_at, other = at + 1;
    while (other < stretches->count && stretches->item[other].tid != stretches->item[at].tid)
        other++;
    bool merges = simplify->move == MOVE_LATER || simplify->move == MOVE_EARLIER;
    if (merges && other >= stretches->count)
        return false;
    simplify->plan.count = 0;
    for (uint32_t i = 0; i < stretches->count; i++) {
        if (simplify->move == MOVE_END && i >= at)
            break;
        if (i == at && (simplify->move == MOVE_DROP || simplify->move == MOVE_LATER))
            continue;
        if (i == other && simplify->move == MOVE_EARLIER)
            continue;
        if (i == other && simplify->move == MOVE_LATER)
            plan_add(simplify, at);
        plan_add(simplify, i);
        if (i == at && simplify->move == MOVE_EARLIER)
            plan_add(simplify, other);
    }
    simplify->plan_at = simplify->next_value = 0;
    return true;
}

/* The next plan worth trying, in a fixed order; false: plans can't improve `best`. */
static bool next_plan(struct strategy *simplify)
{
    for (;; simplify->move_at++) {
        if (simplify->move_at >= simplify->stretches.count) {
            simplify->move_at = 0;
            if (++simplify->move >= MOVES)
                return false;
        }
        if (make_plan(simplify)) {
            simplify->move_at++;
            return true;
        }
    }
}

static void begin_trying(struct strategy *simplify)
{
    find_stretches(simplify);
    simplify->move = simplify->move_at = 0;
}

/* --- CONTINUE: one question after another --- */

static bool ask_continuations(struct strategy *simplify)
{
    uint32_t proven = simplify->proven;
    bool bracketed = simplify->refuted != UINT32_MAX;
    if (proven == 0 || (bracketed && simplify->refuted + 1 == proven))
        return false;
    if (bracketed)
        simplify->prefix = simplify->refuted + (proven - simplify->refuted) / 2;
    else
        simplify->prefix = proven > simplify->stride ? proven - simplify->stride : 0;
    simplify->stride *= 2;
    simplify->follow = choices_of_steps(&simplify->best, simplify->prefix);
    return enter_inner(simplify, simplify->request.reduce ? &strategy_optimal : &strategy_dfs,
                       BOUND_NONE);
}

static void begin_continuing(struct strategy *simplify)
{
    enter_stage(simplify, STAGE_CONTINUE);
    simplify->proven = simplify->best.steps;
    simplify->refuted = UINT32_MAX;
    simplify->stride = 1;
    if (!ask_continuations(simplify))
        simplify->stage = STAGE_OVER;
}

/* --- Deciding what comes next --- */

/* An endless execution was stopped in the middle: what would have followed is unknown, so a
 * reduction, which relies on what it saw, proves nothing. */
static bool ends_open(const struct position *pos, enum outcome outcome)
{
    return outcome == OUTCOME_CUT ||
           (outcome == OUTCOME_LIVELOCK && !threadset_empty(&pos->enabled));
}

/* An endless execution has no simplest form that a step limit could show. */
static void note_repeat(struct strategy *simplify, const struct position *pos,
                        enum outcome outcome)
{
    uint64_t wanted = simplify->request.failure;
    simplify->target = simplify->diverged ? 0 : pos->failure;
    if (simplify->target == 0 || (wanted && simplify->target != wanted) ||
        ends_open(pos, outcome)) {
        simplify->stage = STAGE_OVER;
        return;
    }
    keep_best(simplify);
    simplify->facts.repeated = true;
    simplify->facts.failure = simplify->target;
    simplify->facts.given_preemptions = simplify->run.preemptions;
    simplify->facts.given_switches = simplify->run.switches;
    simplify->facts.given_steps = simplify->run.steps;
    enter_stage(simplify, STAGE_COMPARE);
    if (!enter_inner(simplify, &strategy_icb, (int)simplify->best.preemptions))
        simplify->stage = STAGE_OVER;
}

/* Everything with fewer preemptions than `excluded` + 1 was run, and the target did not
 * occur. */
static void note_compared(struct strategy *simplify)
{
    const struct search_stats *stats = search_stats(simplify->inner);
    int least = (int)simplify->best.preemptions;
    simplify->facts.excluded = stats->bound_done < least ? stats->bound_done : least - 1;
    simplify->facts.compared = stats->bound_done >= least;
    leave_inner(simplify);
    if (simplify->facts.compared) {
        begin_continuing(simplify);
        return;
    }
    simplify->facts.cut = true;
    enter_stage(simplify, STAGE_TRY);
    begin_trying(simplify);
    if (!next_plan(simplify))
        begin_continuing(simplify);
}

static void after_compare(struct strategy *simplify, const struct position *pos,
                          enum outcome outcome)
{
    must(simplify->inner);
    bool more = search_end(simplify->inner, pos, outcome);
    const struct search_stats *stats = search_stats(simplify->inner);
    if (!more || stats->bound_done >= (int)simplify->best.preemptions || is_exhausted(simplify))
        note_compared(simplify);
}

static void after_try(struct strategy *simplify, bool improved)
{
    if (improved)
        begin_trying(simplify);
    if (is_exhausted(simplify) || !next_plan(simplify))
        begin_continuing(simplify);
}

static void after_continuation(struct strategy *simplify, const struct position *pos,
                               enum outcome outcome)
{
    /* An execution with another prefix shows what follows a redundant end. */
    if (simplify->diverged || pos->depth <= simplify->prefix || ends_open(pos, outcome) ||
        outcome == OUTCOME_REDUNDANT) {
        simplify->stage = STAGE_OVER;
        return;
    }
    struct position inner = shift_position(simplify, pos);
    bool more = search_end(simplify->inner, &inner, outcome);
    const struct search_stats *stats = search_stats(simplify->inner);
    if (outcome == OUTCOME_FINISHED) {
        simplify->refuted = simplify->prefix;
    } else if (!more && stats->complete && stats->executions > 0) {
        simplify->proven = simplify->prefix;
        simplify->facts.continuations = stats->distinct;
    } else if (!more || is_exhausted(simplify)) {
        simplify->stage = STAGE_OVER;
        return;
    } else {
        return;
    }
    if (!ask_continuations(simplify))
        simplify->stage = STAGE_OVER;
}

/* --- The strategy --- */

static void simplify_begin(struct strategy *simplify)
{
    struct simplify_run *run = &simplify->run;
    run->choices.count = 0;
    run->preemptions = run->switches = run->steps = 0;
    simplify->cursor = 0;
    simplify->diverged = false;
    if (simplify->inner)
        search_begin(simplify->inner);
}

static int decide_thread(struct strategy *simplify, const struct position *pos)
{
    if (simplify->diverged)
        return PICK_DIVERGED;
    if (is_following(simplify))
        return follow_thread(simplify, pos);
    if (simplify->inner) {
        struct position inner = shift_position(simplify, pos);
        return search_pick(simplify->inner, &inner);
    }
    return simplify->stage == STAGE_TRY ? plan_thread(simplify, pos)
                                        : position_alternative(pos, 0);
}

static int simplify_pick(struct strategy *simplify, const struct position *pos)
{
    int tid = decide_thread(simplify, pos);
    if (tid < 0)
        return tid;
    struct simplify_run *run = &simplify->run;
    *vector_add(simplify->context->pool, &run->choices) = (uint32_t)tid;
    run->preemptions += position_preempts(pos, tid);
    run->switches += pos->last >= 0 && pos->last != tid;
    run->steps++;
    return tid;
}

static int simplify_choose(struct strategy *simplify, int n)
{
    int value = 0;
    if (is_following(simplify))
        value = follow_value(simplify, n);
    else if (simplify->inner)
        value = search_choose(simplify->inner, n);
    else if (simplify->stage == STAGE_TRY)
        value = plan_value(simplify, n);
    if (value >= 0)
        *vector_add(simplify->context->pool, &simplify->run.choices) =
            SCHEDULE_CHOICE | (uint32_t)value;
    return value;
}

static enum verdict simplify_end(struct strategy *simplify, const struct position *pos,
                                 enum outcome outcome)
{
    bool met = simplify->target != 0 && pos->failure == simplify->target;
    bool improved =
        met && simplify->stage != STAGE_CONTINUE && is_simpler(&simplify->run, &simplify->best);
    simplify->executions++;
    simplify->facts.executions++;
    simplify->steps += pos->depth;
    if (improved)
        keep_best(simplify);
    switch (simplify->stage) {
    case STAGE_REPEAT:
        note_repeat(simplify, pos, outcome);
        break;
    case STAGE_COMPARE:
        after_compare(simplify, pos, outcome);
        break;
    case STAGE_TRY:
        after_try(simplify, improved);
        break;
    case STAGE_CONTINUE:
        after_continuation(simplify, pos, outcome);
        break;
    case STAGE_OVER:
        break;
    }
    if (simplify->stage != STAGE_OVER)
        return STRATEGY_MORE;
    leave_inner(simplify);
    return STRATEGY_DONE;
}

void simplify_result(const struct strategy *simplify, struct simplification *facts,
                     const uint32_t **schedule, uint32_t *n)
{
    *facts = simplify->facts;
    facts->finished = simplify->stage == STAGE_OVER;
    facts->preemptions = simplify->best.preemptions;
    facts->switches = simplify->best.switches;
    facts->steps = simplify->best.steps;
    /* the last step is the failure itself, so "every continuation fails" after it says
     * nothing */
    bool known = simplify->refuted != UINT32_MAX || simplify->proven < simplify->best.steps;
    facts->inflection = known ? simplify->proven : UINT32_MAX;
    facts->earliest = simplify->proven == 0 || simplify->refuted + 1 == simplify->proven;
    *schedule = simplify->best.choices.item;
    *n = simplify->best.choices.count;
}

const struct strategy_ops strategy_simplify = {
    .name = "simplify",
    .traits = STRATEGY_SAMPLES | STRATEGY_REPLAYS,
    .create = simplify_create,
    .begin = simplify_begin,
    .pick = simplify_pick,
    .choose = simplify_choose,
    .end = simplify_end,
};
