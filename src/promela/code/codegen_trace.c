/* The trace assertion as C: traced() is called for every send and receive on the channels that
 * the assertion names, and moves its automaton.
 *
 * A send counts if some event of the assertion is a send on that channel, likewise a receive;
 * constants and eval() in an event are compared, everything else takes what comes. Moves
 * without an event (goto, break) cost nothing: an event is looked for in every state that they
 * lead to. `trace`: an event that fits nowhere is a failure. `notrace`: coming to the end of
 * the body is one, and the first event that does not fit ends the watch. */
#include "promela/code/codegen.h"
#include "promela/code/step.h"

static bool is_event(const struct transition *t)
{
    return t->kind == TRANSITION_STATEMENT &&
           (t->statement->kind == STATEMENT_SEND || t->statement->kind == STATEMENT_RECEIVE);
}

/* Could this statement be an event? A channel variable may hold any channel. */
bool code_traced(const struct code_generator *g, const struct statement *s)
{
    const struct automaton *a = g->model->trace ? g->model->trace->automaton : NULL;
    const struct symbol *symbol = symbol_named(s->target);
    for (int i = 0; a && i < a->count; i++)
        for (int k = 0; k < a->states[i].count; k++) {
            const struct transition *t = &a->states[i].transitions[k];
            if (!is_event(t) || t->statement->kind != s->kind)
                continue;
            const struct symbol *other = symbol_named(t->statement->target);
            if (other == symbol || !symbol->channel || symbol->assigned || !other->channel ||
                other->assigned)
                return true;
        }
    return false;
}

int code_traced_fields(const struct code_generator *g)
{
    const struct automaton *a = g->model->trace->automaton;
    int most = 1;
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->states[i].count; k++) {
            int fields = 0;
            if (!is_event(&a->states[i].transitions[k]))
                continue;
            const struct expression *e = a->states[i].transitions[k].statement->list;
            for (; e; e = e->next)
                fields++;
            most = fields > most ? fields : most;
        }
    return most;
}

static void code_event(struct code_generator *g, const struct transition *t)
{
    const struct statement *s = t->statement;
    struct code_mode mode = {.base = "n", .shape = "s->next_shape", .transition = t->id};
    const struct automaton *a = g->model->trace->automaton;
    fprintf(g->out, "if (%sreceive && c == (u32)(%s)", s->kind == STATEMENT_SEND ? "!" : "",
            code_expression(g, &mode, s->target));
    int field = 0;
    for (const struct expression *e = s->list; e; e = e->next, field++)
        if (e->kind != EXPRESSION_NAME && e->kind != EXPRESSION_WILDCARD)
            fprintf(g->out, " && (%d >= count || m[%d] == (%s))", field, field,
                    code_expression(g, &mode, e));
    int target = t->target;
    for (int turns = 0; turns < a->count && a->states[target].count == 1 &&
                        a->states[target].transitions[0].kind == TRANSITION_SKIP;
         turns++)
        target = a->states[target].transitions[0].target;
    fprintf(g->out, ")\n{ if (matched++ == 0) to = %d; }\n", target);
}

/* The events of a state and of all that it leads to without one. */
static void code_state(struct code_generator *g, int state, bool *seen)
{
    const struct automaton *a = g->model->trace->automaton;
    if (seen[state])
        return;
    seen[state] = true;
    for (int k = 0; k < a->states[state].count; k++) {
        const struct transition *t = &a->states[state].transitions[k];
        if (is_event(t))
            code_event(g, t);
        else if (t->kind == TRANSITION_SKIP)
            code_state(g, t->target, seen);
    }
}

/* c is a channel with events of that direction. */
static void code_scope(struct code_generator *g)
{
    const struct automaton *a = g->model->trace->automaton;
    struct code_mode mode = {.base = "n", .shape = "s->next_shape"};
    fprintf(g->out, "u32 ours = 0;\n");
    for (int i = 0; i < a->count; i++)
        for (int k = 0; k < a->states[i].count; k++) {
            const struct transition *t = &a->states[i].transitions[k];
            if (is_event(t))
                fprintf(g->out, "ours |= %sreceive && c == (u32)(%s);\n",
                        t->statement->kind == STATEMENT_SEND ? "!" : "",
                        code_expression(g, &mode, t->statement->target));
        }
    fprintf(g->out, "if (!ours) return;\n");
}

void code_trace(struct code_generator *g)
{
    const struct proctype *trace = g->model->trace;
    if (!trace)
        return;
    const struct automaton *a = trace->automaton;
    int offset = g->model->trace_offset;
    fprintf(g->out, "static void traced(struct step *s, u8 *n, u32 c, u32 receive, const int "
                    "*m, u32 count, u32 id)\n{ u32 matched = 0, to = 0;\n");
    code_scope(g);
    fprintf(g->out, "switch (UH(n + %d)) {\n", offset);
    for (int i = 0; i < a->count; i++) {
        bool *seen = source_alloc(&g->model->source, (size_t)a->count);
        fprintf(g->out, "case %d:\n", i);
        code_state(g, i, seen);
        fprintf(g->out, "break;\n");
    }
    fprintf(g->out, "default: return;\n}\n");
    if (trace->notrace)
        fprintf(g->out, "if (!matched) { UH(n + %d) = %u; return; }\n", offset, TRACE_ENDED);
    else
        fprintf(g->out, "if (!matched) { fault(s, FAULT_TRACE, id); return; }\n");
    fprintf(g->out, "if (matched > 1) fault(s, FAULT_TRACE_CHOICE, id);\nUH(n + %d) = to;\n",
            offset);
    if (trace->notrace) {
        fprintf(g->out, "if (0");
        for (int i = 0; i < a->count; i++)
            if (a->states[i].end)
                fprintf(g->out, " || to == %d", i);
        fprintf(g->out, ") { fault(s, FAULT_NOTRACE, id); UH(n + %d) = %u; }\n", offset,
                TRACE_ENDED);
    }
    fprintf(g->out, "}\n");
}
