/* The steps of one state: sent to their owners at once, or, with a bound, held until it is
 * known which of them are preemptions. Counting works as in search_bound.c; see levels.h. */
#include <stdlib.h>
#include <string.h>

#include "promela/spread/spread_inside.h"

/* Flags of a state, with a bound. */
#define FREE      2u  /* all steps were taken at its own count */
#define MET_FIRST 4u  /* it is the first state: all switches are free */
#define LOOKED_AT 32u /* it was checked as an end state */

static bool grow_list(struct spread_rank *s, void *array, size_t *room, size_t element)
{
    size_t more = *room == 0 ? 4096 : *room * 2;
    void *memory = realloc(*(void **)array, more * element);
    if (!memory) {
        spread_halt(s, "memory");
        return false;
    }
    *(void **)array = memory;
    *room = more;
    return true;
}

static void note_failure(struct spread_rank *s, struct failure failure)
{
    struct spread_message message = {.kind = MESSAGE_FAILED,
                                     .number = s->current,
                                     .violation = (uint32_t)failure.violation,
                                     .fault = failure.fault,
                                     .fault_transition = failure.fault_transition};
    s->errors++;
    if (!s->verifier->options->keep_going)
        s->stopped = true;
    spread_tell(s, 0, message);
}

/* --- arriving --- */

static void meet_state(struct spread_rank *s, uint32_t number, uint32_t what, uint32_t depth)
{
    struct state_label *label = spread_label(s, number);
    if (what < VISIT_ANYBODY && what >= s->setup.pids) {
        s->more_pids = true;
        spread_halt(s, "processes that a bound has no room for");
        return;
    }
    enum label_result met = label_meet(label, (uint32_t)s->level);
    if (met == LABEL_DOMINATED)
        return;
    if (met == LABEL_NEW_STATE) {
        if (s->reached_count == s->reached_room &&
            !grow_list(s, &s->reached, &s->reached_room, sizeof *s->reached))
            return;
        s->reached[s->reached_count++] = number;
    }
    bool known = what == VISIT_ANYBODY ? atomic_fetch_or(&label->flags, MET_FIRST) & MET_FIRST
                                       : label_note(label, what);
    if (!known)
        spread_push(s, (struct rank_visit){number, depth, what});
}

void arrive_with(struct spread_rank *s, uint32_t number, bool fresh, struct wire_state state)
{
    if (state.depth > s->deepest)
        s->deepest = state.depth;
    if (!s->bounded) {
        if (fresh)
            spread_push(s, (struct rank_visit){number, state.depth, VISIT_ANYBODY});
        return;
    }
    meet_state(s, number, state.what, state.depth);
    if (state.also != VISIT_NOBODY)
        meet_state(s, number, state.also, state.depth);
}

void begin_level(struct spread_rank *s, int level)
{
    uint32_t *list = s->before;
    size_t room = s->before_room;
    s->before = s->reached;
    s->before_room = s->reached_room;
    s->before_count = s->reached_count;
    s->reached = list;
    s->reached_room = room;
    s->reached_count = 0;
    s->level = level;
}

/* --- sending --- */

static void route_state(struct spread_rank *s, const uint8_t *vector, const struct shape *shape,
                        uint16_t what, uint16_t also)
{
    struct wire_state state = {s->current, s->depth + 1, what, also};
    uint64_t hash = wire_hash(&s->wire, vector, shape);
    int owner = wire_owner(&s->wire, hash);
    s->transitions++;
    if (owner != s->net.rank) {
        if (!wire_put(&s->wire, owner, hash, vector, shape, state))
            spread_halt(s, "memory");
        return;
    }
    uint32_t number;
    bool fresh;
    if (!spread_add(s, vector, shape->size, s->vector, s->shape->size, s->key, &number, &fresh))
        return;
    if (fresh)
        memcpy(store_extra(s->store, number),
               &(struct origin){s->current, (uint16_t)s->net.rank}, sizeof(struct origin));
    arrive_with(s, number, fresh, state);
}

static void hold_step(struct spread_rank *s, const struct macro *m)
{
    size_t size = (m->shape->size + 7) & ~7u;
    size_t held_room = s->held_room;
    if (s->held_count == s->held_room) {
        if (!grow_list(s, &s->held, &held_room, sizeof *s->held))
            return;
        s->held_room = (uint32_t)held_room;
    }
    while (s->pool_size + size > s->pool_room)
        if (!grow_list(s, &s->pool, &s->pool_room, 1))
            return;
    s->held[s->held_count++] =
        (struct pending_step){.at = s->pool_size,
                              .shape = m->shape,
                              .fault = m->fault,
                              .fault_transition = m->fault_transition,
                              .first_pid = m->first_pid,
                              .first_partner = m->first_partner,
                              .last_pid = m->last_pid,
                              .last_partner = m->last_partner,
                              .elsewhere = m->fault != 0 || m->shape != s->shape ||
                                           memcmp(m->vector, s->vector, s->shape->size) != 0};
    memcpy(s->pool + s->pool_size, m->vector, size);
    s->pool_size += size;
}

void hold_or_send(void *context, const struct macro *m)
{
    struct spread_rank *s = context;
    if (s->bounded)
        hold_step(s, m);
    else if (m->fault != 0)
        note_failure(s, failure_of_fault(m->fault, m->fault_transition));
    else
        route_state(s, m->vector, m->shape, VISIT_ANYBODY, VISIT_NOBODY);
}

/* --- with a bound --- */

static void take_step(struct spread_rank *s, const struct pending_step *h)
{
    if (h->fault != 0)
        note_failure(s, failure_of_fault(h->fault, h->fault_transition));
    else
        route_state(s, s->pool + h->at, h->shape, (uint16_t)h->last_pid,
                    h->last_partner == NO_PARTNER ? VISIT_NOBODY : (uint16_t)h->last_partner);
}

static bool is_met(struct state_label *label, const struct pending_step *h)
{
    return label_noted(label, h->first_pid) || label_noted(label, h->first_partner);
}

/* The steps of the processes that did not reach the state. */
static void take_others(struct spread_rank *s)
{
    struct state_label *label = spread_label(s, s->current);
    for (uint32_t i = 0; i < s->held_count; i++)
        if (!is_met(label, &s->held[i]))
            take_step(s, &s->held[i]);
}

/* The steps of the process that arrived here, or of all if it is blocked. */
static void go_on(struct spread_rank *s, uint32_t pid)
{
    struct state_label *label = spread_label(s, s->current);
    bool blocked = true;
    for (uint32_t i = 0; i < s->held_count; i++) {
        const struct pending_step *h = &s->held[i];
        if (h->first_pid != pid && h->first_partner != pid)
            continue;
        blocked &= !h->elsewhere;
        take_step(s, h);
    }
    if (blocked && !(atomic_fetch_or(&label->flags, FREE) & FREE))
        take_others(s);
}

static void visit_bounded(struct spread_rank *s, uint32_t what)
{
    struct state_label *label = spread_label(s, s->current);
    uint8_t flags = atomic_load(&label->flags);
    if (what == VISIT_PREEMPTS && (flags & FREE))
        return;
    s->held_count = 0;
    s->pool_size = 0;
    uint32_t count = macro_expand(&s->macro, s->vector, s->shape);
    if (count == 0 && !(atomic_fetch_or(&label->flags, LOOKED_AT) & LOOKED_AT) &&
        !valid_end(s->verifier, s->vector, s->shape))
        note_failure(s, failure_of_end());
    if (what == VISIT_PREEMPTS) {
        take_others(s);
    } else if (what == VISIT_ANYBODY) {
        if (!(atomic_fetch_or(&label->flags, FREE) & FREE))
            take_others(s);
    } else {
        go_on(s, what);
    }
}

void visit_state(struct spread_rank *s, struct rank_visit visit)
{
    spread_fetch(s, visit.number);
    s->depth = visit.depth;
    if (s->bounded) {
        visit_bounded(s, visit.what);
        return;
    }
    uint32_t count = macro_expand(&s->macro, s->vector, s->shape);
    if (count == 0 && !valid_end(s->verifier, s->vector, s->shape))
        note_failure(s, failure_of_end());
}

bool steps_beyond(struct spread_rank *s)
{
    for (size_t k = 0; k < s->reached_count; k++) {
        struct state_label *label = spread_label(s, s->reached[k]);
        if (atomic_load(&label->flags) & FREE)
            continue;
        spread_fetch(s, s->reached[k]);
        s->held_count = 0;
        s->pool_size = 0;
        macro_expand(&s->macro, s->vector, s->shape);
        for (uint32_t h = 0; h < s->held_count; h++)
            if (s->held[h].elsewhere && !is_met(label, &s->held[h]))
                return true;
    }
    return false;
}
