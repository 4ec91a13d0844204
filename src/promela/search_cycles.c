/* Search with a never claim: what the claim forbids, and acceptance cycles.
 *
 * States are (system state, claim state, fairness counter), all in one vector. From each, the
 * claim reads the system state and moves, then the system makes one macro step, or stutters
 * where it has none (Spin's semantics). Cycles through an accepting state are found by nested
 * depth-first search in the version of Schwoon and Esparza (TACAS'05): a state on the stack is
 * cyan; a red search from an accepting state that is left looks for a cyan one.
 *
 * Weak fairness is the counter construction: from an accepting state it waits for process 0,
 * 1, 2, … each to have moved or been blocked once; a cycle in which it goes all the way round
 * is fair.
 *
 * A bound on preemptions (levels.h) is part of the product, too: the vector holds who moved
 * last and the count, and steps beyond the bound are left out. So what is looked for is a run,
 * finite or infinite, with at most that many preemptions in all; on its cycle there are none.
 *
 * Reduction (por.h) expands one process alone only if none of its successors is on the stack,
 * so that some state of every cycle is expanded in full; the inner search expands each state as
 * the outer one did (Holzmann, Peled, Yannakakis, SPIN'96). */
#include "promela/labels.h"
#include "promela/levels.h"
#include "promela/por.h"
#include "promela/retrace.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CYAN           1u
#define BLUE           2u
#define RED            4u
#define EXPANDED_FULL  8u
#define NOBODY         0xffffu /* who moved last in the initial state */
#define CHECK_INTERVAL 4096
#define SIMPLE         3 /* --bound auto: beyond so many preemptions, all at once */
#define RESERVED_BYTES ((size_t)1 << 35)

struct product_step {
    u32 at;   /* offset of its vector in the pool */
    u32 path; /* first trail step */
    u32 length;
    u32 fault, fault_transition;
    u32 pid, partner; /* of its first step; NO_PARTNER: a stutter */
    u32 last_pid, last_partner;
    u32 claim; /* the claim's transition before it */
    const struct shape *shape;
};

struct product_frame {
    u32 vector; /* offset in the pool, in units of 8 bytes */
    const struct shape *shape;
    u32 number;           /* in the store */
    u32 key;              /* where it starts */
    u32 first, count, at; /* its successors */
    u32 pool_mark, path_mark;
    bool accepting;
};

struct growing {
    void *data;
    u32 count, room;
};

struct cycles {
    struct verifier *verifier;
    struct macro_expander macro;
    struct crew crew;
    struct store *store; /* one extra byte per state: its colours */
    struct store_writer *writer;
    struct growing frames, successors, paths;
    u8 *pool;    /* vectors, a stack */
    u32 pool_at; /* in units of 8 bytes */
    u64 *keys;
    u32 keys_at;
    u8 no_mark; /* of a state that found no room */
    bool stop;
    int bound; /* -1: none */
    bool pruned;
    u32 blue_depth; /* frames below belong to the outer search when the inner runs */
    /* while generating */
    u64 enabled[4];
};

static void *grown(struct cycles *c, struct growing *g, size_t element)
{
    if (g->count == g->room) {
        u32 room = g->room == 0 ? 1024 : g->room * 2;
        void *data = realloc(g->data, room * element);
        if (data == NULL) {
            verifier_truncate(c->verifier, "memory");
            c->stop = true;
            abort();
        }
        g->data = data;
        g->room = room;
    }
    return (u8 *)g->data + element * g->count++;
}

static struct product_frame *frame_at(struct cycles *c, u32 i)
{
    return &((struct product_frame *)c->frames.data)[i];
}

static struct product_step *step_at(struct cycles *c, u32 i)
{
    return &((struct product_step *)c->successors.data)[i];
}

static u8 *vector_at(struct cycles *c, u32 at)
{
    return c->pool + (size_t)at * 8;
}

static u32 field(const u8 *vector, int offset)
{
    u16 value = 0;
    if (offset >= 0)
        memcpy(&value, vector + offset, 2);
    return value;
}

static void set_field(u8 *vector, int offset, u32 value)
{
    u16 small = (u16)value;
    if (offset >= 0)
        memcpy(vector + offset, &small, 2);
}

static const struct control_state *state_of(struct cycles *c, const u8 *vector,
                                            const struct shape *shape, u32 pid)
{
    const struct proctype *p = c->verifier->model->proctypes[shape->type[pid]];
    return &p->automaton->states[control_of(c->verifier, vector, shape, pid)];
}

static bool labelled_accept(struct cycles *c, const u8 *vector, const struct shape *shape)
{
    const struct model *model = c->verifier->model;
    if (model->claim != NULL &&
        model->claim->automaton->states[field(vector, model->claim_offset)].accept)
        return true;
    if (model->claim != NULL && model->claim->progress_claim)
        return false;
    for (u32 pid = 0; pid < shape->processes; pid++)
        if (state_of(c, vector, shape, pid)->accept)
            return true;
    return false;
}

static bool accepting(struct cycles *c, const u8 *vector, const struct shape *shape)
{
    const struct model *model = c->verifier->model;
    if (model->fair_offset >= 0)
        return field(vector, model->fair_offset) > shape->processes;
    return labelled_accept(c, vector, shape);
}

/* The counter after a step by these processes (NO_PARTNER: nobody, a stutter). */
static u32 fair_after(struct cycles *c, const u8 *vector, const struct shape *shape, u32 pid,
                      u32 partner)
{
    u32 counter = field(vector, c->verifier->model->fair_offset);
    if (counter == 0)
        return labelled_accept(c, vector, shape) ? 1 : 0;
    if (counter > shape->processes)
        return 0;
    if (MAZUR_MUTANT == MUTANT_UNFAIR && counter == shape->processes)
        return counter + 1;
    u32 watched = counter - 1;
    bool blocked = !(c->enabled[watched >> 6] >> (watched & 63) & 1);
    return watched == pid || watched == partner || blocked ? counter + 1 : counter;
}

static struct product_step *add_step(struct cycles *c, const u8 *vector,
                                     const struct shape *shape)
{
    u32 words = (shape->size + 7) / 8 + (u32)c->verifier->model->c_tail / 8;
    struct product_step *s = grown(c, &c->successors, sizeof *s);
    *s = (struct product_step){.at = c->pool_at,
                               .shape = shape,
                               .path = c->paths.count,
                               .pid = NO_PARTNER,
                               .partner = NO_PARTNER,
                               .last_pid = NO_PARTNER,
                               .last_partner = NO_PARTNER,
                               .claim = NO_PARTNER};
    memcpy(vector_at(c, c->pool_at), vector, (size_t)words * 8);
    c->pool_at += words;
    return s;
}

/* A step of the system; claim and counter are filled in by combine(). */
static void collect(void *context, const struct macro *m)
{
    struct cycles *c = context;
    struct product_step *s = add_step(c, m->vector, m->shape);
    s->fault = m->fault;
    s->fault_transition = m->fault_transition;
    s->length = m->length;
    s->pid = m->first_pid;
    s->partner = m->first_partner;
    s->last_pid = m->last_pid;
    s->last_partner = m->last_partner;
    if (m->fault == 0) {
        c->enabled[m->first_pid >> 6] |= (u64)1 << (m->first_pid & 63);
        if (m->first_partner != NO_PARTNER)
            c->enabled[m->first_partner >> 6] |= (u64)1 << (m->first_partner & 63);
    }
    for (u32 i = 0; i < m->length; i++) {
        struct trail_step *t = grown(c, &c->paths, sizeof *t);
        *t = m->path[i];
    }
}

/* The claim's own variables. */
static void claim_effect(struct cycles *c, const u8 *from, const struct shape *shape,
                         const struct product_step *s)
{
    struct step *step = &c->macro.expander.step;
    step->now = from;
    step->shape = shape;
    c->verifier->code.claim_effect(step, vector_at(c, s->at), s->claim);
}

static struct product_step *copy_step(struct cycles *c, u32 from)
{
    struct product_step old = *step_at(c, from);
    struct product_step *s = add_step(c, vector_at(c, old.at), old.shape);
    u32 at = s->at;
    *s = old;
    s->at = at;
    return s;
}

/* Is the process that moved last without a step that leads elsewhere? */
static bool is_blocked(struct cycles *c, const u8 *from, const struct shape *shape, u32 first,
                       u32 mover)
{
    for (u32 i = first; i < c->successors.count; i++) {
        const struct product_step *s = step_at(c, i);
        if ((s->pid == mover || s->partner == mover) &&
            (s->fault != 0 || s->shape != shape ||
             memcmp(vector_at(c, s->at), from, shape->size) != 0))
            return false;
    }
    return true;
}

/* Who moved last and what it cost, in the steps from `first` on; those beyond the bound go. */
static void count_preemptions(struct cycles *c, const u8 *from, const struct shape *shape,
                              u32 first)
{
    int offset = c->verifier->model->counted_offset;
    u32 mover = field(from, offset), count = field(from, offset + 2), kept = first;
    bool free = mover == NOBODY || is_blocked(c, from, shape, first, mover);
    u32 end = c->successors.count;
    for (u32 i = first; i < end; i++) {
        struct product_step s = *step_at(c, i);
        bool own = s.pid == mover || s.partner == mover;
        u32 cost = count + (!free && !own);
        if (cost > (u32)c->bound) {
            c->pruned = true;
            continue;
        }
        set_field(vector_at(c, s.at), offset, s.last_pid);
        set_field(vector_at(c, s.at), offset + 2,
                  MAZUR_MUTANT == MUTANT_COUNT_FALLS ? 0 : cost);
        *step_at(c, kept++) = s;
    }
    c->successors.count = kept;
    for (u32 i = first; i < kept; i++) /* after a rendezvous either may go on */
        if (step_at(c, i)->last_partner != NO_PARTNER && step_at(c, i)->fault == 0) {
            struct product_step *s = copy_step(c, i);
            set_field(vector_at(c, s->at), offset, s->last_partner);
        }
}

/* The system's steps from `first` on, once for each move of the claim. */
static void combine(struct cycles *c, const u8 *from, const struct shape *shape, u32 first,
                    u32 target_count, const u32 *targets, const u32 *transitions)
{
    const struct model *model = c->verifier->model;
    u32 count = c->successors.count - first;
    for (u32 k = 1; k < target_count; k++)
        for (u32 i = 0; i < count; i++)
            copy_step(c, first + i);
    for (u32 k = 0; k < target_count; k++)
        for (u32 i = 0; i < count; i++) {
            struct product_step *s = step_at(c, first + k * count + i);
            s->claim = transitions[k];
            set_field(vector_at(c, s->at), model->claim_offset, targets[k]);
            if (model->claim != NULL && model->claim->locals != NULL)
                claim_effect(c, from, shape, s);
            if (model->fair_offset >= 0)
                set_field(vector_at(c, s->at), model->fair_offset,
                          fair_after(c, from, shape, s->pid, s->partner));
        }
}

static bool in_progress(struct cycles *c, const u8 *vector, const struct shape *shape)
{
    for (u32 pid = 0; pid < shape->processes; pid++)
        if (state_of(c, vector, shape, pid)->progress)
            return true;
    return false;
}

/* The claim's moves in a state; a failed assertion in the claim is a step of its own. */
static u32 claim_moves(struct cycles *c, const u8 *vector, const struct shape *shape)
{
    struct step *step = &c->macro.expander.step;
    step->now = vector;
    step->shape = shape;
    step->claim_count = 0;
    step->fault = 0;
    step->progress = in_progress(c, vector, shape);
    c->verifier->code.claim(step, field(vector, c->verifier->model->claim_offset));
    if (step->fault != 0) {
        struct product_step *s = add_step(c, vector, shape);
        s->fault = step->fault;
        s->fault_transition = step->fault_transition;
        step->fault = 0;
    }
    return step->claim_count;
}

/* The system's steps, all or those that may stand for all. */
static void system_steps(struct cycles *c, const u8 *vector, const struct shape *shape,
                         bool all)
{
    u32 first = c->successors.count;
    memset(c->enabled, 0, sizeof c->enabled);
    c->macro.context = c;
    c->macro.emit = collect;
    for (u32 pid = shape->processes; !all && pid-- > 0;)
        if (por_safe(c->verifier, vector, shape, pid) &&
            macro_expand_alone(&c->macro, vector, shape, pid) > 0)
            return;
    macro_expand(&c->macro, vector, shape);
    /* A claim is about infinite runs, and so are accept labels: a run that has come to its end
     * stutters. But what ends goes round in no non-progress cycle. That is as in Spin. */
    const struct proctype *claim = c->verifier->model->claim;
    if (c->successors.count == first && (claim == NULL || !claim->progress_claim))
        add_step(c, vector, shape);
    else if (c->bound >= 0)
        count_preemptions(c, vector, shape, first);
}

static bool claim_state_ends(const struct cycles *c, u32 state)
{
    const struct proctype *claim = c->verifier->model->claim;
    return claim != NULL && claim->automaton->states[state].end;
}

/* The claim comes to its end here: it needs no further step of the system. */
static void end_step(struct cycles *c, const u8 *vector, const struct shape *shape, u32 target,
                     u32 transition)
{
    struct product_step *s = add_step(c, vector, shape);
    s->claim = transition;
    set_field(vector_at(c, s->at), c->verifier->model->claim_offset, target);
}

/* All product successors of a frame's state, appended to `successors`. The vector lies in the
 * pool, which never moves. */
static void generate(struct cycles *c, const u8 *vector, const struct shape *shape, bool all)
{
    static const u32 nowhere[1] = {0}, nothing[1] = {NO_PARTNER};
    const struct step *step = &c->macro.expander.step;
    bool claimed = c->verifier->model->claim != NULL;
    u32 target_count = claimed ? claim_moves(c, vector, shape) : 1;
    u32 first = c->successors.count;
    if (target_count == 0)
        return;
    u32 targets[256], transitions[256];
    memcpy(targets, claimed ? step->claim_target : nowhere, target_count * sizeof *targets);
    memcpy(transitions, claimed ? step->claim_transition : nothing,
           target_count * sizeof *transitions);
    u32 kept = 0;
    for (u32 k = 0; k < target_count; k++)
        if (claimed && claim_state_ends(c, targets[k])) {
            end_step(c, vector, shape, targets[k], transitions[k]);
        } else {
            targets[kept] = targets[k];
            transitions[kept++] = transitions[k];
        }
    first = c->successors.count;
    if (kept == 0)
        return;
    system_steps(c, vector, shape, all);
    combine(c, vector, shape, first, kept, targets, transitions);
}

static void check_limits(struct cycles *c)
{
    struct verifier *v = c->verifier;
    size_t used =
        store_bytes_with(c->store, (size_t)c->pool_at * 8 + (size_t)c->keys_at * 8 +
                                       c->successors.room * sizeof(struct product_step) +
                                       c->frames.room * sizeof(struct product_frame));
    v->bytes = used > v->bytes ? used : v->bytes;
    if (used > v->options->memory || store_full(c->store) ||
        (size_t)c->pool_at * 8 > RESERVED_BYTES - VECTOR_BYTES * 4u ||
        (size_t)c->keys_at * 8 > RESERVED_BYTES - VECTOR_BYTES * 4u) {
        verifier_truncate(v, "memory limit");
        c->stop = true;
    }
    if (c->macro.cut_by) {
        verifier_truncate(v, c->macro.cut_by);
        c->stop = true;
    }
    if (verifier_must_stop(v, store_count(c->store)))
        c->stop = true;
}

struct target {
    u32 number, key;
    u8 *mark;
};

/* Look up a successor of the top frame; its key is left at keys_at. */
static struct target resolve(struct cycles *c, const struct product_step *s)
{
    const struct product_frame *top = frame_at(c, c->frames.count - 1);
    struct target t = {.key = c->keys_at};
    struct store_root root =
        store_key(c->writer, vector_at(c, s->at), s->shape->size, vector_at(c, top->vector),
                  top->shape->size, c->keys + top->key, c->keys + c->keys_at);
    store_add(c->writer, root, &t.number);
    if (store_full(c->store)) {
        verifier_truncate(c->verifier, "memory limit");
        c->stop = true;
    }
    t.mark = store_full(c->store) ? &c->no_mark : store_extra(c->store, t.number);
    c->verifier->transitions_seen++;
    return t;
}

/* Does one of the successors lead back to the stack? */
static bool closes_cycle(struct cycles *c, const struct product_frame *f)
{
    u64 seen = c->verifier->transitions_seen;
    bool closes = false;
    for (u32 i = f->first; i < c->successors.count && !closes; i++)
        closes = step_at(c, i)->fault == 0 && (*resolve(c, step_at(c, i)).mark & CYAN);
    c->verifier->transitions_seen = seen;
    return closes;
}

/* The successors of the frame on top. Whether it is expanded in full is decided when the outer
 * search enters it, and kept. */
static void expand(struct cycles *c, u32 number)
{
    struct product_frame *f = frame_at(c, number);
    u8 *mark = store_extra(c->store, f->number);
    bool all = c->verifier->por == NULL || (*mark & EXPANDED_FULL);
    u32 paths = c->paths.count, pool = c->pool_at;
    generate(c, vector_at(c, f->vector), f->shape, all);
    f = frame_at(c, number);
    if (!all && !(*mark & BLUE) && closes_cycle(c, f)) {
        *mark |= EXPANDED_FULL;
        c->successors.count = f->first;
        c->paths.count = paths;
        c->pool_at = pool;
        generate(c, vector_at(c, f->vector), f->shape, true);
    }
    f->count = c->successors.count - f->first;
}

static void push(struct cycles *c, u32 at, const struct shape *shape, u32 number, u32 key)
{
    u32 pool_mark = c->pool_at, path_mark = c->paths.count, first = c->successors.count;
    struct product_frame *f = grown(c, &c->frames, sizeof *f);
    *f = (struct product_frame){.vector = at,
                                .shape = shape,
                                .number = number,
                                .key = key,
                                .first = first,
                                .pool_mark = pool_mark,
                                .path_mark = path_mark};
    f->accepting = accepting(c, vector_at(c, at), shape);
    expand(c, c->frames.count - 1);
    if (c->frames.count - 1 > c->verifier->depth)
        c->verifier->depth = c->frames.count - 1;
    if ((c->verifier->transitions_seen & (CHECK_INTERVAL - 1)) == 0)
        check_limits(c);
}

static void pop(struct cycles *c)
{
    struct product_frame *f = frame_at(c, --c->frames.count);
    c->successors.count = f->first;
    c->pool_at = f->pool_mark;
    c->paths.count = f->path_mark;
    c->keys_at = f->key;
}

/* ---- failures ---- */

static void add_frames(struct cycles *c, struct trail *trail, u32 from, u32 to)
{
    for (u32 i = from; i < to; i++) {
        const struct product_frame *f = frame_at(c, i);
        if (f->at == 0)
            continue;
        const struct product_step *s = step_at(c, f->first + f->at - 1);
        if (s->length == 0) /* nothing moves but the claim */
            trail_add(trail, (struct trail_step){NO_PARTNER, NO_PARTNER, NO_PARTNER, NO_PARTNER,
                                                 s->claim});
        for (u32 k = 0; k < s->length; k++) {
            struct trail_step t = ((struct trail_step *)c->paths.data)[s->path + k];
            t.claim = k == 0 ? s->claim : NO_PARTNER;
            trail_add(trail, t);
        }
    }
}

static void record(struct cycles *c, enum violation violation, u32 fault, u32 transition,
                   u32 cycle_at)
{
    struct verifier *v = c->verifier;
    v->errors++;
    c->stop |= !v->options->keep_going;
    if (v->trail.violation != VIOLATION_NONE)
        return;
    v->trail.violation = violation;
    v->trail.fault = fault;
    v->trail.fault_transition = transition;
    v->trail.preemptions = -1;
    u32 start = c->frames.count;
    bool cyclic = violation == VIOLATION_ACCEPTANCE || violation == VIOLATION_PROGRESS;
    for (u32 i = 0; cyclic && i < c->blue_depth; i++)
        if (frame_at(c, i)->number == cycle_at)
            start = i;
    add_frames(c, &v->trail, 0, start);
    v->trail.cycle = v->trail.count;
    add_frames(c, &v->trail, start, c->frames.count);
    if (!cyclic)
        v->trail.cycle = v->trail.count;
}

static enum violation cycle_kind(const struct cycles *c)
{
    const struct proctype *claim = c->verifier->model->claim;
    return claim != NULL && claim->progress_claim ? VIOLATION_PROGRESS : VIOLATION_ACCEPTANCE;
}

/* ---- the two searches ---- */

static void enter(struct cycles *c, const struct product_step *s, struct target t)
{
    u32 at = s->at;
    const struct shape *shape = s->shape;
    c->keys_at = t.key + store_key_words(shape->size);
    push(c, at, shape, t.number, t.key);
}

/* From the accepting state of the top frame, which has been left by the outer search. */
static void red_search(struct cycles *c)
{
    u32 bottom = c->frames.count - 1;
    frame_at(c, bottom)->at = 0;
    while (!c->stop) {
        struct product_frame *f = frame_at(c, c->frames.count - 1);
        if (f->at == f->count) {
            if (c->frames.count - 1 == bottom)
                return;
            u32 key = f->key;
            pop(c);
            c->keys_at = key;
            continue;
        }
        const struct product_step *s = step_at(c, f->first + f->at++);
        if (s->fault != 0)
            continue;
        struct target t = resolve(c, s);
        if (*t.mark & CYAN) {
            record(c, cycle_kind(c), 0, 0, t.number);
            if (!c->stop) { /* one report per accepting state */
                while (c->frames.count - 1 > bottom)
                    pop(c);
                return;
            }
        } else if ((*t.mark & BLUE) && !(*t.mark & RED)) {
            *t.mark |= RED;
            enter(c, s, t);
        }
    }
}

static void blue_step(struct cycles *c)
{
    struct product_frame *f = frame_at(c, c->frames.count - 1);
    const struct product_step *s = step_at(c, f->first + f->at++);
    if (s->fault != 0) {
        record(c, s->fault == FAULT_ASSERT ? VIOLATION_ASSERT : VIOLATION_FAULT, s->fault,
               s->fault_transition, 0);
        return;
    }
    struct target t = resolve(c, s);
    bool was_accepting = f->accepting;
    if (*t.mark & (CYAN | BLUE)) {
        if ((*t.mark & CYAN) &&
            (was_accepting || accepting(c, vector_at(c, s->at), s->shape))) {
            c->blue_depth = c->frames.count;
            record(c, cycle_kind(c), 0, 0, t.number);
        }
        return;
    }
    const struct model *model = c->verifier->model;
    if (model->claim != NULL &&
        claim_state_ends(c, field(vector_at(c, s->at), model->claim_offset)))
        record(c, VIOLATION_CLAIM, 0, 0, 0);
    *t.mark |= CYAN;
    enter(c, s, t);
}

static void blue_leave(struct cycles *c)
{
    struct product_frame *f = frame_at(c, c->frames.count - 1);
    u8 *mark = store_extra(c->store, f->number);
    if (f->accepting) {
        c->blue_depth = c->frames.count;
        red_search(c);
        if (c->stop)
            return;
        *mark |= RED;
    }
    *mark = (u8)((*mark & ~CYAN) | BLUE);
    pop(c);
}

static bool cycles_init(struct cycles *c, struct verifier *v, int bound)
{
    c->verifier = v;
    c->bound = bound;
    crew_init(&c->crew, 1);
    c->store = store_create(v->options->memory, &c->crew, 1);
    c->writer = c->store != NULL ? store_writer(c->store, 0) : NULL;
    c->pool = mmap(NULL, RESERVED_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    c->keys = mmap(NULL, RESERVED_BYTES, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return c->writer != NULL && c->pool != MAP_FAILED && c->keys != MAP_FAILED &&
           macro_init(&c->macro, v);
}

static void start(struct cycles *c)
{
    struct expander *x = &c->macro.expander;
    const struct shape *shape = expander_start(x);
    u32 tail = (u32)c->verifier->model->c_tail;
    memcpy(c->pool, x->step.next, ((shape->size + 7) & ~7u) + tail);
    c->pool_at = (shape->size + 7) / 8 + tail / 8;
    set_field(c->pool, c->verifier->model->counted_offset, NOBODY);
    struct store_root root = store_key(c->writer, c->pool, shape->size, NULL, 0, NULL, c->keys);
    u32 number;
    store_add(c->writer, root, &number);
    c->verifier->transitions_seen++;
    if (store_full(c->store)) {
        verifier_truncate(c->verifier, "memory limit");
        return;
    }
    c->keys_at = store_key_words(shape->size);
    *(u8 *)store_extra(c->store, number) |= CYAN;
    const struct model *model = c->verifier->model;
    if (model->claim != NULL && claim_state_ends(c, field(c->pool, model->claim_offset)))
        record(c, VIOLATION_CLAIM, 0, 0, 0);
    push(c, 0, shape, number, 0);
}

/* True: something lies beyond the bound (-1: none). */
static bool search_once(struct verifier *v, int bound)
{
    struct cycles *c = calloc(1, sizeof *c);
    v->transitions_seen = 0;
    if (c == NULL || !cycles_init(c, v, bound)) {
        verifier_truncate(v, "memory");
        free(c);
        return false;
    }
    start(c);
    while (c->frames.count > 0 && !c->stop) {
        struct product_frame *f = frame_at(c, c->frames.count - 1);
        if (f->at < f->count)
            blue_step(c);
        else
            blue_leave(c);
    }
    check_limits(c);
    v->states = store_count(c->store);
    store_free(c->store);
    macro_free(&c->macro);
    crew_free(&c->crew);
    free(c->frames.data);
    free(c->successors.data);
    free(c->paths.data);
    munmap(c->pool, RESERVED_BYTES);
    munmap(c->keys, RESERVED_BYTES);
    bool pruned = c->pruned;
    free(c);
    return pruned;
}

void search_cycles(struct verifier *v, level_done *done, void *context)
{
    int last = v->options->bound;
    if (last == MODEL_BOUND_NONE) {
        search_once(v, -1);
        return;
    }
    for (int bound = 0; last < 0 || bound <= last; bound++) {
        v->bound_pruned = search_once(v, bound);
        if (v->trail.violation != VIOLATION_NONE)
            v->trail.preemptions = bound; /* none was found with fewer */
        if (v->truncated || v->trail.violation != VIOLATION_NONE)
            return;
        v->bound_reached = bound;
        if (done != NULL)
            done(context, bound, (struct level_result){v->states, v->transitions_seen});
        if (!v->bound_pruned)
            return;
        if (last == MODEL_BOUND_AUTO && bound == SIMPLE) { /* runs that go on need ever more */
            v->bound_pruned = false;
            search_once(v, -1);
            return;
        }
    }
}
