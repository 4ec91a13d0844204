/* Moves of the claim, steps of the system, and the two together. See product.h. */
#include "promela/search/product.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "promela/search/labels.h"
#include "promela/search/retrace.h"
#include "promela/verifier/safe_states.h"

#define RESERVED_BYTES ((size_t)1 << 34) /* pages come as they are touched */
#define FIRST_ROOM     1024u

/* Adds an element. Without memory it returns the last one again and sets `failed`. */
static void *add_element(struct product *p, struct growing *g, size_t element)
{
    void *added = growing_add(g, element, 1);
    p->failed |= !added;
    return added ? added : (uint8_t *)g->data + element * (g->count - 1);
}

static void set_field(uint8_t *vector, int offset, uint32_t value)
{
    uint16_t small = (uint16_t)value;
    if (offset >= 0)
        memcpy(vector + offset, &small, 2);
}

static const struct control_state *state_of(const struct product *p, const uint8_t *vector,
                                            const struct shape *shape, uint32_t pid)
{
    const struct proctype *type = p->verifier->model->proctypes[shape->type[pid]];
    return &type->automaton->states[control_of(p->verifier, vector, shape, pid)];
}

static bool labelled_accept(const struct product *p, const uint8_t *vector,
                            const struct shape *shape)
{
    const struct model *model = p->verifier->model;
    if (model->claim &&
        model->claim->automaton->states[product_field(vector, model->claim_offset)].accept)
        return true;
    for (uint32_t pid = 0; p->labels && pid < shape->processes; pid++)
        if (state_of(p, vector, shape, pid)->accept)
            return true;
    return false;
}

bool product_accepts(const struct product *p, const uint8_t *vector, const struct shape *shape,
                     uint32_t copy)
{
    if (p->fair)
        return copy > shape->processes;
    return labelled_accept(p, vector, shape);
}

/* The copy that a step of these processes leads to (NO_PARTNER: no process, a stutter). */
static uint32_t copy_after(const struct product *p, const uint8_t *vector,
                           const struct shape *shape, uint32_t copy,
                           const struct product_step *s)
{
    if (copy == 0)
        return labelled_accept(p, vector, shape) ? 1 : 0;
    if (copy > shape->processes)
        return 0;
    uint32_t watched = copy - 1;
    bool blocked = !(p->enabled[watched >> 6] >> (watched & 63) & 1);
    return watched == s->pid || watched == s->partner || blocked ? copy + 1 : copy;
}

/* No room for the successors of another state. */
static bool is_arena_full(const struct product_arena *a)
{
    return (size_t)a->pool_at * 8 > a->pool_size / 4 * 3;
}

static struct product_step *add_step(struct product *p, const uint8_t *vector,
                                     const struct shape *shape)
{
    struct product_arena *to = p->to;
    uint32_t words = (shape->size + 7) / 8 + (uint32_t)p->verifier->model->c_tail / 8;
    struct product_step *s = add_element(p, &to->steps, sizeof *s);
    *s = (struct product_step){.at = to->pool_at,
                               .shape = shape,
                               .path = to->paths.count,
                               .pid = NO_PARTNER,
                               .partner = NO_PARTNER,
                               .last_pid = NO_PARTNER,
                               .last_partner = NO_PARTNER,
                               .claim = NO_PARTNER};
    memcpy(product_vector(to, to->pool_at), vector, (size_t)words * 8);
    to->pool_at += words;
    if (is_arena_full(to)) {
        to->pool_at = s->at;
        p->failed = true;
    }
    return s;
}

/* A step of the system; claim and copy are filled in by combine_moves(). */
static void collect_step(void *context, const struct macro *m)
{
    struct product *p = context;
    struct product_step *s = add_step(p, m->vector, m->shape);
    s->fault = m->fault;
    s->fault_transition = m->fault_transition;
    s->length = m->length;
    s->pid = m->first_pid;
    s->partner = m->first_partner;
    s->last_pid = m->last_pid;
    s->last_partner = m->last_partner;
    if (m->length > 0) {
        p->enabled[m->first_pid >> 6] |= (uint64_t)1 << (m->first_pid & 63);
        if (m->first_partner != NO_PARTNER)
            p->enabled[m->first_partner >> 6] |= (uint64_t)1 << (m->first_partner & 63);
    }
    for (uint32_t i = 0; i < m->length; i++) {
        struct trail_step *t = add_element(p, &p->to->paths, sizeof *t);
        *t = m->path[i];
    }
}

/* The claim's own variables. */
static void claim_effect(struct product *p, const uint8_t *from, const struct shape *shape,
                         const struct product_step *s)
{
    struct step *step = &p->macro.expander.step;
    step->now = from;
    step->shape = shape;
    p->verifier->code.claim_effect(step, product_vector(p->to, s->at), s->claim);
}

static struct product_step *copy_step(struct product *p, uint32_t from)
{
    struct product_step old = *product_step_at(p->to, from);
    struct product_step *s = add_step(p, product_vector(p->to, old.at), old.shape);
    uint32_t at = s->at;
    *s = old;
    s->at = at;
    return s;
}

static uint32_t first_transition(const struct product *p, const struct product_step *s)
{
    return ((const struct trail_step *)p->to->paths.data)[s->path].transition;
}

/* Does each of the steps from `first` on change the system's state, without having been enabled
 * by safe steps? */
static void compare_states(struct product *p, const uint8_t *from, const struct shape *shape,
                           uint32_t first)
{
    for (uint32_t i = first; i < p->to->steps.count; i++) {
        struct product_step *s = product_step_at(p->to, i);
        s->elsewhere = s->fault != 0 || s->shape != shape ||
                       memcmp(product_vector(p->to, s->at), from, shape->size) != 0;
        if (p->reduces && p->bound >= 0 && s->length > 0 &&
            por_enables(p->verifier, first_transition(p, s)))
            s->elsewhere = false;
    }
}

/* Does the process that moved last have no step that leads elsewhere? */
static bool is_blocked(const struct product *p, uint32_t first, uint32_t mover)
{
    for (uint32_t i = first; i < p->to->steps.count; i++) {
        const struct product_step *s = product_step_at(p->to, i);
        if ((s->pid == mover || s->partner == mover) && s->elsewhere)
            return false;
    }
    return true;
}

/* Sets the last process and the count in the steps from `first` on, and removes those beyond
 * the bound. `free`: switching costs nothing here. */
static void count_preemptions(struct product *p, const uint8_t *from, uint32_t first, bool free)
{
    int offset = p->verifier->model->counted_offset;
    uint32_t mover = product_field(from, offset), count = product_field(from, offset + 2);
    uint32_t kept = first, end = p->to->steps.count;
    free |= mover == PRODUCT_NOBODY || is_blocked(p, first, mover);
    for (uint32_t i = first; i < end; i++) {
        struct product_step s = *product_step_at(p->to, i);
        bool own = s.pid == mover || s.partner == mover;
        uint32_t cost = count + (!free && !own);
        if (cost > (uint32_t)p->bound) {
            p->pruned = true;
            continue;
        }
        uint8_t *vector = product_vector(p->to, s.at);
        set_field(vector, offset, s.last_pid);
        set_field(vector, offset + 2, cost);
        *product_step_at(p->to, kept++) = s;
    }
    p->to->steps.count = kept;
    for (uint32_t i = first; i < kept;
         i++) { /* after a rendezvous either process may continue */
        const struct product_step *old = product_step_at(p->to, i);
        if (old->last_partner == NO_PARTNER || old->fault != 0)
            continue;
        struct product_step *s = copy_step(p, i);
        set_field(product_vector(p->to, s->at), offset, s->last_partner);
    }
}

/* Repeats the system's steps from `first` on for each move of the claim. */
static void combine_moves(struct product *p, const uint8_t *from, const struct shape *shape,
                          uint32_t copy, uint32_t first, uint32_t target_count,
                          const uint32_t *targets, const uint32_t *transitions)
{
    const struct model *model = p->verifier->model;
    uint32_t count = p->to->steps.count - first;
    for (uint32_t k = 1; k < target_count && !p->failed; k++)
        for (uint32_t i = 0; i < count && !p->failed; i++)
            copy_step(p, first + i);
    for (uint32_t k = 0; k < target_count && !p->failed; k++)
        for (uint32_t i = 0; i < count; i++) {
            struct product_step *s = product_step_at(p->to, first + k * count + i);
            s->claim = transitions[k];
            set_field(product_vector(p->to, s->at), model->claim_offset, targets[k]);
            if (model->claim && model->claim->locals)
                claim_effect(p, from, shape, s);
            if (p->fair)
                s->copy = copy_after(p, from, shape, copy, s);
        }
}

static bool in_progress(const struct product *p, const uint8_t *vector,
                        const struct shape *shape)
{
    for (uint32_t pid = 0; pid < shape->processes; pid++)
        if (state_of(p, vector, shape, pid)->progress)
            return true;
    return false;
}

/* The claim's moves in a state; a failed assertion in the claim is a step of its own. */
static uint32_t claim_moves(struct product *p, const uint8_t *vector, const struct shape *shape)
{
    const struct model *model = p->verifier->model;
    struct step *step = &p->macro.expander.step;
    step->now = vector;
    step->shape = shape;
    step->claim_count = 0;
    step->fault = 0;
    step->progress =
        (model->uses_progress || model->claim->progress_claim) && in_progress(p, vector, shape);
    p->verifier->code.claim(step, product_field(vector, model->claim_offset));
    if (step->fault != 0) {
        struct product_step *s = add_step(p, vector, shape);
        s->fault = step->fault;
        s->fault_transition = step->fault_transition;
        s->alone = true;
        step->fault = 0;
    }
    return step->claim_count;
}

/* A process whose atomic sequence was cut has no step, yet it is not blocked. */
static void note_enabled(struct product *p, uint32_t moves)
{
    for (uint32_t i = 0; i < moves; i++) {
        uint32_t pid = p->macro.expander.step.list[i].pid;
        p->enabled[pid >> 6] |= (uint64_t)1 << (pid & 63);
    }
}

/* Expands a process that may stand for all. With a bound this happens only below the bound and
 * costs nothing, and the next switch is free (paper 001, Fig. 5): the step counts as nobody's.
 */
static bool safe_steps(struct product *p, const uint8_t *vector, const struct shape *shape)
{
    int offset = p->verifier->model->counted_offset;
    bool counted = p->bound >= 0;
    uint32_t first = p->to->steps.count, pid = shape->processes;
    if (counted && product_field(vector, offset + 2) >= (uint32_t)p->bound)
        return false;
    while (pid-- > 0)
        if (por_safe(p->verifier, vector, shape, pid) &&
            macro_expand_alone(&p->macro, vector, shape, pid) > 0)
            break;
    for (uint32_t i = first; counted && i < p->to->steps.count; i++)
        set_field(product_vector(p->to, product_step_at(p->to, i)->at), offset, PRODUCT_NOBODY);
    return p->to->steps.count > first;
}

/* The system's steps: all, or those that may stand for all. If `all` are requested although
 * some could stand for them, those would lead round a cycle; then switching is free. */
static void system_steps(struct product *p, const uint8_t *vector, const struct shape *shape,
                         bool all)
{
    struct product_arena *to = p->to;
    uint32_t first = to->steps.count, paths = to->paths.count, pool_at = to->pool_at;
    bool goes_round = false;
    memset(p->enabled, 0, sizeof p->enabled);
    if (p->reduces && (!all || p->bound >= 0) && safe_steps(p, vector, shape)) {
        p->reduced = !all;
        if (p->reduced)
            return;
        goes_round = true;
        to->steps.count = first;
        to->paths.count = paths;
        to->pool_at = pool_at;
    }
    uint32_t moves = macro_expand(&p->macro, vector, shape);
    if (p->macro.cut_by)
        note_enabled(p, moves);
    if (p->to->steps.count == first && moves > 0)
        return; /* a limit ended the search inside of an atomic sequence */
    /* Claims and accept labels are about infinite runs, so a run that has ended stutters. But a
     * run that ends has no non-progress cycle. As in Spin. */
    const struct proctype *claim = p->verifier->model->claim;
    if (p->to->steps.count == first && (!claim || !claim->progress_claim)) {
        add_step(p, vector, shape)->alone = true;
        return;
    }
    if (p->compares)
        compare_states(p, vector, shape, first);
    if (p->bound >= 0)
        count_preemptions(p, vector, first, goes_round);
}

static bool claim_state_ends(const struct product *p, uint32_t state)
{
    const struct proctype *claim = p->verifier->model->claim;
    return claim && claim->automaton->states[state].end;
}

bool product_claim_ended(const struct product *p, const uint8_t *vector)
{
    return claim_state_ends(p, product_field(vector, p->verifier->model->claim_offset));
}

/* The claim ends here: it needs no further step of the system. */
static void end_step(struct product *p, const uint8_t *vector, const struct shape *shape,
                     uint32_t target, uint32_t transition)
{
    struct product_step *s = add_step(p, vector, shape);
    s->claim = transition;
    s->alone = true;
    set_field(product_vector(p->to, s->at), p->verifier->model->claim_offset, target);
}

static bool leaves_part(const struct product *p, const uint8_t *vector, uint32_t target)
{
    return p->part &&
           p->part[product_field(vector, p->verifier->model->claim_offset)] != p->part[target];
}

void product_generate(struct product *p, const uint8_t *vector, const struct shape *shape,
                      uint32_t copy, bool all)
{
    static const uint32_t nowhere[1] = {0}, nothing[1] = {NO_PARTNER};
    const struct step *step = &p->macro.expander.step;
    bool claimed = p->verifier->model->claim;
    uint32_t target_count = claimed ? claim_moves(p, vector, shape) : 1;
    uint32_t targets[256], transitions[256], kept = 0;
    const uint32_t *target = claimed ? step->claim_target : nowhere;
    const uint32_t *transition = claimed ? step->claim_transition : nothing;
    for (uint32_t k = 0; k < target_count; k++)
        if (claimed && claim_state_ends(p, target[k]))
            end_step(p, vector, shape, target[k], transition[k]);
    for (uint32_t turn = 0; turn < 2; turn++) /* those that leave the part come first */
        for (uint32_t k = 0; k < target_count; k++)
            if (!(claimed && claim_state_ends(p, target[k])) &&
                leaves_part(p, vector, target[k]) != (turn == 1)) {
                targets[kept] = target[k];
                transitions[kept++] = transition[k];
            }
    uint32_t first = p->to->steps.count;
    p->reduced = false;
    if (kept == 0)
        return;
    system_steps(p, vector, shape, all);
    combine_moves(p, vector, shape, copy, first, kept, targets, transitions);
}

const struct shape *product_start(struct product *p)
{
    struct expander *x = &p->macro.expander;
    const struct shape *shape = expander_start(x);
    uint32_t tail = (uint32_t)p->verifier->model->c_tail;
    uint8_t *vector = product_vector(p->to, p->to->pool_at);
    memcpy(vector, x->step.next, ((shape->size + 7) & ~7u) + tail);
    p->to->pool_at += (shape->size + 7) / 8 + tail / 8;
    if (p->bound >= 0)
        set_field(vector, p->verifier->model->counted_offset, PRODUCT_NOBODY);
    return shape;
}

void product_trail_add(const struct product_arena *from, const struct product_step *s,
                       struct trail *trail)
{
    if (s->length == 0) /* nothing moves but the claim */
        trail_add(trail, (struct trail_step){NO_PARTNER, NO_PARTNER, NO_PARTNER, NO_PARTNER,
                                             s->claim});
    for (uint32_t k = 0; k < s->length; k++) {
        struct trail_step t = ((struct trail_step *)from->paths.data)[s->path + k];
        t.claim = k == 0 ? s->claim : NO_PARTNER;
        trail_add(trail, t);
    }
}

enum violation product_cycle_kind(const struct product *p)
{
    const struct proctype *claim = p->verifier->model->claim;
    return claim && claim->progress_claim ? VIOLATION_PROGRESS : VIOLATION_ACCEPTANCE;
}

bool product_arena_init(struct product_arena *a)
{
    *a = (struct product_arena){
        .steps = {malloc(FIRST_ROOM * sizeof(struct product_step)), 0, FIRST_ROOM},
        .paths = {malloc(FIRST_ROOM * sizeof(struct trail_step)), 0, FIRST_ROOM}};
    a->pool_size = RESERVED_BYTES;
    a->pool = reserve_space(&a->pool_size);
    return a->steps.data && a->paths.data && a->pool;
}

void product_arena_free(struct product_arena *a)
{
    free(a->steps.data);
    free(a->paths.data);
    if (a->pool)
        munmap(a->pool, a->pool_size);
}

size_t product_arena_bytes(const struct product_arena *a)
{
    return a->steps.room * sizeof(struct product_step) +
           a->paths.room * sizeof(struct trail_step) + (size_t)a->pool_at * 8;
}

/* Do processes accept? When looking for progress, only the claim does. */
static bool has_labels(const struct model *model)
{
    bool any = false;
    for (int i = 0; i < model->proctype_count; i++)
        for (int k = 0; k < model->proctypes[i]->automaton->count; k++)
            any |= model->proctypes[i]->automaton->states[k].accept;
    return any && (!model->claim || !model->claim->progress_claim);
}

bool product_init(struct product *p, struct verifier *v, int bound, bool fair)
{
    *p = (struct product){.verifier = v,
                          .bound = bound,
                          .compares = bound >= 0,
                          .labels = has_labels(v->model),
                          .reduces = v->por && bound != 0, /* only below a bound */
                          .fair = fair && v->model->fair};
    p->macro.context = p;
    p->macro.emit = collect_step;
    p->macro.ends_at_faults = true;
    return macro_init(&p->macro, v);
}

void product_free(struct product *p)
{
    macro_free(&p->macro);
}
