/* Static part of the reduction: instances of proctypes, use of channels, safe states. */
#include "promela/verifier/safe_states.h"

#include "promela/automata/optimise.h"
#include "promela/verifier/held_states.h"

#define MANY (MOST_PROCESSES + 1)

/* Which proctype uses a channel, and how: its index, -1: none, -2: several. */
struct channel_use {
    int sender, receiver;
    bool escapes; /* its value is stored, passed on or looked at */
    /* a receive depends on sends: sorted ones, an else beside one, or one in an atomic sequence
     */
    bool head_changes;
    bool asked_for; /* a send depends on receives: an else beside one, or in such a sequence */
};

struct analysis {
    struct verifier *verifier;
    struct model *model;
    int *instances; /* per proctype: that are ever started, MANY at most */
    bool any_run, any_count;
    bool sees_numbers;       /* something asks for the number of a process */
    bool numbers_free;       /* … or for the order in which they were started */
    bool *remote;            /* per proctype: some label of it is referred to */
    bool *remote_variable;   /* … some variable of it */
    struct channel_use *use; /* per global channel symbol, by channel_first */
    int current;
};

static void note_user(int *who, int proctype)
{
    *who = *who == -1 || *who == proctype ? proctype : -2;
}

static struct channel_use *use_of(struct analysis *a, const struct expression *e)
{
    if (e->kind != EXPRESSION_NAME || e->right || e->symbol->channel_first < 0)
        return NULL;
    return &a->use[e->symbol->channel_first];
}

static void walk_expression(struct analysis *a, const struct expression *e)
{
    if (!e)
        return;
    struct channel_use *use = use_of(a, e);
    if (use)
        use->escapes = true; /* it is used for more than sends and receives */
    if (e->kind == EXPRESSION_REMOTE_LABEL)
        a->remote[e->symbol->proctype->index] = true;
    if (e->kind == EXPRESSION_REMOTE_VARIABLE)
        a->remote_variable[e->symbol->proctype->index] = true;
    a->sees_numbers |= e->kind == EXPRESSION_REMOTE_LABEL ||
                       e->kind == EXPRESSION_REMOTE_VARIABLE || e->kind == EXPRESSION_PID ||
                       e->kind == EXPRESSION_RUN || e->kind == EXPRESSION_C;
    a->any_run |= e->kind == EXPRESSION_RUN;
    a->any_count |= e->kind == EXPRESSION_COUNT;
    walk_expression(a, e->left);
    walk_expression(a, e->right);
    walk_expression(a, e->third);
    for (const struct expression *x = e->list; x; x = x->next)
        walk_expression(a, x);
}

/* A statement that consists of `run` alone does not use the number that it returns. */
static void walk_value(struct analysis *a, const struct statement *s)
{
    if (s->kind != STATEMENT_EXPRESSION || s->value->kind != EXPRESSION_RUN) {
        walk_expression(a, s->value);
        return;
    }
    a->any_run = true;
    walk_expression(a, s->value->third);
    for (const struct expression *e = s->value->list; e; e = e->next)
        walk_expression(a, e);
}

static void walk_statements(struct analysis *a, const struct statement *first)
{
    for (const struct statement *s = first; s; s = s->next) {
        bool channel = s->kind == STATEMENT_SEND || s->kind == STATEMENT_RECEIVE;
        struct channel_use *use = channel ? use_of(a, s->target) : NULL;
        if (use)
            note_user(s->kind == STATEMENT_SEND ? &use->sender : &use->receiver, a->current);
        else
            walk_expression(a, s->target);
        if (use && s->sorted)
            use->head_changes = true; /* it may come before what a receiver finds now */
        if (use)
            walk_expression(a, s->target->left);
        walk_value(a, s);
        bool seen = a->sees_numbers, prints = s->kind == STATEMENT_PRINT;
        for (const struct expression *e = s->list; e; e = e->next) {
            walk_expression(a, e);
            prints &= !expression_may_fail(e);
        }
        if (prints) /* a search prints nothing */
            a->sees_numbers = seen;
        for (const struct sequence *o = s->options; o; o = o->next)
            walk_statements(a, o->first);
    }
}

/* An else tests whether the sends and receives beside it are possible, and so does an atomic
 * sequence (held_states.h): a receive or send of another process changes the answer. */
static void walk_elses(struct analysis *a, const struct automaton *automaton)
{
    const struct held_states *held = held_states_find(a->model, automaton);
    for (int i = 0; i < automaton->count; i++) {
        const struct control_state *state = &automaton->states[i];
        bool otherwise = false;
        for (int k = 0; k < state->count; k++)
            otherwise |= state->transitions[k].kind == TRANSITION_ELSE;
        for (int k = 0; k < state->count; k++) {
            const struct statement *s = state->transitions[k].statement;
            bool channel = s && (s->kind == STATEMENT_SEND || s->kind == STATEMENT_RECEIVE);
            struct channel_use *use = channel ? use_of(a, s->target) : NULL;
            if (!use || (!otherwise && !statement_may_wait(held, i, s)))
                continue;
            if (s->kind == STATEMENT_SEND)
                use->head_changes = true;
            else
                use->asked_for = true;
        }
    }
}

static void walk_claim(struct analysis *a)
{
    const struct automaton *claim = a->model->claim ? a->model->claim->automaton : NULL;
    for (int i = 0; claim && i < claim->count; i++)
        for (int k = 0; k < claim->states[i].count; k++)
            if (claim->states[i].transitions[k].statement)
                walk_expression(a, claim->states[i].transitions[k].statement->value);
}

static int runs_in(const struct expression *e, const struct proctype *p)
{
    if (!e)
        return 0;
    int count = e->kind == EXPRESSION_RUN && e->symbol->proctype == p;
    count += runs_in(e->left, p) + runs_in(e->right, p) + runs_in(e->third, p);
    for (const struct expression *x = e->list; x; x = x->next)
        count += runs_in(x, p);
    return count;
}

/* Can control return to a state? Then a run there may happen again. */
static bool in_cycle(struct analysis *a, const struct automaton *automaton, int state)
{
    bool *seen = source_alloc(&a->model->source, (size_t)automaton->count);
    int *work = source_alloc(&a->model->source, sizeof(int) * (size_t)automaton->count),
        count = 0;
    work[count++] = state;
    for (int done = 0; done < count; done++) {
        const struct control_state *s = &automaton->states[work[done]];
        for (int k = 0; k < s->count; k++) {
            int next[2] = {s->transitions[k].target, s->transitions[k].dstep_start};
            for (int j = 0; j < (s->transitions[k].kind == TRANSITION_DSTEP ? 2 : 1); j++) {
                if (next[j] == state)
                    return true;
                if (next[j] >= 0 && !seen[next[j]]) {
                    seen[next[j]] = true;
                    work[count++] = next[j];
                }
            }
        }
    }
    return false;
}

static int runs_by(struct analysis *a, const struct proctype *owner, const struct proctype *p)
{
    int total = 0;
    for (int i = 0; i < owner->automaton->count && total < MANY; i++)
        for (int k = 0; k < owner->automaton->states[i].count; k++) {
            const struct statement *s = owner->automaton->states[i].transitions[k].statement;
            int here = !s || s->kind == STATEMENT_DSTEP ? 0 : runs_in(s->value, p);
            if (here > 0)
                total += in_cycle(a, owner->automaton, i) ? MANY : here;
        }
    return total;
}

static void count_instances(struct analysis *a)
{
    struct model *model = a->model;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < model->proctype_count; i++) {
            int count = model->proctypes[i]->active;
            for (int k = 0; k < model->proctype_count; k++)
                if (a->instances[k] > 0)
                    count +=
                        a->instances[k] * runs_by(a, model->proctypes[k], model->proctypes[i]);
            count = count > MANY ? MANY : count;
            changed |= count != a->instances[i];
            a->instances[i] = count > a->instances[i] ? count : a->instances[i];
        }
    }
}

/* Can all processes that are ever started live at once? */
static bool are_few(const struct analysis *a)
{
    int processes = 0, channels = channels_made(a->model->globals);
    for (int i = 0; i < a->model->proctype_count; i++) {
        int own = channels_made(a->model->proctypes[i]->locals);
        processes += a->instances[i];
        channels += a->instances[i] * own;
        if (processes > MOST_PROCESSES || channels > MOST_PROCESSES)
            return false;
    }
    return true;
}

static uint32_t channel_offset(const struct model *model, const struct symbol *symbol)
{
    uint32_t offset = (uint32_t)model->global_size;
    for (const struct symbol *s = model->globals; s != symbol; s = s->next)
        if (s->channel)
            offset += (uint32_t)(s->channel->size * s->length);
    return offset;
}

static bool is_same_condition(const struct por_condition *a, const struct por_condition *b)
{
    return a->question == b->question && a->offset == b->offset && a->capacity == b->capacity &&
           a->send == b->send && a->name.local == b->name.local &&
           a->name.offset == b->name.offset && a->name.first == b->name.first &&
           a->name.last == b->name.last;
}

static bool add_condition(struct por_state *state, struct por_condition condition)
{
    for (int i = 0; i < state->count; i++)
        if (is_same_condition(&state->condition[i], &condition))
            return true;
    if (state->count == POR_CONDITIONS)
        return false;
    state->condition[state->count++] = condition;
    return true;
}

/* By the model alone: no other process ever uses the channel so. */
static bool is_exclusive_always(struct analysis *a, const struct proctype *p,
                                const struct statement *s)
{
    const struct symbol *symbol = s->target->symbol;
    const struct channel_use *use = use_of(a, s->target);
    return use && !symbol->array && !symbol->assigned && symbol->channel->capacity > 0 &&
           !use->escapes && a->instances[p->index] == 1 && !a->model->trace &&
           (s->kind == STATEMENT_SEND ? use->sender == p->index && !use->asked_for
                                      : use->receiver == p->index && !use->head_changes);
}

/* A send or receive on a channel that only this process uses so. */
static bool is_exclusive(struct analysis *a, const struct proctype *p,
                         const struct statement *s, struct por_state *state)
{
    bool send = s->kind == STATEMENT_SEND;
    struct por_condition condition = {0};
    if (s->sorted || s->random)
        return false;
    for (const struct expression *e = s->list; e; e = e->next)
        if (!expression_is_local(e))
            return false;
    if (is_exclusive_always(a, p, s)) {
        condition.question = POR_LENGTH;
        condition.offset = channel_offset(a->model, s->target->symbol);
        condition.capacity = send ? (uint32_t)s->target->symbol->channel->capacity : 0;
        return add_condition(state, condition);
    }
    condition.question = POR_CHANNEL;
    condition.send = send;
    struct channel_name name;
    if (!a->verifier->channel_users->known || !channel_users_name(s->target, &name) ||
        (!name.local && name.first != name.last))
        return false;
    condition.name.local = name.local;
    condition.name.offset = name.offset;
    condition.name.first = name.first;
    condition.name.last = name.last;
    return add_condition(state, condition);
}

/* Of its own: those of a parameter are somebody else's. */
static bool has_channels(const struct proctype *p)
{
    for (const struct symbol *s = p->locals; s; s = s->next)
        if (!s->parameter && symbol_has_channel(s))
            return true;
    return false;
}

/* Is the order irrelevant in which processes start and end?
 *
 * The order decides their numbers, and those of their channels, and it keeps a process that has
 * come to its end until the younger ones are gone. Where nothing looks at numbers, runs with
 * other numbers are the same run, and one that waits at its end does nothing any more. Nobody
 * can use a channel after its owner is gone: only descendants get it, which are younger. But
 * one order may need more processes at a time than another, so there must never be too many:
 * are_few(), or search_reach.c. Within a bound it is not the same: the order decides who has to
 * be preempted. */
static bool find_numbers_free(const struct analysis *a)
{
    const struct model *model = a->model;
    if (!a->any_run || a->sees_numbers || a->any_count || model->trace || model->uses_c ||
        a->verifier->options->bound != MODEL_BOUND_NONE)
        return false;
    for (int i = 0; i < model->proctype_count; i++)
        if (has_channels(model->proctypes[i]) && !a->verifier->channel_users->known)
            return false;
    return true;
}

/* The end of a process: others must not see that it has gone, or that a number is free. */
static bool is_safe_end(struct analysis *a, const struct proctype *p, struct por_state *state)
{
    if (a->numbers_free || a->any_count || a->model->trace || a->remote_variable[p->index])
        return a->numbers_free;
    if (has_channels(p))
        return false;
    if (!a->any_run)
        return true;
    struct por_condition condition = {.question = POR_NO_RUN};
    return a->verifier->channel_users->known && add_condition(state, condition);
}

/* Does a label make the state visible to the property? */
static bool is_marked(const struct analysis *a, const struct control_state *state)
{
    return a->verifier->property && (state->accept || state->progress);
}

/* A global channel is a constant unless its name is assigned to. */
static bool is_constant_channel(const struct expression *e)
{
    return e->kind == EXPRESSION_NAME && !e->right && e->symbol->channel &&
           !e->symbol->assigned && expression_is_local(e->left);
}

/* A new process changes nothing for the others, where they don't ask for numbers. */
static bool is_safe_run(const struct analysis *a, const struct statement *s)
{
    const struct expression *run = s->value;
    if (s->kind != STATEMENT_EXPRESSION || run->kind != EXPRESSION_RUN || !a->numbers_free)
        return false;
    const struct automaton *started = run->symbol->proctype->automaton;
    for (const struct expression *e = run->list; e; e = e->next)
        if (!expression_is_local(e) && !is_constant_channel(e))
            return false;
    return !is_marked(a, &started->states[started->start]);
}

/* All that a d_step does is the process's own, whichever way it takes: then it is like one
 * local statement, also where it fails. What it leads to must be invisible, as must be what is
 * inside. */
static bool is_local_dstep(const struct analysis *a, const struct automaton *automaton,
                           const struct transition *step)
{
    bool *seen = source_alloc(&a->model->source, (size_t)automaton->count);
    int *work = source_alloc(&a->model->source, sizeof(int) * (size_t)automaton->count);
    int count = 0;
    seen[step->dstep_start] = true;
    work[count++] = step->dstep_start;
    for (int done = 0; done < count; done++) {
        const struct control_state *state = &automaton->states[work[done]];
        if (is_marked(a, state))
            return false;
        for (int k = 0; k < state->count && state->inside >= 0; k++) {
            const struct transition *t = &state->transitions[k];
            bool known = t->kind == TRANSITION_SKIP || t->kind == TRANSITION_ELSE;
            if (t->target < 0 || (!known && (t->kind != TRANSITION_STATEMENT ||
                                             !statement_is_local(t->statement))))
                return false;
            if (!seen[t->target])
                work[count++] = t->target;
            seen[t->target] = true;
        }
    }
    return true;
}

static bool safe_transition(struct analysis *a, const struct proctype *p,
                            const struct control_state *from, const struct transition *t,
                            struct por_state *state)
{
    const struct transition *last = t->merged_count > 0 ? t->merged[t->merged_count - 1] : t;
    if (t->escape != 0 || last->atomic || is_marked(a, from))
        return false;
    if (t->kind == TRANSITION_END)
        return is_safe_end(a, p, state);
    if (is_marked(a, &p->automaton->states[last->target]))
        return false;
    if (t->kind == TRANSITION_DSTEP)
        return is_local_dstep(a, p->automaton, t);
    if (t->kind != TRANSITION_STATEMENT || statement_is_local(t->statement) ||
        is_safe_run(a, t->statement))
        return true;
    return (t->statement->kind == STATEMENT_SEND || t->statement->kind == STATEMENT_RECEIVE) &&
           is_exclusive(a, p, t->statement, state);
}

static struct por_state *analyse_proctype(struct analysis *a, const struct proctype *p)
{
    struct por_state *states =
        source_alloc(&a->model->source, sizeof *states * (size_t)(p->automaton->count + 1));
    for (int i = 0; i < p->automaton->count; i++) {
        const struct control_state *from = &p->automaton->states[i];
        states[i].safe = from->inside < 0 && !a->remote[p->index];
        for (int k = 0; k < from->count && states[i].safe; k++)
            states[i].safe = safe_transition(a, p, from, &from->transitions[k], &states[i]);
    }
    return states;
}

static struct por_state **analyse_proctypes(struct analysis *a)
{
    const struct model *model = a->model;
    struct por_state **por =
        source_alloc(&a->model->source, sizeof *por * ((size_t)model->proctype_count + 1));
    for (int i = 0; i < model->proctype_count; i++)
        por[i] = analyse_proctype(a, model->proctypes[i]);
    return por;
}

/* Does a condition test for messages or for room? */
static bool asks_channel(const struct expression *e)
{
    return e && (e->kind == EXPRESSION_CALL || asks_channel(e->left) ||
                 asks_channel(e->right) || asks_channel(e->third));
}

/* Messages, room for them, and the end of a younger process are what safe steps give. (An end
 * that is safe always may as well be taken before its process is left, at no cost.) */
static bool is_enabled_safely(const struct transition *t, const struct por_state *from)
{
    const struct statement *s = t->statement;
    if (t->kind == TRANSITION_END)
        return !from->safe || from->count > 0;
    if (t->kind == TRANSITION_DSTEP)
        return true;
    if (t->kind != TRANSITION_STATEMENT || !s)
        return false;
    return s->kind == STATEMENT_SEND || s->kind == STATEMENT_RECEIVE ||
           (s->kind == STATEMENT_EXPRESSION && asks_channel(s->value));
}

bool por_enables(const struct verifier *v, uint32_t transition)
{
    const struct transition_info *info = verifier_transition(v, transition);
    return info && info->transition &&
           is_enabled_safely(info->transition, &v->por[info->proctype->index][info->state]);
}

void por_analyse(struct verifier *v)
{
    struct model *model = v->model;
    struct source *source = &model->source;
    v->por = v->por_if_few = NULL;
    if (model->uses_deterministic || model->uses_last || model->uses_priority ||
        model->uses_provided || model->uses_unless || model->uses_enabled ||
        model->uses_pc_value)
        return;
    struct analysis a = {.verifier = v, .model = model};
    size_t count = (size_t)model->proctype_count + 1;
    a.instances = source_alloc(source, sizeof(int) * count);
    a.remote = source_alloc(source, count);
    a.remote_variable = source_alloc(source, count);
    v->channel_users = channel_users_find(model);
    a.use = source_alloc(source, sizeof *a.use * (size_t)(model->global_channels + 1));
    for (int i = 0; i < model->global_channels; i++)
        a.use[i] = (struct channel_use){.sender = -1, .receiver = -1};
    mark_shared_locals(model);
    for (a.current = 0; a.current < model->proctype_count; a.current++) {
        walk_statements(&a, model->proctypes[a.current]->body->first);
        walk_elses(&a, model->proctypes[a.current]->automaton);
    }
    for (const struct symbol *s = model->globals; s; s = s->next)
        walk_expression(&a, s->init);
    walk_claim(&a);
    for (int i = 0; i < model->proctype_count; i++)
        for (const struct symbol *s = model->proctypes[i]->locals; s; s = s->next)
            walk_expression(&a, s->init);
    count_instances(&a);
    bool numbers_free = find_numbers_free(&a), few = are_few(&a);
    a.numbers_free = numbers_free && few;
    v->por = analyse_proctypes(&a);
    a.numbers_free = numbers_free;
    if (numbers_free && !few)
        v->por_if_few = analyse_proctypes(&a);
}

/* The channel is ready, and nobody else uses it so. */
static bool is_ready_channel(const struct verifier *v, const uint8_t *now,
                             const struct shape *shape, uint32_t pid,
                             const struct por_condition *c)
{
    uint32_t number = c->name.local ? now[shape->offset[pid] + c->name.offset] : c->name.first;
    if (number == 0 || number > shape->channels)
        return false;
    uint32_t length = now[shape->channel_offset[number - 1]];
    uint32_t capacity =
        (uint32_t)v->model->channel_types[shape->channel_type[number - 1]]->capacity;
    if (c->send ? length >= capacity : length == 0)
        return false;
    return !channel_users_others(v, now, shape, pid, number,
                                 c->send ? ACCESS_AGAINST_SEND : ACCESS_AGAINST_RECEIVE);
}

static bool condition_holds(const struct verifier *v, const uint8_t *now,
                            const struct shape *shape, uint32_t pid,
                            const struct por_condition *c)
{
    if (c->question == POR_NO_RUN)
        return !channel_users_run(v, now, shape, pid);
    if (c->question == POR_CHANNEL)
        return is_ready_channel(v, now, shape, pid, c);
    return c->capacity == 0 ? now[c->offset] != 0 : now[c->offset] < c->capacity;
}

bool por_safe(const struct verifier *v, const uint8_t *now, const struct shape *shape,
              uint32_t pid)
{
    const struct por_state *state = &v->por[shape->type[pid]][control_of(v, now, shape, pid)];
    if (!state->safe)
        return false;
    for (int i = 0; i < state->count; i++)
        if (!condition_holds(v, now, shape, pid, &state->condition[i]))
            return false;
    return true;
}
