/* The naive interpreter. Plain data, linear scans, no sharing with src/promela. */
#include "promela_oracle.h"

#include <stdlib.h>
#include <string.h>

#define NODES    5 /* control states of a process */
#define EDGES    3 /* options at a node */
#define GLOBALS  3
#define CHANNELS 2
#define NOBODY   (-1)
#define LIMIT    6000 /* states; larger models are skipped */

enum kind {
    DO_SKIP,
    DO_SET,
    DO_ADD,
    DO_TEST,
    DO_SEND,
    DO_RECEIVE,
    DO_MATCH,
    DO_ASSERT,
    DO_TIMEOUT,
    KINDS
};

struct action {
    enum kind kind;
    int which, value; /* global or channel, constant */
};

enum grouping { SINGLE, ATOMIC, STEP };

struct edge {
    enum grouping grouping;
    bool otherwise; /* else */
    struct action first, second;
    int target;
};

struct node {
    int count;
    struct edge edge[EDGES];
    bool end;
};

struct oracle_model {
    int processes, capacity[CHANNELS];
    struct node node[ORACLE_PROCESSES][NODES];
};

/* Control: node * 4 for a node, node * 4 + 1 + edge between the halves of an atomic. */
struct state {
    int8_t at[ORACLE_PROCESSES], got[ORACLE_PROCESSES];
    int8_t global[GLOBALS];
    int8_t length[CHANNELS], message[CHANNELS][2];
};

static uint64_t next_random(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static int pick(uint64_t *seed, int n)
{
    return (int)(next_random(seed) % (uint64_t)n);
}

static struct action random_action(uint64_t *seed, bool local)
{
    static const enum kind choice[] = {DO_SKIP,    DO_SET,   DO_SET,    DO_ADD,    DO_ADD,
                                       DO_TEST,    DO_TEST,  DO_SEND,   DO_SEND,   DO_RECEIVE,
                                       DO_RECEIVE, DO_MATCH, DO_ASSERT, DO_TIMEOUT};
    struct action a;
    do {
        a.kind = choice[pick(seed, sizeof choice / sizeof *choice)];
    } while (local && a.kind >= DO_SEND);
    int variables =
        a.kind <= DO_TEST ? GLOBALS + 2 : GLOBALS; /* the local one twice as often */
    a.which = pick(seed, a.kind >= DO_SEND && a.kind <= DO_MATCH ? CHANNELS : variables);
    a.value = pick(seed, 3);
    return a;
}

struct oracle_model *oracle_random(uint64_t seed)
{
    struct oracle_model *m = calloc(1, sizeof *m);
    m->processes = 2 + pick(&seed, 3);
    for (int c = 0; c < CHANNELS; c++)
        m->capacity[c] = pick(&seed, 3);
    for (int p = 0; p < m->processes; p++)
        for (int n = 0; n < NODES; n++) {
            struct node *node = &m->node[p][n];
            node->count = 1 + pick(&seed, m->processes > 2 ? 2 : EDGES);
            node->end = pick(&seed, 4) == 0;
            for (int e = 0; e < node->count; e++) {
                struct edge *edge = &node->edge[e];
                int group = pick(&seed, 6);
                edge->grouping = group == 0 ? ATOMIC : group == 1 ? STEP : SINGLE;
                edge->first = random_action(&seed, edge->grouping == STEP);
                edge->second = random_action(&seed, edge->grouping == STEP);
                if (edge->grouping == STEP) /* its second half must not block */
                    edge->second.kind = DO_ADD;
                edge->target = pick(&seed, NODES);
            }
            struct edge *last = &node->edge[node->count - 1];
            if (node->count > 1 && pick(&seed, 5) == 0) {
                last->otherwise = true;
                last->grouping = SINGLE;
            }
        }
    return m;
}

void oracle_leave_out_assertions(struct oracle_model *m)
{
    for (int p = 0; p < m->processes; p++)
        for (int n = 0; n < NODES; n++)
            for (int e = 0; e < m->node[p][n].count; e++) {
                struct edge *edge = &m->node[p][n].edge[e];
                if (edge->first.kind == DO_ASSERT)
                    edge->first.kind = DO_SKIP;
                if (edge->second.kind == DO_ASSERT)
                    edge->second.kind = DO_SKIP;
            }
}

void oracle_free(struct oracle_model *model)
{
    free(model);
}

/* --- as Promela --- */

static const char *variable(int which)
{
    static const char *const names[] = {"g0", "g1", "g2", "got", "got"};
    return names[which];
}

static void write_action(FILE *out, struct action a)
{
    switch (a.kind) {
    case DO_SET:
        fprintf(out, "%s = %d", variable(a.which), a.value);
        return;
    case DO_ADD:
        fprintf(out, "%s = (%s + 1) %% 3", variable(a.which), variable(a.which));
        return;
    case DO_TEST:
        fprintf(out, "%s == %d", variable(a.which), a.value);
        return;
    case DO_SEND:
        fprintf(out, "c%d!%d", a.which, a.value);
        return;
    case DO_RECEIVE:
        fprintf(out, "c%d?got", a.which);
        return;
    case DO_MATCH:
        fprintf(out, "c%d?%d", a.which, a.value);
        return;
    case DO_ASSERT:
        fprintf(out, "assert(g%d != %d || g0 != 2 || g1 != 1)", a.which, a.value);
        return;
    case DO_TIMEOUT:
        fprintf(out, "timeout");
        return;
    default:
        fprintf(out, "skip");
    }
}

static void write_edge(FILE *out, const struct edge *edge)
{
    fprintf(out, "  :: ");
    if (edge->otherwise) {
        fprintf(out, "else");
    } else if (edge->grouping == SINGLE) {
        write_action(out, edge->first);
    } else {
        fprintf(out, edge->grouping == ATOMIC ? "atomic { " : "d_step { ");
        write_action(out, edge->first);
        fprintf(out, "; ");
        write_action(out, edge->second);
        fprintf(out, " }");
    }
    fprintf(out, "; goto N%d\n", edge->target);
}

static bool is_labelled(int process, int node)
{
    return (node + 2 * process) % 3 == 1;
}

void oracle_write(const struct oracle_model *m, const char *label, FILE *out)
{
    fprintf(out, "byte g0, g1, g2;\n");
    for (int c = 0; c < CHANNELS; c++)
        fprintf(out, "chan c%d = [%d] of { byte };\n", c, m->capacity[c]);
    for (int p = 0; p < m->processes; p++) {
        fprintf(out, "active proctype P%d() {\n  byte got;\n  goto N0;\n", p);
        for (int n = 0; n < NODES; n++) {
            if (m->node[p][n].end)
                fprintf(out, "end_%d: ", n);
            if (label && is_labelled(p, n))
                fprintf(out, "%s_%d: ", label, n);
            fprintf(out, "N%d: if\n", n);
            for (int e = 0; e < m->node[p][n].count; e++)
                write_edge(out, &m->node[p][n].edge[e]);
            fprintf(out, "  fi;\n");
        }
        fprintf(out, "  skip }\n");
    }
}

/* --- steps --- */

struct successor {
    struct state state;
    int pid, partner;           /* of the first step */
    int last_pid, last_partner; /* of the last step */
    bool failed;                /* an assertion failed on the way */
    int length, failed_after;   /* steps in all, and up to that one */
};

struct list {
    struct successor *data;
    int count, room;
};

static void add(struct list *list, struct successor s)
{
    if (list->count == list->room) {
        list->room = list->room == 0 ? 32 : 2 * list->room;
        list->data = realloc(list->data, (size_t)list->room * sizeof *list->data);
    }
    list->data[list->count++] = s;
}

/* Perform an action that needs no partner. False: blocked. */
static bool perform(const struct oracle_model *m, struct state *s, int pid, struct action a,
                    bool timeout, bool *failed)
{
    int8_t *place = a.which >= GLOBALS ? &s->got[pid] : &s->global[a.which];
    switch (a.kind) {
    case DO_SET:
        *place = (int8_t)a.value;
        return true;
    case DO_ADD:
        *place = (int8_t)((*place + 1) % 3);
        return true;
    case DO_TEST:
        return *place == a.value;
    case DO_SEND:
        if (s->length[a.which] >= m->capacity[a.which])
            return false; /* a rendezvous is not performed here */
        s->message[a.which][s->length[a.which]++] = (int8_t)a.value;
        return true;
    case DO_RECEIVE:
    case DO_MATCH:
        if (s->length[a.which] == 0 ||
            (a.kind == DO_MATCH && s->message[a.which][0] != a.value))
            return false;
        if (a.kind == DO_RECEIVE)
            s->got[pid] = s->message[a.which][0];
        s->message[a.which][0] = s->message[a.which][1];
        s->message[a.which][1] = 0;
        s->length[a.which]--;
        return true;
    case DO_ASSERT:
        if (s->global[a.which] == a.value && s->global[0] == 2 && s->global[1] == 1)
            *failed = true;
        return true;
    case DO_TIMEOUT:
        return timeout;
    default:
        return true;
    }
}

/* One option of a process: the action it starts with, and where that leads. */
struct option {
    struct action action;
    const struct edge *edge;
    int8_t after;
    bool holds; /* keeps control afterwards */
};

static int options_of(const struct oracle_model *m, const struct state *s, int pid,
                      struct option *options)
{
    int at = s->at[pid], node = at / 4, count = 0;
    const struct node *n = &m->node[pid][node];
    if (at % 4 != 0) { /* the second half of an atomic */
        const struct edge *edge = &n->edge[at % 4 - 1];
        options[0] = (struct option){edge->second, edge, (int8_t)(edge->target * 4), false};
        return 1;
    }
    for (int e = 0; e < n->count; e++) {
        bool atomic = n->edge[e].grouping == ATOMIC;
        options[count++] = (struct option){
            n->edge[e].first, &n->edge[e],
            (int8_t)(atomic ? node * 4 + 1 + e : n->edge[e].target * 4), atomic};
    }
    return count;
}

static void macro(const struct oracle_model *m, struct successor s, int holder,
                  struct list *list);

static void rendezvous(const struct oracle_model *m, const struct state *s, int pid,
                       const struct option *o, const struct successor *so_far, bool first,
                       struct list *list)
{
    struct option theirs[EDGES];
    for (int q = 0; q < m->processes; q++) {
        if (q == pid)
            continue;
        struct state middle = *s;
        middle.at[pid] = o->after;
        int count = options_of(m, &middle, q, theirs);
        for (int i = 0; i < count; i++) {
            const struct option *r = &theirs[i];
            if (r->edge->otherwise ||
                (r->action.kind != DO_RECEIVE && r->action.kind != DO_MATCH) ||
                r->action.which != o->action.which || (r->edge->grouping == STEP) ||
                (r->action.kind == DO_MATCH && r->action.value != o->action.value))
                continue;
            struct successor next = *so_far;
            next.state = middle;
            if (r->action.kind == DO_RECEIVE)
                next.state.got[q] = (int8_t)o->action.value;
            next.state.at[q] = r->after;
            if (first) {
                next.pid = pid;
                next.partner = q;
            }
            next.last_pid = pid;
            next.last_partner = q;
            next.length++;
            macro(m, next, r->holds ? q : NOBODY, list);
        }
    }
}

/* All steps of one process; returns how many. */
static int steps_of(const struct oracle_model *m, const struct successor *so_far, bool first,
                    int pid, bool timeout, struct list *list)
{
    struct option options[EDGES];
    const struct state *s = &so_far->state;
    int count = options_of(m, s, pid, options), before = list->count;
    bool moved = false;
    for (int i = 0; i < count; i++) {
        const struct option *o = &options[i];
        if (o->edge->otherwise && s->at[pid] % 4 == 0)
            continue;
        if (o->action.kind == DO_SEND && m->capacity[o->action.which] == 0) {
            int before_it = list->count;
            rendezvous(m, s, pid, o, so_far, first, list);
            moved |= list->count != before_it;
            continue;
        }
        struct successor next = *so_far;
        if (first) {
            next.pid = pid;
            next.partner = NOBODY;
        }
        next.last_pid = pid;
        next.last_partner = NOBODY;
        if (!perform(m, &next.state, pid, o->action, timeout, &next.failed))
            continue;
        if (o->edge->grouping == STEP)
            perform(m, &next.state, pid, o->edge->second, timeout, &next.failed);
        next.state.at[pid] = o->after;
        next.length++;
        if (next.failed && !so_far->failed)
            next.failed_after = next.length;
        moved = true;
        macro(m, next, o->holds ? pid : NOBODY, list);
    }
    for (int i = 0; i < count && !moved; i++)
        if (options[i].edge->otherwise && s->at[pid] % 4 == 0) {
            struct successor next = *so_far;
            if (first) {
                next.pid = pid;
                next.partner = NOBODY;
            }
            next.last_pid = pid;
            next.last_partner = NOBODY;
            next.state.at[pid] = options[i].after;
            next.length++;
            macro(m, next, NOBODY, list);
        }
    return list->count - before;
}

static void macro(const struct oracle_model *m, struct successor s, int holder,
                  struct list *list)
{
    if (holder != NOBODY && steps_of(m, &s, false, holder, false, list) > 0)
        return;
    add(list, s);
}

static void successors(const struct oracle_model *m, const struct state *s, struct list *list)
{
    struct successor start = {.state = *s};
    list->count = 0;
    for (int timeout = 0; timeout <= 1 && list->count == 0; timeout++)
        for (int p = 0; p < m->processes; p++)
            steps_of(m, &start, true, p, timeout, list);
}

/* --- exploration --- */

struct visited {
    struct state state;
    uint8_t met[ORACLE_BOUNDS + 1]
               [ORACLE_PROCESSES + 1]; /* expanded with that count, by that last */
    int best;
    bool expanded_once;
    int recorded;  /* mutant: the one process that is remembered, with `best` */
    uint8_t *cost; /* per step: with how few preemptions it was taken */
    int steps;
};

struct work {
    int state, last, count;
};

struct explorer {
    const struct oracle_model *model;
    enum oracle_rule rule;
    struct visited *table;
    int *hash;
    int count;
    struct work *work;
    int work_count, work_room;
    struct oracle_result result;
};

static int find(struct explorer *x, const struct state *s)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < sizeof *s; i++)
        h = (h ^ ((const uint8_t *)s)[i]) * 1099511628211u;
    for (uint64_t at = h % (4 * LIMIT);; at = (at + 1) % (4 * LIMIT)) {
        if (x->hash[at] == 0) {
            if (x->count == LIMIT) {
                x->result.too_large = true;
                return 0;
            }
            x->table[x->count] = (struct visited){.state = *s, .best = 1000};
            x->hash[at] = ++x->count;
            return x->count - 1;
        }
        if (memcmp(&x->table[x->hash[at] - 1].state, s, sizeof *s) == 0)
            return x->hash[at] - 1;
    }
}

/* Counts from ORACLE_BOUNDS on are one: they only serve to see every state. */
static bool admit(struct explorer *x, struct visited *v, int last, int count)
{
    if (x->rule != RULE_RIGHT && count >= ORACLE_BOUNDS)
        return false;
    switch (x->rule) {
    case RULE_NO_REVISIT:
        if (v->expanded_once)
            return false;
        v->expanded_once = true;
        break;
    case RULE_NO_PID_VECTOR:
        if (v->best <= count)
            return false;
        break;
    case RULE_RIGHT:
        if (v->met[count][last + 1])
            return false;
        break;
    }
    v->met[count][last + 1] = 1;
    v->best = count < v->best ? count : v->best;
    return true;
}

static void reach(struct explorer *x, const struct state *s, int last, int count)
{
    int index = find(x, s);
    if (x->result.too_large || !admit(x, &x->table[index], last, count))
        return;
    if (x->work_count == x->work_room) {
        x->work_room = x->work_room == 0 ? 256 : 2 * x->work_room;
        x->work = realloc(x->work, (size_t)x->work_room * sizeof *x->work);
    }
    x->work[x->work_count++] = (struct work){index, last, count};
}

static void note_failure(struct explorer *x, int count)
{
    x->result.failure = true;
    if (count < ORACLE_BOUNDS &&
        (x->result.failure_bound < 0 || count < x->result.failure_bound))
        x->result.failure_bound = count;
}

static bool at_end(const struct oracle_model *m, const struct state *s)
{
    for (int p = 0; p < m->processes; p++)
        if (s->at[p] % 4 != 0 || !m->node[p][s->at[p] / 4].end)
            return false;
    return true;
}

/* The steps of a state are the same, in the same order, whenever it is expanded. */
static void note_cost(struct visited *v, const struct list *list, int step, int count)
{
    if (!v->cost) {
        v->steps = list->count;
        v->cost = malloc((size_t)list->count);
        memset(v->cost, 255, (size_t)list->count);
    }
    if (count < v->cost[step])
        v->cost[step] = (uint8_t)count;
}

static void expand(struct explorer *x, struct work w, struct list *list)
{
    struct state s = x->table[w.state].state;
    successors(x->model, &s, list);
    bool busy = false; /* the last process has a step that leads elsewhere */
    for (int i = 0; i < list->count; i++) {
        const struct successor *n = &list->data[i];
        if ((n->pid == w.last || n->partner == w.last) &&
            (n->failed || memcmp(&n->state, &s, sizeof s) != 0))
            busy = true;
    }
    if (list->count == 0 && !at_end(x->model, &s))
        note_failure(x, w.count);
    for (int i = 0; i < list->count; i++) {
        const struct successor *n = &list->data[i];
        bool same = w.last == NOBODY || n->pid == w.last || n->partner == w.last;
        int count = w.count + (busy && !same && w.count < ORACLE_BOUNDS);
        note_cost(&x->table[w.state], list, i, count);
        if (n->failed)
            note_failure(x, count);
        reach(x, &n->state, n->last_pid, count);
        if (n->last_partner != NOBODY)
            reach(x, &n->state, n->last_partner, count);
    }
}

struct oracle_result oracle_explore(const struct oracle_model *model, enum oracle_rule rule)
{
    struct explorer x = {.model = model, .rule = rule, .result = {.failure_bound = -1}};
    struct list list = {0};
    struct state start;
    memset(&start, 0, sizeof start);
    x.table = calloc(LIMIT, sizeof *x.table);
    x.hash = calloc(4 * LIMIT, sizeof *x.hash);
    reach(&x, &start, NOBODY, 0);
    while (x.work_count > 0 && !x.result.too_large)
        expand(&x, x.work[--x.work_count], &list);
    for (int i = 0; i < x.count; i++) {
        for (int b = x.table[i].best; b < ORACLE_BOUNDS; b++)
            x.result.states[b]++;
        for (int step = 0; step < x.table[i].steps; step++)
            for (int b = x.table[i].cost[step]; b < ORACLE_BOUNDS; b++)
                x.result.steps[b]++;
        free(x.table[i].cost);
    }
    x.result.all = x.count;
    free(x.table);
    free(x.hash);
    free(x.work);
    free(list.data);
    return x.result;
}

/* --- the cheapest failure --- */

#define NEVER UINT64_MAX

static uint64_t dearer(uint64_t cost, bool preemption, bool switched, int steps)
{
    return cost + ((uint64_t)preemption << 48) + ((uint64_t)switched << 24) + (uint64_t)steps;
}

/* Lower the cost of a node; it is looked at again. */
static void improve(struct explorer *x, uint64_t *costs, const struct state *s, int last,
                    uint64_t cost)
{
    int index = find(x, s);
    uint64_t *best = &costs[index * (ORACLE_PROCESSES + 1) + last + 1];
    if (cost >= *best)
        return;
    *best = cost;
    if (x->work_count == x->work_room) {
        x->work_room = x->work_room == 0 ? 256 : 2 * x->work_room;
        x->work = realloc(x->work, (size_t)x->work_room * sizeof *x->work);
    }
    x->work[x->work_count++] = (struct work){index, last, 0};
}

static uint64_t relax(struct explorer *x, uint64_t *costs, struct work w, struct list *list)
{
    struct state s = x->table[w.state].state;
    uint64_t now = costs[w.state * (ORACLE_PROCESSES + 1) + w.last + 1], failure = NEVER;
    bool busy = false;
    successors(x->model, &s, list);
    for (int i = 0; i < list->count; i++) {
        const struct successor *n = &list->data[i];
        busy |= (n->pid == w.last || n->partner == w.last) &&
                (n->failed || memcmp(&n->state, &s, sizeof s) != 0);
    }
    if (list->count == 0 && !at_end(x->model, &s))
        failure = now;
    for (int i = 0; i < list->count; i++) {
        const struct successor *n = &list->data[i];
        bool other = w.last != NOBODY && n->pid != w.last && n->partner != w.last;
        uint64_t failing = dearer(now, busy && other, other, n->failed_after);
        if (n->failed && failing < failure)
            failure = failing;
        uint64_t cost = dearer(now, busy && other, other, n->length);
        improve(x, costs, &n->state, n->last_pid, cost);
        if (n->last_partner != NOBODY)
            improve(x, costs, &n->state, n->last_partner, cost);
    }
    return failure;
}

struct oracle_cost oracle_cheapest(const struct oracle_model *model)
{
    struct explorer x = {.model = model};
    struct list list = {0};
    struct state start;
    size_t nodes = (size_t)LIMIT * (ORACLE_PROCESSES + 1);
    uint64_t *costs = malloc(nodes * sizeof *costs), cheapest = NEVER;
    memset(&start, 0, sizeof start);
    memset(costs, 0xff, nodes * sizeof *costs);
    x.table = calloc(LIMIT, sizeof *x.table);
    x.hash = calloc(4 * LIMIT, sizeof *x.hash);
    improve(&x, costs, &start, NOBODY, 0);
    while (x.work_count > 0) {
        uint64_t failure = relax(&x, costs, x.work[--x.work_count], &list);
        cheapest = failure < cheapest ? failure : cheapest;
    }
    free(costs);
    free(x.table);
    free(x.hash);
    free(x.work);
    free(list.data);
    return (struct oracle_cost){cheapest != NEVER, (int)(cheapest >> 48),
                                (int)(cheapest >> 24 & 0xffffff), (int)(cheapest & 0xffffff)};
}

/* --- the graph of all runs within a bound --- */

struct builder {
    struct explorer x;
    struct oracle_graph graph;
    struct work *key; /* of each node */
    int limit;
    bool too_large;
};

static int node_of(struct builder *b, const struct state *s, int last, int count)
{
    int index = find(&b->x, s);
    for (int i = 0; i < b->graph.nodes; i++)
        if (b->key[i].state == index && b->key[i].last == last && b->key[i].count == count)
            return i;
    if (b->graph.nodes == b->limit || b->x.result.too_large) {
        b->too_large = true;
        return 0;
    }
    struct oracle_node *node = &b->graph.node[b->graph.nodes];
    for (int g = 0; g < GLOBALS; g++)
        node->global[g] = s->global[g];
    for (int p = 0; p < b->graph.processes; p++)
        node->labelled |= s->at[p] % 4 == 0 && is_labelled(p, s->at[p] / 4);
    b->key[b->graph.nodes] = (struct work){index, last, count};
    return b->graph.nodes++;
}

static void add_edge(struct builder *b, int from, struct oracle_edge edge)
{
    struct oracle_graph *g = &b->graph;
    g->edge = realloc(g->edge, (size_t)(g->edges + 1) * sizeof *g->edge);
    g->edge[g->edges++] = edge;
    g->node[from].count++;
}

static unsigned process_bit(int pid)
{
    return pid == NOBODY ? 0 : 1u << pid;
}

static void add_edges(struct builder *b, int at, int bound, struct list *list)
{
    struct work w = b->key[at];
    struct state s = b->x.table[w.state].state;
    bool busy = false;
    successors(b->x.model, &s, list);
    b->graph.node[at].first = b->graph.edges;
    for (int i = 0; i < list->count; i++) {
        const struct successor *n = &list->data[i];
        b->graph.node[at].able |= process_bit(n->pid) | process_bit(n->partner);
        busy |=
            (n->pid == w.last || n->partner == w.last) && memcmp(&n->state, &s, sizeof s) != 0;
    }
    if (list->count == 0)
        add_edge(b, at, (struct oracle_edge){at, 0, NOBODY, NOBODY, 1, false});
    for (int i = 0; i < list->count; i++) {
        const struct successor *n = &list->data[i];
        bool same = w.last == NOBODY || n->pid == w.last || n->partner == w.last;
        int count = bound < 0 ? 0 : w.count + (busy && !same);
        if (bound >= 0 && count > bound)
            continue;
        unsigned movers = process_bit(n->pid) | process_bit(n->partner);
        struct oracle_edge edge = {0,           movers,
                                   n->last_pid, n->last_partner,
                                   n->length,   memcmp(&n->state, &s, sizeof s) != 0};
        edge.to = node_of(b, &n->state, bound < 0 ? NOBODY : n->last_pid, count);
        add_edge(b, at, edge);
        if (n->last_partner == NOBODY || bound < 0)
            continue;
        edge.to = node_of(b, &n->state, n->last_partner, count);
        add_edge(b, at, edge);
    }
}

struct oracle_graph oracle_graph(const struct oracle_model *model, int bound, int limit)
{
    struct builder b = {.x = {.model = model}, .limit = limit};
    struct list list = {0};
    struct state start;
    memset(&start, 0, sizeof start);
    b.x.table = calloc(LIMIT, sizeof *b.x.table);
    b.x.hash = calloc(4 * LIMIT, sizeof *b.x.hash);
    b.key = calloc((size_t)limit, sizeof *b.key);
    b.graph.node = calloc((size_t)limit, sizeof *b.graph.node);
    b.graph.processes = model->processes;
    node_of(&b, &start, NOBODY, 0);
    for (int i = 0; i < b.graph.nodes && !b.too_large; i++)
        add_edges(&b, i, bound, &list);
    if (b.too_large)
        b.graph.nodes = 0;
    free(b.x.table);
    free(b.x.hash);
    free(b.key);
    free(list.data);
    return b.graph;
}
