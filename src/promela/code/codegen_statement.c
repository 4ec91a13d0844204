/* Statements as C. Each is a block that falls through to its end label when it is not enabled,
 * and otherwise runs begin, effect, control and finish of its mode. */
#include <stdlib.h>

#include "promela/automata/optimise.h"
#include "promela/code/codegen.h"
#include "promela/code/embed.h"
#include "promela/code/layout.h"

static struct code_mode effect_mode(const struct code_mode *mode)
{
    struct code_mode effect = *mode;
    effect.base = "n";
    effect.shape = "s->next_shape";
    return effect;
}

/* The one type a channel reference can have, or NULL. */
static const struct channel_type *static_type(const struct expression *channel)
{
    const struct symbol *symbol = symbol_named(channel);
    return symbol->channel && !symbol->assigned ? symbol->channel : NULL;
}

static int static_offset(const struct model *model, const struct symbol *symbol)
{
    int offset = model->global_size;
    for (const struct symbol *s = model->globals; s != symbol; s = s->next)
        if (s->channel)
            offset += s->channel->size * s->length;
    return offset;
}

void code_channel(struct generator *g, const struct code_mode *mode,
                  const struct expression *channel, const char *fail)
{
    const struct channel_type *type = static_type(channel);
    const struct symbol *symbol = symbol_named(channel);
    if (type && !symbol->owner && !symbol->array && !channel->right) {
        fprintf(g->out, "const u32 c = %d, t = %d, qo = %d;\n", symbol->channel_first + 1,
                type->index, static_offset(g->model, symbol));
        return;
    }
    fprintf(g->out, "const u32 c = %s;\nif (no_channel(s, %s, c, %d)) goto %s;\n",
            code_expression(g, mode, channel), mode->shape, mode->transition, fail);
    if (type)
        fprintf(g->out, "const u32 t = %d;", type->index);
    else
        fprintf(g->out, "const u32 t = (%s)->channel_type[c - 1];", mode->shape);
    fprintf(g->out, "const u32 qo = (%s)->channel_offset[c - 1];\n", mode->shape);
}

static int message_values(struct generator *g, const struct code_mode *mode,
                          const struct expression *list)
{
    int count = 0;
    fprintf(g->out, "int m[] = {");
    for (const struct expression *e = list; e; e = e->next) {
        if (e->kind == EXPRESSION_NAME && symbol_named(e)->type == TYPE_STRUCT) {
            struct leaf *leaves;
            int here = code_leaves(g, mode, e, &leaves);
            for (int i = 0; i < here; i++)
                fprintf(g->out, "%s, ", code_read(g, leaves[i]));
            count += here;
        } else {
            fprintf(g->out, "%s, ", code_expression(g, mode, e));
            count++;
        }
    }
    fprintf(g->out, "};\n");
    return count;
}

static void code_send(struct generator *g, const struct code_mode *mode,
                      const struct statement *s, const char *fail)
{
    const struct channel_type *type = static_type(s->target);
    code_channel(g, mode, s->target, fail);
    int count = message_values(g, mode, s->list);
    if (!type)
        fprintf(g->out, "if (fields(t) != %d) { fault(s, FAULT_FIELDS, %d); goto %s; }\n",
                count, mode->transition, fail);
    if (!type || type->capacity == 0) {
        fprintf(g->out, "if (capacity(t) == 0) {\n");
        if (mode->step) /* nobody could receive before the step is over */
            fprintf(g->out, "fault(s, FAULT_SEND_IN_DSTEP, %d); goto %s;\n}\n",
                    mode->transition, fail);
        else
            /* what fails in the sender's local steps fails only if the message is taken */
            fprintf(g->out,
                    "%s\nfor (u32 f = 0; f < %d; f++) m[f] = fit(t, f, m[f]);\n%s\n"
                    "if (!s->fault_mark) { s->sender_fault = s->fault; "
                    "s->sender_transition = s->fault_transition; s->fault = 0; }\n"
                    "rendezvous(s, pid, c, m, %d, %d);\ns->sender_fault = 0; goto %s;\n}\n",
                    mode->begin, count, mode->control, count, mode->transition, fail);
    }
    if (type && type->capacity == 0)
        return;
    fprintf(g->out, "if (B(%s + qo) >= capacity(t)) goto %s;\n%s\n", mode->base, fail,
            mode->begin);
    fprintf(g->out, "{ u8 *q = n + qo; u32 k = %s;\n",
            s->sorted ? source_format(&g->model->source, "make_room(t, q, m, %d)", count)
                      : "B(q)");
    for (int i = 0; i < count; i++)
        fprintf(g->out, "put(t, q, k, %d, m[%d]); ", i, i);
    fprintf(g->out, "B(q)++; }\n");
    if (code_traced(g, s))
        fprintf(g->out, "traced(s, n, c, 0, m, %d, %d);\n", count, mode->transition);
    fprintf(g->out, "%s\n%s\n", mode->control, mode->finish);
}

/* Message fields (in m[], or read from the channel) to the variables of a receive. */
static void take_message(struct generator *g, const struct code_mode *effect,
                         const struct expression *list)
{
    struct leaf *leaves;
    int field = 0;
    for (const struct expression *e = list; e; e = e->next) {
        if (e->kind != EXPRESSION_NAME) {
            field++;
            continue;
        }
        int here = code_leaves(g, effect, e, &leaves);
        for (int i = 0; i < here; i++)
            fprintf(
                g->out, "%s\n",
                code_write(g, leaves[i], source_format(&g->model->source, "m[%d]", field + i)));
        field += here;
    }
}

static void code_receive(struct generator *g, const struct code_mode *mode,
                         const struct statement *s, const char *fail)
{
    const struct channel_type *type = static_type(s->target);
    if (type && type->capacity == 0) { /* only ever in code_receivers() */
        if (s->peek)
            fprintf(g->out, "fault(s, FAULT_POLL, %d);\n", mode->transition);
        return;
    }
    struct code_mode effect = effect_mode(mode);
    int count;
    code_channel(g, mode, s->target, fail);
    const char *match = code_match(g, mode, s->list, "get(t, q, k", &count);
    if (!type)
        fprintf(g->out,
                "if (capacity(t) == 0) { %s goto %s; }\n"
                "if (fields(t) < %d) { fault(s, FAULT_FIELDS, %d); goto %s; }\n",
                s->peek ? source_format(&g->model->source, "fault(s, FAULT_POLL, %d);",
                                        mode->transition)
                        : "",
                fail, count, mode->transition, fail);
    fprintf(g->out, "u32 k = 0; { const u8 *q = %s + qo; const u32 length = B(q);\n",
            mode->base);
    if (s->random)
        fprintf(g->out, "while (k < length && !(%s)) k++;\nif (k == length) goto %s; }\n",
                match, fail);
    else
        fprintf(g->out, "if (length == 0 || !(%s)) goto %s; }\n", match, fail);
    fprintf(g->out, "%s\n{ u8 *q = n + qo; int m[] = {", mode->begin);
    for (int i = 0; i < count; i++)
        fprintf(g->out, "get(t, q, k, %d), ", i);
    fprintf(g->out, "};\n");
    bool traced = !s->peek && code_traced(g, s);
    if (traced)
        fprintf(g->out,
                "int e[%d]; u32 have = fields(t) < %d ? fields(t) : %d;\n"
                "for (u32 i = 0; i < have; i++) e[i] = get(t, q, k, i);\n",
                code_traced_fields(g), code_traced_fields(g), code_traced_fields(g));
    if (!s->peek)
        fprintf(g->out, "take(t, q, k);\n");
    take_message(g, &effect, s->list);
    if (traced)
        fprintf(g->out, "traced(s, n, c, 1, e, have, %d);\n", mode->transition);
    fprintf(g->out, "}\n%s\n%s\n", mode->control, mode->finish);
}

/* Arguments are evaluated always where that may be an error, else only for somebody who reads
 * what is printed: a search does not. */
static void code_print(struct generator *g, const struct code_mode *mode,
                       const struct statement *s)
{
    int count = 0;
    bool fails = false;
    for (const struct expression *e = s->list; e; e = e->next)
        fails |= expression_may_fail(e);
    fprintf(g->out, fails ? "{ " : "if (s->print != 0) { ");
    if (s->list)
        count = message_values(g, mode, s->list);
    fprintf(g->out, "if (s->print != 0) s->print(s, %d, %s, %d); }\n", mode->transition,
            count > 0 ? "m" : "0", count);
}

static void code_condition(struct generator *g, const struct code_mode *mode,
                           const struct statement *s, const char *fail)
{
    struct code_mode effect = effect_mode(mode);
    if (expression_has_run(s->value))
        fprintf(g->out, "%s\nif (!(%s)) goto %s;\n", mode->begin,
                code_expression(g, &effect, s->value), fail);
    else
        fprintf(g->out, "if (!(%s)) goto %s;\n%s\n", code_expression(g, mode, s->value), fail,
                mode->begin);
    fprintf(g->out, "%s\n%s\n", mode->control, mode->finish);
}

static void code_assign(struct generator *g, const struct code_mode *mode,
                        const struct statement *s)
{
    struct code_mode effect = effect_mode(mode);
    struct leaf *leaf;
    fprintf(g->out, "%s\n{ int value = %s;\n", mode->begin,
            code_expression(g, &effect, s->value));
    if (code_leaves(g, &effect, s->target, &leaf) != 1)
        source_fail(&g->model->source, s->place, "a structure is assigned member by member");
    fprintf(g->out, "%s }\n%s\n%s\n", code_write(g, *leaf, "value"), mode->control,
            mode->finish);
}

void code_statement(struct generator *g, const struct code_mode *mode,
                    const struct statement *s)
{
    struct code_mode effect = effect_mode(mode);
    const char *fail = source_format(&g->model->source, "L%d", g->label++);
    fprintf(g->out, "{\n");
    switch (s->kind) {
    case STATEMENT_EXPRESSION:
        code_condition(g, mode, s, fail);
        break;
    case STATEMENT_ASSIGN:
        code_assign(g, mode, s);
        break;
    case STATEMENT_SEND:
        code_send(g, mode, s, fail);
        break;
    case STATEMENT_RECEIVE:
        code_receive(g, mode, s, fail);
        break;
    case STATEMENT_ASSERT:
        fprintf(g->out, "%s\nif (!(%s)) fault(s, FAULT_ASSERT, %d);\n%s\n%s\n", mode->begin,
                code_expression(g, &effect, s->value), mode->transition, mode->control,
                mode->finish);
        break;
    case STATEMENT_SET_PRIORITY:
        fprintf(g->out, "%s\nset_priority(s, n, %s, %s, %d);\n%s\n%s\n", mode->begin,
                code_expression(g, &effect, s->target), code_expression(g, &effect, s->value),
                mode->transition, mode->control, mode->finish);
        break;
    case STATEMENT_C:
        fprintf(g->out, "%s\n", mode->begin);
        embed_statement(g, mode, s->c_number, fail);
        fprintf(g->out, "%s\n%s\n", mode->control, mode->finish);
        break;
    case STATEMENT_PRINT:
        fprintf(g->out, "%s\n", mode->begin);
        code_print(g, &effect, s);
        fprintf(g->out, "%s\n%s\n", mode->control, mode->finish);
        break;
    case STATEMENT_ELSE: /* the caller has seen to its condition */
        fprintf(g->out, "%s\n%s\n%s\n", mode->begin, mode->control, mode->finish);
        break;
    default:
        source_fail(&g->model->source, s->place, "this statement is not supported here");
    }
    bool may_fail = s->kind == STATEMENT_EXPRESSION || s->kind == STATEMENT_SEND ||
                    s->kind == STATEMENT_RECEIVE ||
                    (s->kind == STATEMENT_C && embed_guarded(g, s->c_number));
    if (may_fail) /* merged statements never do: their text may appear twice */
        fprintf(g->out, "%s:;", fail);
    fprintf(g->out, " }\n");
}

static const char *control_text(struct generator *g, const struct proctype *p, int target)
{
    return source_format(&g->model->source, "%s(n + o) = %d;",
                         p->control_width == 2 ? "UH" : "B", target);
}

/* Set to zero what is dead at `target`, if it could have held something before. */
static const char *reset_text(struct generator *g, const struct proctype *p, const char *so_far,
                              int target)
{
    if (p->tracked_count == 0 || target < 0)
        return so_far;
    const uint64_t *live = p->automaton->states[target].live;
    for (const struct symbol *s = p->locals; s; s = s->next) {
        int bit = s->tracked - 1;
        if (bit >= 0 && !(live[bit / 64] >> (bit % 64) & 1))
            so_far = source_format(&g->model->source, "%s %s", so_far,
                                   code_write(g, code_symbol_leaf(g, "n", "o", s, 0), "0"));
    }
    return so_far;
}

/* Where a transition leads: the local steps merged into it, then control and dead variables. */
static const char *onward_text(struct generator *g, const struct proctype *p,
                               const struct transition *t)
{
    if (t->target < 0)
        return "";
    char *text = NULL;
    size_t length = 0;
    FILE *out = g->out;
    g->out = open_memstream(&text, &length);
    if (!g->out)
        source_fail(&g->model->source, t->place, "out of memory");
    int target = t->target;
    for (int i = 0; i < t->merged_count; i++) {
        const struct transition *m = t->merged[i];
        struct code_mode mode = {.base = "n",
                                 .shape = "s->next_shape",
                                 .self = "o",
                                 .begin = "",
                                 .control = "",
                                 .finish = "",
                                 .transition = m->id};
        if (m->kind == TRANSITION_STATEMENT && m->statement->kind != STATEMENT_EXPRESSION)
            code_statement(g, &mode, m->statement);
        target = m->target;
    }
    fclose(g->out);
    g->out = out;
    const char *kept = source_copy(&g->model->source, text, length);
    free(text);
    kept = source_format(&g->model->source, "%s%s", kept, control_text(g, p, target));
    return reset_text(g, p, kept, target);
}

static bool keeps_control(const struct transition *t)
{
    return t->merged_count > 0 ? t->merged[t->merged_count - 1]->atomic : t->atomic;
}

/* The inner states of a d_step from one on, as labels within one block. `fail` is where to go
 * if that one blocks, and the step is not begun; NULL: it has begun already. */
static void code_step_states(struct generator *g, const struct proctype *p,
                             const struct transition *step, int start, const char *fail)
{
    const struct automaton *a = p->automaton;
    struct source *source = &g->model->source;
    bool *seen = source_alloc(source, (size_t)a->count);
    int *work = source_alloc(source, sizeof(int) * (size_t)a->count), count = 0;
    int number = g->label++;
    work[count++] = start;
    seen[start] = true;
    fprintf(g->out, "u32 turns = 0;\n");
    for (int done = 0; done < count; done++) {
        const struct control_state *state = &a->states[work[done]];
        fprintf(g->out,
                "D%d_%d: if (++turns > 1000000) { fault(s, FAULT_LONG_DSTEP, %d); goto "
                "D%d_done; }\n",
                number, work[done], step->id, number);
        for (int i = 0; i < state->count; i++) {
            const struct transition *t = &state->transitions[i];
            bool inner = t->target >= 0 && a->states[t->target].inside >= 0;
            if (inner && !seen[t->target]) {
                seen[t->target] = true;
                work[count++] = t->target;
            }
            const char *onward =
                inner
                    ? source_format(source, "goto D%d_%d;", number, t->target)
                    : source_format(source, "%s goto D%d_done;",
                                    reset_text(g, p, control_text(g, p, t->target), t->target),
                                    number);
            struct code_mode mode = {.base = "n",
                                     .shape = "s->next_shape",
                                     .self = "o",
                                     .begin = "",
                                     .control = "",
                                     .finish = onward,
                                     .transition = t->id,
                                     .step = true};
            if (t->kind == TRANSITION_SKIP)
                fprintf(g->out, "%s\n", onward);
            else
                code_statement(g, &mode, t->statement);
        }
        if (done == 0 && fail)
            fprintf(g->out, "goto %s;\n", fail);
        else
            fprintf(g->out, "fault(s, FAULT_BLOCKED_DSTEP, %d); goto D%d_done;\n",
                    state->count > 0 ? state->transitions[0].id : step->id, number);
    }
    fprintf(g->out, "D%d_done:\n", number);
}

static void code_transition(struct generator *g, const struct proctype *p,
                            const struct transition *t)
{
    struct source *source = &g->model->source;
    const char *commit =
        source_format(source, "commit(s, %d, pid, %d);", t->id, keeps_control(t));
    struct code_mode mode = {.base = "v",
                             .shape = "sh",
                             .self = "o",
                             .begin = "n = begin(s);",
                             .control = onward_text(g, p, t),
                             .finish = commit,
                             .transition = t->id};
    fprintf(g->out, "/* %d: line %d */\n", t->id, t->place.line);
    switch (t->kind) {
    case TRANSITION_SKIP:
        fprintf(g->out, "n = begin(s); %s %s\n", mode.control, commit);
        return;
    case TRANSITION_END:
        fprintf(g->out,
                "if (pid + 1 == sh->processes) { n = begin(s); s->end_process(s); %s }\n",
                commit);
        return;
    case TRANSITION_ELSE:
        fprintf(g->out, "if (s->moved == before) { n = begin(s); %s %s }\n", mode.control,
                commit);
        return;
    case TRANSITION_DSTEP: {
        const char *fail = source_format(source, "L%d", g->label++);
        fprintf(g->out, "{ n = begin(s);\n");
        code_step_states(g, p, t, t->dstep_start, fail);
        fprintf(g->out, "%s\n%s:; }\n", commit, fail);
        return;
    }
    case TRANSITION_STATEMENT:
        code_statement(g, &mode, t->statement);
    }
}

void code_transitions(struct generator *g, const struct proctype *p)
{
    struct code_mode mode = {.base = "v", .shape = "sh", .self = "o", .transition = 0};
    fprintf(g->out,
            "static void p_%d(struct step *s, const u32 pid)\n{\n"
            "const u8 *v = s->now; const struct shape *sh = s->shape;\n"
            "const u32 o = sh->offset[pid], before = s->moved, made = s->count; u8 *n;\n",
            p->index);
    if (p->provided)
        fprintf(g->out, "if (!(%s)) return;\n", code_expression(g, &mode, p->provided));
    fprintf(g->out, "switch (%s(v + o)) {\n", p->control_width == 2 ? "UH" : "B");
    for (int i = 0; i < p->automaton->count; i++) {
        const struct control_state *state = &p->automaton->states[i];
        if (state->inside >= 0)
            continue;
        fprintf(g->out, "case %d:\n", i);
        for (int k = 0; k < state->count; k++) {
            if (k > 0 && state->transitions[k - 1].escape != state->transitions[k].escape)
                fprintf(g->out, "if (s->count != made) break;\n");
            code_transition(g, p, &state->transitions[k]);
        }
        fprintf(g->out, "break;\n");
    }
    fprintf(g->out, "}\n");
    if (p->deterministic) /* one send that two processes could receive is one statement */
        fprintf(g->out, "for (u32 i = made + 1; i < s->count; i++)\n"
                        "if (s->list[i].transition != s->list[made].transition)\n"
                        "fault(s, FAULT_CHOICE, s->list[i].transition);\n");
    fprintf(g->out, "}\n");
}

static bool may_rendezvous(const struct transition *t)
{
    if (t->kind != TRANSITION_STATEMENT || t->statement->kind != STATEMENT_RECEIVE ||
        t->statement->peek) /* a fault, wherever it is met: FAULT_POLL */
        return false;
    const struct channel_type *type = static_type(t->statement->target);
    return !type || type->capacity == 0;
}

/* What follows on the receive of a rendezvous; that of a d_step is its first statement. */
static void code_received(struct generator *g, const struct proctype *p,
                          const struct transition *t, const struct transition *step)
{
    if (!step)
        fprintf(g->out, "%s\n", onward_text(g, p, t));
    else if (p->automaton->states[t->target].inside >= 0)
        code_step_states(g, p, step, t->target, NULL);
    else
        fprintf(g->out, "%s\n", reset_text(g, p, control_text(g, p, t->target), t->target));
}

/* `step` is the d_step that begins with the receive, or NULL. */
static void code_receiver(struct generator *g, const struct proctype *p,
                          const struct transition *t, const struct transition *step)
{
    const struct transition *whole = step ? step : t;
    const struct statement *s = t->statement;
    struct code_mode mode = {.base = "v", .shape = "sh", .self = "o", .transition = t->id};
    struct code_mode effect = effect_mode(&mode);
    int count;
    const char *match = code_match(g, &mode, s->list, "at(m", &count);
    fprintf(g->out, "if (c == (u32)(%s)) {\n", code_expression(g, &mode, s->target));
    fprintf(g->out, "if (given < %d) fault(s, FAULT_FIELDS, %d);\nelse if (%s) {\n", count,
            t->id, match);
    fprintf(g->out, "n = begin_from(s, s->middle);\n");
    fprintf(g->out, "if (s->print != 0) { s->channel = c - 1; s->print(s, %d, m, given); }\n",
            t->id);
    take_message(g, &effect, s->list);
    if (g->model->trace)
        fprintf(g->out, "traced(s, n, c, 0, m, given, id); traced(s, n, c, 1, m, given, %d);\n",
                t->id);
    code_received(g, p, t, step);
    fprintf(g->out, "join(s, id, sender, %d, pid, %d);\n} }\n", whole->id,
            keeps_control(whole));
}

/* The receives that a transition begins with, coded unless `g` is NULL; are there any? */
static bool each_receiver(struct generator *g, const struct proctype *p,
                          const struct transition *t)
{
    bool any = false;
    if (t->kind != TRANSITION_DSTEP) {
        any = may_rendezvous(t);
        if (any && g)
            code_receiver(g, p, t, NULL);
        return any;
    }
    const struct control_state *start = &p->automaton->states[t->dstep_start];
    if (g) /* a d_step takes the first that fits */
        fprintf(g->out, "{ const u32 joined = s->count;\n");
    for (int i = 0; i < start->count; i++) {
        if (!may_rendezvous(&start->transitions[i]))
            continue;
        any = true;
        if (!g)
            break;
        fprintf(g->out, "if (s->count == joined)\n");
        code_receiver(g, p, &start->transitions[i], t);
    }
    if (g)
        fprintf(g->out, "(void)joined; }\n");
    return any;
}

void code_receivers(struct generator *g, const struct proctype *p)
{
    struct code_mode provided = {.base = "v", .shape = "sh", .self = "o"};
    fprintf(
        g->out,
        "static void r_%d(struct step *s, const u32 pid, u32 sender, u32 c, const int *m, u32 "
        "given, u32 id)\n{\nconst u8 *v = s->middle; const struct shape *sh = s->shape;\n"
        "const u32 o = sh->offset[pid], made = s->count; u8 *n;\n",
        p->index);
    if (p->provided)
        fprintf(g->out, "if (!(%s)) return;\n", code_expression(g, &provided, p->provided));
    fprintf(g->out, "switch (%s(v + o)) {\n", p->control_width == 2 ? "UH" : "B");
    for (int i = 0; i < p->automaton->count; i++) {
        const struct control_state *state = &p->automaton->states[i];
        bool any = false;
        for (int k = 0; k < state->count; k++)
            any |= each_receiver(NULL, p, &state->transitions[k]);
        if (state->inside >= 0 || !any)
            continue;
        fprintf(g->out, "case %d:\n", i);
        for (int k = 0; k < state->count; k++) {
            if (k > 0 && state->transitions[k - 1].escape != state->transitions[k].escape)
                fprintf(g->out, "if (s->count != made) break;\n");
            each_receiver(g, p, &state->transitions[k]);
        }
        fprintf(g->out, "break;\n");
    }
    fprintf(g->out, "}\n}\n");
}

/* Assignments to the claim's own variables: from the state that it looked at (v) to the one
 * that the step leads to (n). */
static void code_claim_effects(struct generator *g)
{
    const struct proctype *claim = g->model->claim;
    fprintf(g->out,
            "void mazur_claim_effect(struct step *s, u8 *n, u32 id)\n{ const u8 *v = s->now; "
            "const struct shape *sh = s->shape;\nswitch (id) {\n");
    for (int i = 0; i < claim->automaton->count; i++)
        for (int k = 0; k < claim->automaton->states[i].count; k++) {
            const struct transition *t = &claim->automaton->states[i].transitions[k];
            if (t->kind != TRANSITION_STATEMENT || t->statement->kind != STATEMENT_ASSIGN)
                continue;
            struct code_mode mode = {
                .base = "v", .shape = "sh", .self = "0", .transition = t->id};
            struct code_mode effect = effect_mode(&mode);
            struct leaf *leaf;
            if (code_leaves(g, &effect, t->statement->target, &leaf) != 1)
                source_fail(&g->model->source, t->place,
                            "a structure is assigned member by "
                            "member");
            fprintf(g->out, "case %d: %s break;\n", t->id,
                    code_write(g, *leaf, code_expression(g, &mode, t->statement->value)));
        }
    fprintf(g->out, "}\n(void)v; (void)sh; }\n");
}

/* An atomic sequence or d_step of a claim looks at one state as a whole: its next statement is
 * tried at once. Where that one blocks, an atomic sequence waits there. */
static const char *claim_onward(struct generator *g, const struct automaton *a,
                                const struct transition *t)
{
    struct source *source = &g->model->source;
    bool step = a->states[t->target].inside >= 0;
    const char *go = source_format(source, "claim_to(s, %d, %d);", t->target, t->id);
    if (!t->atomic && !step)
        return go;
    if (g->model->claim->locals)
        source_fail(source, t->place,
                    "atomic and d_step in a claim with variables are not supported");
    if (step)
        go = source_format(source, "fault(s, FAULT_BLOCKED_DSTEP, %d);", t->id);
    return source_format(source,
                         "{ u32 before = s->claim_count; if (s->chained > 1000) fault(s, "
                         "FAULT_LONG_DSTEP, %d); else { s->chained++; mazur_claim(s, %d); "
                         "s->chained--; }\nif (s->claim_count == before && !s->fault) %s }",
                         t->id, t->target, go);
}

static void code_claim_move(struct generator *g, const struct automaton *a,
                            const struct transition *t)
{
    if (t->kind == TRANSITION_END)
        return;
    if (t->kind == TRANSITION_DSTEP) {
        fprintf(g->out, "mazur_claim(s, %d);\n", t->dstep_start);
        return;
    }
    const char *go = claim_onward(g, a, t);
    struct code_mode mode = {.base = "v",
                             .shape = "sh",
                             .self = "0",
                             .begin = "",
                             .control = "",
                             .finish = go,
                             .transition = t->id};
    if (t->kind == TRANSITION_ELSE)
        fprintf(g->out, "if (s->claim_count == made) %s\n", go);
    else if (t->kind == TRANSITION_SKIP || t->statement->kind == STATEMENT_ASSIGN ||
             t->statement->kind == STATEMENT_PRINT)
        fprintf(g->out, "%s\n", go);
    else if (t->statement->kind == STATEMENT_ASSERT)
        fprintf(g->out, "if (!(%s)) fault(s, FAULT_ASSERT, %d);\n%s\n",
                code_expression(g, &mode, t->statement->value), t->id, go);
    else
        code_statement(g, &mode, t->statement);
}

void code_claim(struct generator *g)
{
    const struct proctype *claim = g->model->claim;
    if (claim && claim->locals)
        code_claim_effects(g);
    fprintf(
        g->out,
        "void mazur_claim(struct step *s, u32 state)\n{\nconst u8 *v = s->now; const struct "
        "shape *sh = s->shape; const u32 made = s->claim_count; u8 *n;\nswitch (state) {\n");
    for (int i = 0; claim && i < claim->automaton->count; i++) {
        const struct control_state *state = &claim->automaton->states[i];
        fprintf(g->out, "case %d:\n", i);
        for (int k = 0; k < state->count; k++)
            code_claim_move(g, claim->automaton, &state->transitions[k]);
        fprintf(g->out, "break;\n");
    }
    fprintf(g->out, "}\n(void)made; }\n");
}
