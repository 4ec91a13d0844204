/* Accesses to channels, per proctype and control state. See channel_users.h. */
#include "promela/verifier/channel_users.h"

#include "promela/automata/automata.h"
#include "promela/language/lexer.h"
#include "promela/verifier/held_states.h"

#define ACCESS_LIMIT 64

struct channel_access {
    struct channel_name name;
    uint32_t kinds;
};

struct proctype_users {
    struct channel_access access[ACCESS_LIMIT];
    int count;
    uint64_t *later; /* per control state: accesses from there on, a bit each */
    bool *may_run;   /* … and whether a process may be started */
};

struct finder {
    struct model *model;
    struct channel_users *users;
    struct proctype_users *proctype;
    uint64_t mask; /* of the state that is being looked at */
    bool runs;     /* … */
};

static bool structure_has_channel(const struct structure *structure)
{
    for (int i = 0; i < structure->field_count; i++)
        if (structure->fields[i]->type == TYPE_CHAN ||
            (structure->fields[i]->type == TYPE_STRUCT &&
             structure_has_channel(structure->fields[i]->structure)))
            return true;
    return false;
}

bool symbol_has_channel(const struct symbol *symbol)
{
    return symbol->channel ||
           (symbol->type == TYPE_STRUCT && structure_has_channel(symbol->structure));
}

/* Are some of its channels known by an index only? */
static bool indexes_channels(const struct symbol *symbol)
{
    if (symbol->type != TYPE_STRUCT || !structure_has_channel(symbol->structure))
        return symbol->type == TYPE_CHAN && symbol->array;
    for (int i = 0; i < symbol->structure->field_count; i++)
        if (symbol->array || indexes_channels(symbol->structure->fields[i]))
            return true;
    return false;
}

/* Members of a structure are like variables: what is written to them, or read from them as a
 * value, is seen where it happens (note_expression). */
static bool symbols_keep_channels(const struct symbol *first)
{
    for (const struct symbol *s = first; s; s = s->next)
        if (s->kind == SYMBOL_VARIABLE && s->type == TYPE_STRUCT &&
            (s->owner ? indexes_channels(s) : structure_has_channel(s->structure)))
            return true;
    return false;
}

/* Where a process has the variable or member; false: an index says it, or it changes. */
static bool local_place(const struct expression *e, uint32_t *offset)
{
    if (!e->symbol->owner)
        return false;
    for (*offset = 0; e; e = e->right) {
        if (e->left || e->symbol->array || e->symbol->assigned)
            return false;
        *offset += (uint32_t)e->symbol->offset;
    }
    return true;
}

bool channel_users_name(const struct expression *channel, struct channel_name *name)
{
    const struct symbol *s = channel->symbol;
    if (channel->kind != EXPRESSION_NAME)
        return false;
    if (s->owner) {
        *name = (struct channel_name){.local = true};
        return local_place(channel, &name->offset) &&
               (s->parameter || symbol_named(channel)->channel);
    }
    if (channel->right || s->assigned || !s->channel)
        return false;
    uint32_t first = (uint32_t)s->channel_first + 1;
    *name = (struct channel_name){.first = first, .last = first + (uint32_t)s->length - 1};
    if (channel->left && index_is_inside(channel))
        name->first = name->last = first + (uint32_t)channel->left->value;
    return true;
}

static void note_expression(struct finder *f, const struct expression *e);

static void note_access(struct finder *f, const struct expression *channel, uint32_t kinds)
{
    struct proctype_users *p = f->proctype;
    struct channel_access access = {.kinds = kinds};
    if (!channel_users_name(channel, &access.name) || p->count == ACCESS_LIMIT) {
        f->users->known = false;
        return;
    }
    f->mask |= (uint64_t)1 << p->count;
    p->access[p->count++] = access;
    note_expression(f, channel->left);
}

/* Channels are passed to channel parameters by name, in structures as a whole, and nowhere
 * else. */
static void note_run(struct finder *f, const struct expression *e)
{
    const struct symbol *parameter = e->symbol->proctype->locals;
    f->runs = true;
    note_expression(f, e->third);
    for (const struct expression *a = e->list; a; a = a->next) {
        struct channel_name name;
        uint32_t place;
        if (!parameter) {
            f->users->known = false;
            return;
        }
        if (parameter->type == TYPE_STRUCT && symbol_has_channel(parameter))
            f->users->known &= a->kind == EXPRESSION_NAME && local_place(a, &place);
        else if (parameter->type != TYPE_CHAN)
            note_expression(f, a);
        else if (channel_users_name(a, &name))
            note_expression(f, a->left);
        else
            f->users->known = false;
        parameter = parameter->next;
    }
}

static void note_list(struct finder *f, const struct expression *list)
{
    for (const struct expression *e = list; e; e = e->next)
        note_expression(f, e);
}

static void note_expression(struct finder *f, const struct expression *e)
{
    if (!e)
        return;
    switch (e->kind) {
    case EXPRESSION_POLL:
        note_access(f, e->left, ACCESS_LOOKS);
        note_list(f, e->list);
        return;
    case EXPRESSION_RUN:
        note_run(f, e);
        return;
    case EXPRESSION_CALL:
        if (e->op == TOKEN_ENABLED || e->op == TOKEN_PC_VALUE)
            note_expression(f, e->left);
        else
            note_access(f, e->left, ACCESS_LOOKS);
        return;
    case EXPRESSION_C:
        f->users->known = false;
        return;
    case EXPRESSION_NAME:
        if (symbol_named(e)->type == TYPE_CHAN || symbol_has_channel(symbol_named(e)))
            f->users->known = false; /* its value goes somewhere */
        break;
    case EXPRESSION_REMOTE_VARIABLE:
        if (e->right->symbol->type == TYPE_CHAN)
            f->users->known = false;
        break;
    default:
        break;
    }
    note_expression(f, e->left);
    note_expression(f, e->right);
    note_expression(f, e->third);
    note_list(f, e->list);
}

/* A condition; where nempty() or nfull() becoming true can only make it true. */
static void note_condition(struct finder *f, const struct expression *e)
{
    if (e->kind == EXPRESSION_BINARY && (e->op == TOKEN_AND || e->op == TOKEN_OR)) {
        note_condition(f, e->left);
        note_condition(f, e->right);
    } else if (e->kind == EXPRESSION_CALL && e->op == TOKEN_NEMPTY) {
        note_access(f, e->left, ACCESS_NEMPTY);
    } else if (e->kind == EXPRESSION_CALL && e->op == TOKEN_NFULL) {
        note_access(f, e->left, ACCESS_NFULL);
    } else {
        note_expression(f, e);
    }
}

/* `asked`: an else looks at it; `waits`: it may interrupt an atomic sequence. */
static void note_statement(struct finder *f, const struct statement *s, bool asked, bool waits)
{
    uint32_t looks = asked || s->sorted || s->random ? ACCESS_LOOKS : 0;
    if (s->kind == STATEMENT_SEND)
        note_access(f, s->target, ACCESS_SENDS | looks | (waits ? ACCESS_WAITS_SEND : 0));
    else if (s->kind == STATEMENT_RECEIVE)
        note_access(f, s->target, ACCESS_RECEIVES | looks | (waits ? ACCESS_WAITS_RECEIVE : 0));
    else
        note_expression(f, s->target);
    if (s->kind == STATEMENT_EXPRESSION && !asked && !waits)
        note_condition(f, s->value);
    else
        note_expression(f, s->value);
    note_list(f, s->list);
}

/* An else asks whether the sends and receives beside it can be done. */
static bool has_else(const struct control_state *state)
{
    for (int k = 0; k < state->count; k++)
        if (state->transitions[k].kind == TRANSITION_ELSE)
            return true;
    return false;
}

/* `held`: of its automaton; NULL: a claim or trace assertion, which sees every change. */
static void note_state(struct finder *f, const struct automaton *automaton, int index,
                       const struct held_states *held)
{
    const struct control_state *state = &automaton->states[index];
    for (int k = 0; k < state->count; k++) {
        const struct statement *s = state->transitions[k].statement;
        if (!s || s->kind == STATEMENT_DSTEP) /* its inner states have what it does */
            continue;
        bool channel = s->kind == STATEMENT_SEND || s->kind == STATEMENT_RECEIVE;
        bool waits = channel ? held && statement_may_wait(held, index, s)
                             : !held || state_is_held(held, index);
        note_statement(f, s, has_else(state), waits);
    }
}

/* What is possible from a state on: what its transitions do, and what is possible from their
 * targets on. */
static bool flow_back(struct proctype_users *p, const struct automaton *automaton, int index)
{
    const struct control_state *state = &automaton->states[index];
    uint64_t later = p->later[index];
    bool runs = p->may_run[index];
    for (int k = 0; k < state->count; k++) {
        const struct transition *t = &state->transitions[k];
        int next[2] = {t->target, t->kind == TRANSITION_DSTEP ? t->dstep_start : -1};
        for (int j = 0; j < 2; j++)
            if (next[j] >= 0) {
                later |= p->later[next[j]];
                runs |= p->may_run[next[j]];
            }
    }
    bool changed = later != p->later[index] || runs != p->may_run[index];
    p->later[index] = later;
    p->may_run[index] = runs;
    return changed;
}

static void find_in_automaton(struct finder *f, struct proctype_users *p,
                              const struct automaton *automaton)
{
    struct source *source = &f->model->source;
    p->later = source_alloc(source, sizeof *p->later * (size_t)(automaton->count + 1));
    p->may_run = source_alloc(source, (size_t)automaton->count + 1);
    f->proctype = p;
    const struct held_states *held = held_states_find(f->model, automaton);
    for (int i = 0; i < automaton->count; i++) {
        f->mask = 0;
        f->runs = false;
        note_state(f, automaton, i, held);
        p->later[i] = f->mask;
        p->may_run[i] = f->runs;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = automaton->count; i-- > 0;)
            changed |= flow_back(p, automaton, i);
    }
}

/* What the claim looks at; sends or receives that are events of the trace assertion. */
static void find_watched(struct finder *f)
{
    const struct proctype *watchers[] = {f->model->claim, f->model->trace};
    f->proctype = f->users->watcher;
    for (int i = 0; i < 2; i++)
        for (int k = 0; watchers[i] && k < watchers[i]->automaton->count; k++)
            note_state(f, watchers[i]->automaton, k, NULL);
}

static bool keeps_channels(const struct model *model)
{
    if (model->uses_c || symbols_keep_channels(model->globals))
        return true;
    for (int i = 0; i < model->channel_type_count; i++)
        for (int k = 0; k < model->channel_types[i]->field_count; k++)
            if (model->channel_types[i]->fields[k] == TYPE_CHAN)
                return true;
    for (int i = 0; i < model->proctype_count; i++)
        if (symbols_keep_channels(model->proctypes[i]->locals))
            return true;
    return false;
}

struct channel_users *channel_users_find(struct model *model)
{
    struct source *source = &model->source;
    struct channel_users *users = source_alloc(source, sizeof *users);
    users->known = !keeps_channels(model);
    users->proctypes =
        source_alloc(source, sizeof *users->proctypes * (size_t)(model->proctype_count + 1));
    users->watcher = source_alloc(source, sizeof *users->watcher);
    struct finder f = {.model = model, .users = users};
    for (int i = 0; i < model->proctype_count && users->known; i++) {
        find_in_automaton(&f, &users->proctypes[i], model->proctypes[i]->automaton);
        for (const struct symbol *s = model->proctypes[i]->locals; s; s = s->next)
            note_list(&f, s->init);
    }
    if (users->known)
        find_watched(&f);
    return users;
}

static bool may_mean(const struct channel_access *a, const uint8_t *process, uint32_t number)
{
    return a->name.local ? process[a->name.offset] == number
                         : a->name.first <= number && number <= a->name.last;
}

bool channel_users_others(const struct verifier *v, const uint8_t *now,
                          const struct shape *shape, uint32_t pid, uint32_t number,
                          uint32_t kinds)
{
    const struct channel_users *users = v->channel_users;
    for (uint32_t q = 0; q < shape->processes; q++) {
        if (q == pid)
            continue;
        const struct proctype_users *p = &users->proctypes[shape->type[q]];
        uint32_t control = control_of(v, now, shape, q);
        if (p->may_run[control])
            return true;
        for (uint64_t left = p->later[control]; left != 0; left &= left - 1) {
            const struct channel_access *a = &p->access[__builtin_ctzll(left)];
            if ((a->kinds & kinds) != 0 && may_mean(a, now + shape->offset[q], number))
                return true;
        }
    }
    for (int i = 0; i < users->watcher->count; i++)
        if ((users->watcher->access[i].kinds & kinds) != 0 &&
            may_mean(&users->watcher->access[i], now, number))
            return true;
    return false;
}

bool channel_users_run(const struct verifier *v, const uint8_t *now, const struct shape *shape,
                       uint32_t pid)
{
    for (uint32_t q = 0; q < shape->processes; q++)
        if (q != pid &&
            v->channel_users->proctypes[shape->type[q]].may_run[control_of(v, now, shape, q)])
            return true;
    return false;
}
