/* Which states are entered while the process holds control, and what is known about channels
 * there: facts that hold on every path to the state, so a greatest fixed point. See
 * held_states.h. */
#include "promela/verifier/held_states.h"

#include "promela/language/lexer.h"

#define FACTS_MOST 64

struct fact {
    const struct expression *channel;
    bool room; /* it is not full; else: it is not empty */
};

struct held_states {
    const struct model *model;
    const struct automaton *automaton;
    struct fact fact[FACTS_MOST];
    int facts;
    bool *held;      /* by state */
    uint64_t *known; /* … facts, where it is held */
    bool buffered;   /* there is no rendezvous in the model */
};

static bool is_same_channel(const struct expression *a, const struct expression *b)
{
    if (a->symbol != b->symbol || !a->left != !b->left)
        return false;
    return !a->left || a->left->value == b->left->value;
}

/* The name refers to the same channel as long as its process lives. */
static bool is_stable(const struct expression *channel)
{
    const struct symbol *s = channel->symbol;
    return channel->kind == EXPRESSION_NAME && !channel->right && !s->assigned &&
           (s->channel || s->parameter) && (!channel->left || index_is_inside(channel));
}

static uint64_t fact_bit(struct held_states *h, const struct expression *channel, bool room,
                         bool add)
{
    if (!is_stable(channel))
        return 0;
    for (int i = 0; i < h->facts; i++)
        if (h->fact[i].room == room && is_same_channel(h->fact[i].channel, channel))
            return (uint64_t)1 << i;
    if (!add || h->facts == FACTS_MOST)
        return 0;
    h->fact[h->facts] = (struct fact){channel, room};
    return (uint64_t)1 << h->facts++;
}

/* The facts that follow if the condition holds. */
static uint64_t facts_of(struct held_states *h, const struct expression *e)
{
    if (e->kind == EXPRESSION_BINARY && e->op == TOKEN_AND)
        return facts_of(h, e->left) | facts_of(h, e->right);
    if (e->kind != EXPRESSION_CALL || (e->op != TOKEN_NFULL && e->op != TOKEN_NEMPTY))
        return 0;
    return fact_bit(h, e->left, e->op == TOKEN_NFULL, true);
}

static uint64_t facts_about(const struct held_states *h, bool room)
{
    uint64_t bits = 0;
    for (int i = 0; i < h->facts; i++)
        if (h->fact[i].room == room)
            bits |= (uint64_t)1 << i;
    return bits;
}

static bool takes_any_message(const struct statement *s)
{
    for (const struct expression *e = s->list; e; e = e->next)
        if (e->kind != EXPRESSION_NAME && e->kind != EXPRESSION_WILDCARD)
            return false;
    return true;
}

static bool is_ready(struct held_states *h, const struct statement *s, uint64_t known)
{
    const struct channel_type *type = channel_static_type(s->target);
    bool send = s->kind == STATEMENT_SEND;
    if (!h->buffered && (!type || type->capacity == 0))
        return false;
    if (!send && !takes_any_message(s))
        return false;
    return (known & fact_bit(h, s->target, send, false)) != 0;
}

/* What is known after a transition. A process that may have to wait knows nothing afterwards.
 */
static uint64_t known_behind(struct held_states *h, const struct transition *t, uint64_t known)
{
    const struct statement *s = t->statement;
    if (t->kind == TRANSITION_SKIP || t->kind == TRANSITION_ELSE)
        return known;
    if (t->kind != TRANSITION_STATEMENT)
        return 0;
    switch (s->kind) {
    case STATEMENT_ASSIGN:
    case STATEMENT_ASSERT:
    case STATEMENT_PRINT:
        return known;
    case STATEMENT_EXPRESSION:
        return facts_of(h, s->value);
    case STATEMENT_SEND:
        return is_ready(h, s, known) ? known & ~facts_about(h, true) : 0;
    case STATEMENT_RECEIVE:
        return is_ready(h, s, known) ? known & ~facts_about(h, false) : 0;
    default:
        return 0;
    }
}

static bool enter_state(struct held_states *h, int state, uint64_t known)
{
    bool changed = !h->held[state] || (h->known[state] & ~known) != 0;
    h->known[state] = h->held[state] ? h->known[state] & known : known;
    h->held[state] = true;
    return changed;
}

static bool flow_on(struct held_states *h, int index)
{
    const struct control_state *state = &h->automaton->states[index];
    bool changed = false;
    for (int k = 0; k < state->count; k++) {
        const struct transition *t = &state->transitions[k];
        uint64_t known = h->held[index] ? h->known[index] : 0;
        if (t->kind == TRANSITION_DSTEP && h->held[index])
            changed |= enter_state(h, t->dstep_start, known);
        bool inner = t->target >= 0 && h->automaton->states[t->target].inside >= 0;
        if (t->target >= 0 && (t->atomic || inner))
            changed |= enter_state(h, t->target, known_behind(h, t, known));
    }
    return changed;
}

struct held_states *held_states_find(struct model *model, const struct automaton *automaton)
{
    struct source *source = &model->source;
    struct held_states *h = source_alloc(source, sizeof *h);
    size_t count = (size_t)automaton->count + 1;
    h->model = model;
    h->automaton = automaton;
    h->held = source_alloc(source, count);
    h->known = source_alloc(source, count * sizeof *h->known);
    h->buffered = true;
    for (int i = 0; i < model->channel_type_count; i++)
        h->buffered &= model->channel_types[i]->capacity > 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < automaton->count; i++)
            changed |= flow_on(h, i);
    }
    return h;
}

bool state_is_held(const struct held_states *h, int state)
{
    return h->held[state];
}

bool statement_may_wait(const struct held_states *h, int state, const struct statement *s)
{
    struct held_states copy = *h; /* is_ready() adds no fact */
    return h->held[state] && !is_ready(&copy, s, h->known[state]);
}
