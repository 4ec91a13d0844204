/* Finds every state within a bound on preemptions, on all cores, with or without reduction. See
 * levels.h for what is counted and why one count per state is enough.
 *
 * Level c holds what needs exactly c preemptions. A task is (state, process that arrived
 * there). It takes the steps of that process, which are free, or of all processes if that one
 * is blocked. The steps of the others would be preemptions, so they wait: when the level is
 * done, each of its states gets one more task in the next level, with the steps of all
 * processes that did not arrive there. So every step of a state is taken once, and no state is
 * visited again for a smaller count.
 *
 *   level c:    (s, p) ── p's steps ─▶ (t, p), …  until no task is left
 *   level c+1:  s ── steps of the processes that s was not met by in level c ─▶ (u, q), …
 *
 * Reduction is Fig. 5 of paper 001: below the bound, a state with safe steps takes these alone;
 * after them, every switch is free ("safe", kept per state; Spin does not keep it), and so is
 * leaving a process that a safe step may have enabled (safe_states.h). The cycle rule is that
 * of search_reach.c; a state to which it applies is expanded in full, for free.
 *
 * Invariants: a state's count is final when it is set. The worker that sets SAFE_STEPS in a
 * state takes all steps that the state has at its count. */
#include <stdlib.h>
#include <string.h>

#include "promela/search/labels.h"
#include "promela/search/levels.h"
#include "promela/search/team.h"
#include "promela/verifier/safe_states.h"
#include "promela/verifier/pace.h"

#define SHARE_INTERVAL 32u
#define ANYBODY        0x100u /* a task: reached by a safe step, all switches are free */
#define PREEMPT        0x101u /* a task: the steps of the processes that did not arrive there */
#define MARKED         0x10000u

/* Flags of a state. */
#define ENTERED    1u /* some task of it has begun */
#define FREE       2u /* all steps were taken at its own count */
#define MET_SAFELY 4u
#define SAFE_STEPS 8u  /* only safe steps were taken, or all for free */
#define FULL       16u /* not reduced, or leads to one that was not */
#define LOOKED_AT  32u /* it was checked as an end state */

struct task {
    uint32_t number, what; /* state; process or one of the above, perhaps MARKED */
    uint32_t witness;      /* with reduction: see search_reach.c */
};

struct tasks {
    struct task *data;
    size_t bottom, top;
    atomic_size_t room; /* read by the worker that watches the limits */
};

struct numbers {
    uint32_t *data;
    size_t count, room;
};

struct bound {
    struct team team;
    struct runner *runners;
    uint32_t pids;   /* room in labels */
    int level, last; /* last: -1: until nothing is left */
    int said;        /* the last level that was reported, by a search with fewer pids */
    bool alone;      /* one process can be expanded without the others */
    bool reduce;
    atomic_bool more_pids;
    uint32_t initial;
};

struct held_successor {
    struct store_root root;
    uint32_t at; /* of its key in the pool, which may move */
    uint32_t fault, fault_transition;
    uint32_t first_pid, first_partner, last_pid, last_partner;
    bool elsewhere;
    bool given; /* a safe step may have enabled it: its process is free to leave */
};

struct runner {
    struct bound *bound;
    struct member member;
    struct tasks tasks;
    struct numbers reached;   /* states of this level */
    struct numbers before;    /* of the level before: their preemptions are due */
    atomic_size_t list_bytes; /* what the two take */
    uint64_t done, reached_count;
    struct pace pace;
    uint32_t marked;
    /* of the state being expanded */
    struct held_successor *held; /* its steps */
    uint32_t held_count, held_room;
    uint64_t *pool; /* their keys */
    uint32_t pool_count, pool_room;
    uint32_t witness;
};

static bool grow_level(struct bound *b, void *array, size_t room, size_t element)
{
    void *memory = realloc(*(void **)array, room * element);
    if (!memory)
        team_halt(&b->team, "memory");
    else
        *(void **)array = memory;
    return memory;
}

static struct state_label *label_of(const struct bound *b, uint32_t number)
{
    return store_extra(b->team.store, number);
}

static void note_failure(struct runner *w, struct failure failure)
{
    member_fail(&w->member, failure, w->bound->level);
}

/* --- tasks --- */

static void push_task(struct runner *w, uint32_t number, uint32_t what)
{
    struct tasks *t = &w->tasks;
    size_t had = atomic_load_explicit(&t->room, memory_order_relaxed);
    if (t->top == had) {
        size_t room = had == 0 ? 4096 : had * 2;
        if (!grow_level(w->bound, &t->data, room, sizeof *t->data))
            return;
        atomic_store_explicit(&t->room, room, memory_order_relaxed);
    }
    t->data[t->top++] = (struct task){number, what, NOWHERE};
}

static void note_reached(struct runner *w, uint32_t number)
{
    struct numbers *n = &w->reached;
    if (n->count == n->room) {
        size_t room = n->room == 0 ? 4096 : n->room * 2;
        if (!grow_level(w->bound, &n->data, room, sizeof *n->data))
            return;
        n->room = room;
        atomic_store_explicit(&w->list_bytes,
                              (w->reached.room + w->before.room) * sizeof(uint32_t),
                              memory_order_relaxed);
    }
    n->data[n->count++] = number;
    w->reached_count++;
}

/* A state is reached at this level, by a process or by a safe step. */
static void arrive_at(struct runner *w, uint32_t number, uint32_t what)
{
    struct bound *b = w->bound;
    struct state_label *label = label_of(b, number);
    if (what < ANYBODY && what >= b->pids) {
        atomic_store(&b->more_pids, true);
        atomic_store(&b->team.stop, true);
        return;
    }
    switch (label_meet(label, (uint32_t)b->level)) {
    case LABEL_DOMINATED:
        return;
    case LABEL_NEW_STATE:
        note_reached(w, number);
        break;
    case LABEL_NEW_PROCESS:
        break;
    }
    if (what == ANYBODY) {
        if (!(atomic_fetch_or(&label->flags, MET_SAFELY) & MET_SAFELY))
            push_task(w, number, what);
    } else if (!label_note(label, what)) {
        push_task(w, number, what);
    }
}

/* --- steps --- */

/* Kept until it is known whether the process in question is blocked. */
static void hold_step(void *context, const struct macro *m)
{
    struct runner *w = context;
    struct bound *b = w->bound;
    uint32_t words = store_key_words(m->shape->size);
    if (w->held_count == w->held_room) {
        uint32_t room = w->held_room == 0 ? 64 : w->held_room * 2;
        if (!grow_level(b, &w->held, room, sizeof *w->held))
            return;
        w->held_room = room;
    }
    if (w->pool_count + words > w->pool_room) {
        uint32_t room = w->pool_room == 0 ? 4096 : w->pool_room;
        while (w->pool_count + words > room)
            room *= 2;
        if (!grow_level(b, &w->pool, room, sizeof *w->pool))
            return;
        w->pool_room = room;
    }
    struct held_successor *h = &w->held[w->held_count++];
    *h = (struct held_successor){.fault = m->fault,
                                 .fault_transition = m->fault_transition,
                                 .first_pid = m->first_pid,
                                 .first_partner = m->first_partner,
                                 .last_pid = m->last_pid,
                                 .last_partner = m->last_partner};
    h->at = w->pool_count;
    h->elsewhere = m->fault != 0 || m->shape != w->member.shape ||
                   memcmp(m->vector, w->member.vector, w->member.shape->size) != 0;
    h->given = b->reduce && por_enables(b->team.verifier, m->path[0].transition);
    if (m->fault != 0)
        return;
    h->root = store_key(w->member.writer, m->vector, m->shape->size, w->member.vector,
                        w->member.shape->size, w->member.key, w->pool + w->pool_count);
    store_prefetch(b->team.store, h->root);
    w->pool_count += words;
}

static void take_step(struct runner *w, struct held_successor *h, bool safely)
{
    struct bound *b = w->bound;
    uint32_t number;
    if (h->fault != 0) {
        note_failure(w, failure_of_fault(h->fault, h->fault_transition));
        return;
    }
    h->root.key = w->pool + h->at;
    if (store_add(w->member.writer, h->root, &number))
        store_set_parent(w->member.writer, number, w->member.current);
    if (store_full(b->team.store)) {
        team_halt(&b->team, "memory limit");
        return;
    }
    w->member.transitions++;
    if (safely) {
        arrive_at(w, number, ANYBODY);
    } else {
        arrive_at(w, number, h->last_pid);
        if (h->last_partner != NO_PARTNER)
            arrive_at(w, number, h->last_partner);
    }
    if (!b->reduce)
        return;
    struct state_label *label = label_of(b, number);
    uint8_t flags = atomic_load(&label->flags);
    if (!(flags & ENTERED) || (flags & FULL) ||
        atomic_load(&label->count) - 1u < (uint32_t)b->level)
        w->witness = number;
}

static bool held_involves(const struct held_successor *h, uint32_t pid)
{
    return h->first_pid == pid || h->first_partner == pid;
}

static bool met_by(struct state_label *label, const struct held_successor *h)
{
    return label_noted(label, h->first_pid) || label_noted(label, h->first_partner);
}

static void fetch_state(struct runner *w, uint32_t number)
{
    member_fetch(&w->member, number);
    w->held_count = w->pool_count = 0;
    w->witness = NOWHERE;
}

/* No process can move: a valid or an invalid end. Checked once per state. */
static void look_at_end(struct runner *w)
{
    struct bound *b = w->bound;
    if (atomic_fetch_or(&label_of(b, w->member.current)->flags, LOOKED_AT) & LOOKED_AT)
        return;
    if (!valid_end(b->team.verifier, w->member.vector, w->member.shape))
        note_failure(w, failure_of_end());
}

/* Every step there is, at this level. */
static void take_all(struct runner *w, uint32_t except, bool unless_met)
{
    struct state_label *label = label_of(w->bound, w->member.current);
    w->held_count = w->pool_count = 0;
    if (macro_expand_others(&w->member.macro, w->member.vector, w->member.shape, except) == 0)
        look_at_end(w);
    for (uint32_t i = 0; i < w->held_count; i++)
        if (!unless_met || !met_by(label, &w->held[i]))
            take_step(w, &w->held[i], false);
}

/* --- reduction --- */

/* True if safe steps stand for all. */
static bool take_safe_steps(struct runner *w, struct task *task)
{
    struct bound *b = w->bound;
    struct state_label *label = label_of(b, w->member.current);
    uint32_t pid = w->member.shape->processes;
    while (pid-- > 0)
        if (por_safe(b->team.verifier, w->member.vector, w->member.shape, pid) &&
            macro_expand_alone(&w->member.macro, w->member.vector, w->member.shape, pid) > 0)
            break;
    if (pid == NOWHERE)
        return false;
    if (atomic_fetch_or(&label->flags, SAFE_STEPS) & SAFE_STEPS)
        return true; /* left to another task of this state */
    for (uint32_t i = 0; i < w->held_count; i++)
        take_step(w, &w->held[i], true);
    if (w->witness == NOWHERE) { /* perhaps a cycle: postpone nothing, and count nothing */
        atomic_fetch_or(&label->flags, FREE | FULL);
        take_all(w, pid, false);
        return true;
    }
    task->witness = w->witness;
    const struct state_label *other = label_of(b, w->witness);
    if ((atomic_load(&other->flags) & FULL) ||
        atomic_load(&other->count) - 1u < (uint32_t)b->level)
        atomic_fetch_or(&label->flags, FULL);
    return true;
}

/* --- one task --- */

/* The steps of the process that arrived here, or of all if it is blocked. */
static void go_on(struct runner *w, uint32_t pid)
{
    struct bound *b = w->bound;
    struct state_label *label = label_of(b, w->member.current);
    bool blocked = true;
    if (b->alone && pid < w->member.shape->processes) /* it may have ended */
        macro_expand_alone(&w->member.macro, w->member.vector, w->member.shape, pid);
    else if (!b->alone &&
             macro_expand(&w->member.macro, w->member.vector, w->member.shape) == 0)
        look_at_end(w);
    for (uint32_t i = 0; i < w->held_count; i++)
        blocked &=
            !(held_involves(&w->held[i], pid) && w->held[i].elsewhere && !w->held[i].given);
    for (uint32_t i = 0; i < w->held_count; i++)
        if (held_involves(&w->held[i], pid))
            take_step(w, &w->held[i], false);
    if (blocked && !(atomic_fetch_or(&label->flags, FREE) & FREE))
        take_all(w, NO_PARTNER, true);
}

/* Preemptions, which belong to the next level: the steps of the processes that did not arrive
 * here. */
static void preempt_state(struct runner *w)
{
    struct state_label *label = label_of(w->bound, w->member.current);
    if (!(atomic_load(&label->flags) & (FREE | SAFE_STEPS)))
        take_all(w, NO_PARTNER, true);
}

static void run_task(struct runner *w, size_t at)
{
    struct bound *b = w->bound;
    struct task task = w->tasks.data[at];
    uint32_t what = task.what & ~MARKED;
    fetch_state(w, task.number);
    if (what == PREEMPT) {
        preempt_state(w);
        return;
    }
    struct state_label *label = label_of(b, task.number);
    atomic_fetch_or(&label->flags, ENTERED);
    bool below = b->last < 0 || b->level < b->last;
    bool first = task.number == b->initial;
    if (b->reduce && below && !first && take_safe_steps(w, &task)) {
        w->tasks.data[at].witness = task.witness;
        return;
    }
    atomic_fetch_or(&label->flags, FULL);
    w->held_count = w->pool_count = 0;
    if (what == ANYBODY) {
        if (!(atomic_fetch_or(&label->flags, FREE) & FREE))
            take_all(w, NO_PARTNER, true);
    } else {
        go_on(w, what);
    }
}

static void leave_state(struct runner *w)
{
    struct task task = w->tasks.data[--w->tasks.top];
    w->marked--;
    if (task.witness != NOWHERE &&
        (atomic_load(&label_of(w->bound, task.witness)->flags) & FULL))
        atomic_fetch_or(&label_of(w->bound, task.number)->flags, FULL);
}

/* --- sharing and limits --- */

static void share_tasks(struct runner *w)
{
    struct tasks *t = &w->tasks;
    size_t end = t->bottom + (t->top - t->bottom) / 2, due = w->before.count / 2;
    struct portion *portion = end > t->bottom || due > 0 ? malloc(sizeof *portion) : NULL;
    if (!portion)
        return;
    portion->count = 0;
    for (; due > 0 && portion->count < WORK_PORTION; due--)
        portion->items[portion->count++] =
            (uint64_t)PREEMPT << 32 | w->before.data[--w->before.count];
    for (; t->bottom < end && portion->count < WORK_PORTION; t->bottom++) {
        const struct task *task = &t->data[t->bottom];
        if (task->what & MARKED)
            w->marked--;
        else
            portion->items[portion->count++] = (uint64_t)task->what << 32 | task->number;
    }
    if (portion->count > 0)
        work_give(&w->bound->team.pool, portion);
    else
        free(portion);
}

static bool refill_tasks(struct runner *w)
{
    struct portion *portion = member_take_work(&w->member);
    if (!portion)
        return false;
    for (uint32_t i = 0; i < portion->count; i++)
        push_task(w, (uint32_t)portion->items[i], (uint32_t)(portion->items[i] >> 32));
    free(portion);
    return true;
}

static size_t used_bytes(const struct bound *b)
{
    size_t bytes = 0;
    for (int i = 0; i < atomic_load(&b->team.crew.size); i++) {
        struct runner *w = &b->runners[i];
        bytes +=
            atomic_load(&w->tasks.room) * sizeof(struct task) + atomic_load(&w->list_bytes);
    }
    return store_bytes_with(b->team.store, bytes);
}

static void now_and_then(struct runner *w, bool first)
{
    if ((w->done & (SHARE_INTERVAL - 1)) == 0 && work_wanted(&w->bound->team.pool))
        share_tasks(w);
    if (!pace_is_due(&w->pace, w->done))
        return;
    if (first)
        team_check_limits(&w->bound->team, used_bytes(w->bound));
    if (macro_ends_search(&w->member.macro, w->done))
        team_halt(&w->bound->team, w->member.macro.cut_by);
}

/* The next task: from the stack, else from the previous level, else from another worker. */
static bool next_task(struct runner *w)
{
    struct tasks *t = &w->tasks;
    if (t->top > t->bottom)
        return true;
    t->bottom = t->top = 0;
    w->marked = 0;
    if (w->before.count > 0) {
        for (uint32_t i = 0; i < SHARE_INTERVAL && w->before.count > 0; i++)
            push_task(w, w->before.data[--w->before.count], PREEMPT);
        return true;
    }
    return refill_tasks(w);
}

static void run_worker(void *context, int number)
{
    struct bound *b = context;
    struct runner *w = &b->runners[number];
    while (!atomic_load_explicit(&b->team.stop, memory_order_relaxed) && next_task(w)) {
        crew_poll(&b->team.crew);
        size_t at = w->tasks.top - 1;
        if (w->tasks.data[at].what & MARKED) {
            leave_state(w);
            continue;
        }
        if (++w->marked > w->member.deepest)
            w->member.deepest = w->marked;
        w->tasks.data[at].what |= MARKED;
        run_task(w, at);
        w->done++;
        now_and_then(w, number == 0);
    }
}

/* --- the search --- */

static void runner_free(struct runner *w)
{
    member_free(&w->member);
    free(w->tasks.data);
    free(w->reached.data);
    free(w->before.data);
    free(w->held);
    free(w->pool);
}

/* Does a process's ability to move depend only on its own statements? */
static bool can_stand_alone(const struct model *model)
{
    if (model->uses_timeout || model->uses_priority || model->uses_enabled)
        return false;
    for (int i = 0; i < model->channel_type_count; i++)
        if (model->channel_types[i]->capacity == 0)
            return false;
    return true;
}

static bool bound_init(struct bound *b, struct verifier *v, uint32_t pids)
{
    memset(b, 0, sizeof *b);
    bool ready = team_init(&b->team, v, LABEL_SIZE(pids));
    int jobs = atomic_load(&b->team.crew.size);
    b->pids = pids;
    b->last = v->options->bound >= 0 ? v->options->bound : -1;
    b->alone = can_stand_alone(v->model);
    b->reduce = v->por && v->options->por_given && b->last != 0; /* only below the last */
    b->runners = calloc((size_t)jobs, sizeof *b->runners);
    ready = ready && b->runners;
    for (int i = 0; ready && i < jobs; i++) {
        b->runners[i].bound = b;
        ready = member_init(&b->runners[i].member, &b->team, i, hold_step, &b->runners[i]);
    }
    return ready;
}

static void bound_free(struct bound *b, int jobs)
{
    for (int i = 0; b->runners && i < jobs; i++)
        runner_free(&b->runners[i]);
    free(b->runners);
    team_free(&b->team);
}

static struct level_result total_result(const struct bound *b, int jobs)
{
    struct level_result result = {0};
    for (int i = 0; i < jobs; i++) {
        result.states += b->runners[i].reached_count;
        result.transitions += b->runners[i].member.transitions;
    }
    return result;
}

/* The states of this level are preempted in the next one. False: there are none. */
static bool advance_level(struct bound *b, int jobs)
{
    bool any = false;
    for (int i = 0; i < jobs; i++) {
        struct runner *w = &b->runners[i];
        struct numbers empty = w->before;
        empty.count = 0;
        w->before = w->reached;
        w->reached = empty;
        w->tasks.bottom = w->tasks.top = 0;
        any |= w->before.count > 0;
    }
    b->level++;
    atomic_store(&b->team.pool.over, false);
    atomic_store(&b->team.pool.hungry, 0);
    return any;
}

/* Is there a step beyond the last level? */
static bool something_beyond(struct bound *b, int jobs)
{
    struct runner *w = &b->runners[0];
    for (int i = 0; i < jobs; i++)
        for (size_t k = 0; k < b->runners[i].reached.count; k++) {
            struct state_label *label = label_of(b, b->runners[i].reached.data[k]);
            if (atomic_load(&label->flags) & (FREE | SAFE_STEPS))
                continue;
            fetch_state(w, b->runners[i].reached.data[k]);
            macro_expand(&w->member.macro, w->member.vector, w->member.shape);
            for (uint32_t h = 0; h < w->held_count; h++)
                if (w->held[h].elsewhere && !met_by(label, &w->held[h]))
                    return true;
        }
    return false;
}

static void search_levels_of(struct bound *b, int jobs, level_done *done, void *context)
{
    struct verifier *v = b->team.verifier;
    struct level_result before = {0};
    /* the very first step preempts nobody */
    if (member_start(&b->runners[0].member, b->runners[0].member.key, &b->initial))
        arrive_at(&b->runners[0], b->initial, ANYBODY);
    for (;;) {
        crew_run(&b->team.crew, run_worker, b);
        if (atomic_load(&b->team.stop))
            return;
        struct level_result now = total_result(b, jobs);
        if (now.states > before.states) { /* else the level before was the last */
            v->bound_reached = b->level;
            if (done && b->level > b->said)
                done(context, b->level, now);
        }
        before = now;
        if (b->level == b->last || b->level == LABEL_HIGHEST) {
            v->bound_pruned = something_beyond(b, jobs);
            return;
        }
        if (!advance_level(b, jobs))
            return;
    }
}

static void finish_search(struct bound *b, int jobs)
{
    struct verifier *v = b->team.verifier;
    struct level_result result = total_result(b, jobs);
    team_note_bytes(&b->team, used_bytes(b));
    v->states = result.states;
    v->transitions_seen = result.transitions;
    for (int i = 0; i < jobs; i++)
        member_finish(&b->runners[i].member);
    team_show_failures(&b->team, &b->runners[0].member);
}

void search_bound(struct verifier *v, level_done *done, void *context)
{
    bool again = true;
    int said = -1;
    v->shared = true;
    for (uint32_t pids = LABEL_FEW; again; pids = LABEL_MANY) {
        struct bound bound, *b = &bound;
        bool ready = bound_init(b, v, pids);
        int jobs = atomic_load(&b->team.crew.size);
        again = false;
        if (!ready) {
            verifier_truncate(v, "memory");
        } else {
            v->crew = &b->team.crew;
            b->said = said;
            search_levels_of(b, jobs, done, context);
            v->crew = NULL;
            again = atomic_load(&b->more_pids) && pids == LABEL_FEW;
            said = v->bound_reached;
            if (!again)
                finish_search(b, jobs);
        }
        bound_free(b, jobs);
    }
}
