/* See claim_run.h. The path is walked once and the moves from every claim state are noted at
 * every position; the rest is search in breadth over (position, claim state), twice: from the
 * start, and from the cycle's first position back to it through an accepting state. */
#include "promela/trace/claim_run.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NODES_MOST 20000000 /* 100 bytes each, with its moves */
#define NOWHERE    UINT32_MAX

struct claim_move {
    uint32_t target, transition;
};

struct claim_search {
    struct verifier *plain;
    const struct automaton *claim;
    const struct trail *given;
    uint32_t positions, states; /* states before each step, and where the path ends */
    bool cyclic;
    uint32_t *first; /* moves of node n: from first[n] to first[n + 1] */
    uint32_t *fails; /* transition of the claim that fails in a node, or NOWHERE */
    uint8_t *faults; /* how; 0: the claim comes to its end */
    bool *accepts;   /* a process does, at a position */
    bool *inside;    /* of an atomic sequence: the claim does not look at this position */
    struct claim_move *move; /* all of them */
    uint32_t count, room;
    uint32_t fault, fault_transition; /* of the system at the end of the path */
};

/* One search; a node is seen with and without an accepting state before it. */
struct spread {
    uint32_t *from;  /* predecessor of 2 * node + accepted, or NOWHERE */
    uint32_t *taken; /* the claim's transition on the way here */
    uint32_t *queue;
    uint32_t head, tail;
};

static bool add_move(struct claim_search *r, uint32_t target, uint32_t transition)
{
    if (r->count == r->room) {
        uint32_t room = r->room == 0 ? 4096 : 2 * r->room;
        struct claim_move *larger = realloc(r->move, room * sizeof *larger);
        if (!larger)
            return false;
        r->move = larger;
        r->room = room;
    }
    r->move[r->count++] = (struct claim_move){target, transition};
    return true;
}

/* --- what the claim could do along the path --- */

static bool note_state(struct claim_search *r, struct follow *f, uint32_t position,
                       uint32_t state)
{
    uint32_t node = position * r->states + state;
    const struct step *step = &f->expander.step;
    bool good = true;
    r->first[node] = r->count;
    r->fails[node] = NOWHERE;
    r->faults[node] = 0;
    if (r->claim->states[state].inside >= 0)
        return true;
    if (r->inside[position])
        return add_move(r, state, NO_PARTNER);
    uint32_t count = follow_claim_moves(f, state);
    if (step->fault != 0)
        r->fails[node] = step->fault_transition;
    r->faults[node] = (uint8_t)step->fault;
    for (uint32_t i = 0; i < count && good; i++) {
        if (r->fails[node] == NOWHERE && r->claim->states[step->claim_target[i]].end)
            r->fails[node] = step->claim_transition[i];
        good = add_move(r, step->claim_target[i], step->claim_transition[i]);
    }
    return good;
}

static bool note_position(struct claim_search *r, struct follow *f, uint32_t position,
                          uint32_t next_pid)
{
    r->accepts[position] = follow_process_accepts(f);
    r->inside[position] = f->holder != NO_PARTNER && f->holder == next_pid;
    for (uint32_t state = 0; state < r->states; state++)
        if (!note_state(r, f, position, state))
            return false;
    return true;
}

/* The path, up to its end or to where the system fails. */
static bool walk_path(struct claim_search *r)
{
    struct follow f;
    struct followed done;
    if (!follow_init(&f, r->plain))
        return false;
    bool good = true;
    uint32_t i = 0;
    for (; good && i < r->given->count; i++) {
        struct trail_step step = r->given->steps[i];
        step.claim = NO_PARTNER;
        good = note_position(r, &f, i, step.pid) && follow_step(&f, step, &done);
        if (good && done.fault != 0) {
            r->fault = done.fault;
            r->fault_transition = done.fault_transition;
            r->cyclic = false;
            i++;
            break;
        }
    }
    r->positions = i;
    if (good && !r->cyclic)
        good = note_position(r, &f, r->positions++, NO_PARTNER);
    if (good)
        r->first[r->positions * r->states] = r->count;
    follow_free(&f);
    return good;
}

/* --- search --- */

static uint32_t next_position(const struct claim_search *r, uint32_t position)
{
    if (position + 1 < r->positions)
        return position + 1;
    return r->cyclic ? r->given->cycle : NOWHERE;
}

static void spread_free(struct spread *s)
{
    free(s->from);
    free(s->taken);
    free(s->queue);
}

static bool spread_init(struct spread *s, const struct claim_search *r)
{
    size_t nodes = 2 * (size_t)r->positions * r->states;
    *s = (struct spread){.from = malloc(nodes * sizeof *s->from),
                         .taken = malloc(nodes * sizeof *s->taken),
                         .queue = malloc(nodes * sizeof *s->queue)};
    if (s->from && s->taken && s->queue)
        return true;
    spread_free(s);
    return false;
}

static void spread_from(struct spread *s, const struct claim_search *r, uint32_t node)
{
    memset(s->from, 0xff, 2 * (size_t)r->positions * r->states * sizeof *s->from);
    s->head = s->tail = 0;
    s->queue[s->tail++] = node;
}

/* The next node in the order of the search, its successors noted; NOWHERE: that was all. A node
 * reached again is not followed again, but the start is noted when it is reached. */
static uint32_t spread_next(struct spread *s, const struct claim_search *r, bool accepting)
{
    if (s->head == s->tail)
        return NOWHERE;
    uint32_t here = s->queue[s->head++], node = here / 2, start = s->queue[0];
    uint32_t position = next_position(r, node / r->states);
    for (uint32_t i = r->first[node]; position != NOWHERE && i < r->first[node + 1]; i++) {
        const struct claim_move *m = &r->move[i];
        bool seen = accepting &&
                    ((here & 1) || r->accepts[position] || r->claim->states[m->target].accept);
        uint32_t next = 2 * (position * r->states + m->target) + seen;
        if (s->from[next] != NOWHERE)
            continue;
        s->from[next] = here;
        s->taken[next] = m->transition;
        if (next != start)
            s->queue[s->tail++] = next;
    }
    return here;
}

/* --- the run, step by step --- */

/* Steps of the system with the claim's moves, from where the search began up to `to`. */
static void add_path(const struct claim_search *r, const struct spread *s, uint32_t to,
                     struct trail *found)
{
    uint32_t base = found->count, start = s->queue[0];
    for (uint32_t at = to; at != start; at = s->from[at])
        trail_add(found, (struct trail_step){0});
    uint32_t i = found->count;
    for (uint32_t at = to; at != start; at = s->from[at]) {
        found->steps[--i] = r->given->steps[s->from[at] / 2 / r->states];
        found->steps[i].claim = s->taken[at];
    }
    assert(i == base);
}

static void add_failure(struct trail *found, uint32_t fault, uint32_t transition)
{
    found->violation = fault == 0              ? VIOLATION_CLAIM
                       : fault == FAULT_ASSERT ? VIOLATION_ASSERT
                                               : VIOLATION_FAULT;
    found->fault = fault;
    found->fault_transition = transition;
    if (fault == 0)
        trail_add(found, (struct trail_step){NO_PARTNER, NO_PARTNER, NO_PARTNER, NO_PARTNER,
                                             transition});
    found->cycle = found->count;
}

/* The claim fails, or the system does; else the furthest that a run gets is its end. */
static bool find_end(const struct claim_search *r, struct spread *s, struct trail *found)
{
    uint32_t start = 2 * (uint32_t)r->claim->start, last = NOWHERE, here;
    spread_from(s, r, start);
    while ((here = spread_next(s, r, false)) != NOWHERE) {
        uint32_t transition = r->fails[here / 2];
        if (r->fault == 0 && transition != NOWHERE) {
            add_path(r, s, here, found);
            add_failure(found, r->faults[here / 2], transition);
            return true;
        }
        if (here / 2 / r->states == r->positions - 1)
            last = here;
    }
    if (r->cyclic || last == NOWHERE)
        return false;
    bool tried = r->given->violation == VIOLATION_FAULT; /* a condition fails behind the path */
    found->violation = r->fault != 0 || tried ? VIOLATION_FAULT : VIOLATION_NONE;
    found->fault = r->fault;
    add_path(r, s, last, found);
    found->cycle = found->count;
    return true;
}

/* `s` has been from the start to everywhere. */
static bool find_cycle(const struct claim_search *r, const struct spread *s,
                       struct trail *found)
{
    struct spread round;
    bool good = false;
    if (!spread_init(&round, r))
        return false;
    for (uint32_t state = 0; state < r->states && !good; state++) {
        uint32_t node = r->given->cycle * r->states + state;
        if (s->from[2 * node] == NOWHERE && 2 * node != s->queue[0])
            continue;
        uint32_t goal = 2 * node + 1;
        spread_from(&round, r, 2 * node);
        while (round.from[goal] == NOWHERE && spread_next(&round, r, true) != NOWHERE)
            ;
        if (round.from[goal] == NOWHERE)
            continue;
        add_path(r, s, 2 * node, found);
        found->cycle = found->count;
        found->violation = VIOLATION_ACCEPTANCE;
        add_path(r, &round, goal, found);
        good = true;
    }
    spread_free(&round);
    return good;
}

static bool find_run(struct claim_search *r, struct trail *found)
{
    struct spread s;
    if (!spread_init(&s, r))
        return false;
    bool good = find_end(r, &s, found);
    if (!good && r->cyclic)
        good = find_cycle(r, &s, found);
    spread_free(&s);
    return good;
}

bool claim_run(struct verifier *plain, const struct trail *given, struct trail *found)
{
    const struct automaton *claim = plain->model->claim->automaton;
    struct claim_search r = {.plain = plain,
                             .claim = claim,
                             .given = given,
                             .states = (uint32_t)claim->count,
                             .cyclic = given->cycle < given->count};
    size_t nodes = ((size_t)given->count + 1) * r.states;
    *found = (struct trail){.preemptions = -1};
    if (nodes > NODES_MOST)
        return false;
    r.first = malloc((nodes + 1) * sizeof *r.first);
    r.fails = malloc(nodes * sizeof *r.fails);
    r.faults = malloc(nodes);
    r.inside = malloc(given->count + 1);
    r.accepts = malloc(given->count + 1);
    bool good = r.first && r.fails && r.faults && r.inside && r.accepts && walk_path(&r) &&
                find_run(&r, found);
    free(r.first);
    free(r.fails);
    free(r.faults);
    free(r.inside);
    free(r.accepts);
    free(r.move);
    return good;
}
