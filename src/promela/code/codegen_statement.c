/* Statements as C. Each is a block that falls through to its end label when it is not enabled,
 * and otherwise runs begin, effect, control and finish of its mode. */
#include <stdlib.h>

#include "promela/automata/optimise.h"
#include "promela/automata/unread.h"
#include "promela/code/codegen.h"
#include "promela/code/embed.h"

struct code_mode code_effect_mode(const struct code_mode *mode)
{
    struct code_mode effect = *mode;
    effect.base = "n";
    effect.shape = "s->next_shape";
    return effect;
}

static int static_offset(const struct model *model, const struct symbol *symbol)
{
    int offset = model->global_size;
    for (const struct symbol *s = model->globals; s != symbol; s = s->next)
        if (s->channel)
            offset += s->channel->size * s->length;
    return offset;
}

/* Code that defines c, t, qo for a channel reference; jumps to `fail` if there is none. */
static void code_channel(struct code_generator *g, const struct code_mode *mode,
                         const struct expression *channel, const char *fail)
{
    const struct channel_type *type = channel_static_type(channel);
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

/* m[], the values of a list; elements beyond it, up to `room`, are 0. */
static int message_values(struct code_generator *g, const struct code_mode *mode,
                          const struct expression *list, int room)
{
    int count = list_leaves(list);
    fprintf(g->out, "int m[%d] = {", count > room ? count : room);
    for (const struct expression *e = list; e; e = e->next) {
        if (e->kind == EXPRESSION_NAME && symbol_named(e)->type == TYPE_STRUCT) {
            struct code_leaf *leaves;
            int here = code_leaves(g, mode, e, &leaves);
            for (int i = 0; i < here; i++)
                fprintf(g->out, "%s, ", code_read(g, leaves[i]));
        } else {
            fprintf(g->out, "%s, ", code_expression(g, mode, e));
        }
    }
    fprintf(g->out, "};\n");
    return count;
}

static int most_fields(const struct code_generator *g)
{
    int most = 1;
    for (int i = 0; i < g->model->channel_type_count; i++)
        if (g->model->channel_types[i]->field_count > most)
            most = g->model->channel_types[i]->field_count;
    return most;
}

static void code_send(struct code_generator *g, const struct code_mode *mode,
                      const struct statement *s, const char *fail)
{
    const struct channel_type *type = channel_static_type(s->target);
    code_channel(g, mode, s->target, fail);
    int count = message_values(g, mode, s->list, type ? type->field_count : most_fields(g)),
        full = type ? type->field_count : count;
    const char *fields = type ? source_format(&g->model->source, "%d", full) : "fields(t)";
    /* fields that are not given are 0, and an error where the message is sent */
    const char *begin =
        type && full == count
            ? mode->begin
            : source_format(&g->model->source, "%s\nif (%s > %d) fault(s, FAULT_FIELDS, %d);\n",
                            mode->begin, fields, count, mode->transition);
    if (!type)
        fprintf(g->out, "if (fields(t) < %d) { fault(s, FAULT_FIELDS, %d); goto %s; }\n", count,
                mode->transition, fail);
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
                    "rendezvous(s, pid, c, m, %s, %d);\ns->sender_fault = 0; goto %s;\n}\n",
                    begin, count, mode->control, fields, mode->transition, fail);
    }
    if (type && type->capacity == 0)
        return;
    fprintf(g->out, "if (B(%s + qo) >= capacity(t)) goto %s;\n%s\n", mode->base, fail, begin);
    fprintf(g->out, "{ u8 *q = n + qo; u32 k = %s;\n",
            s->sorted ? source_format(&g->model->source, "make_room(t, q, m, %s)", fields)
                      : "B(q)");
    for (int i = 0; i < full; i++)
        fprintf(g->out, "put(t, q, k, %d, m[%d]); ", i, i);
    if (!type)
        fprintf(g->out, "for (u32 f = %d; f < fields(t); f++) put(t, q, k, f, 0);", full);
    fprintf(g->out, "B(q)++; }\n");
    if (code_traced(g, s))
        fprintf(g->out, "traced(s, n, c, 0, m, %s, %d);\n", fields, mode->transition);
    fprintf(g->out, "%s\n%s\n", mode->control, mode->finish);
}

static bool is_leaf_dropped(const struct expression *name, int leaf)
{
    return symbol_named(name)->type == TYPE_STRUCT
               ? leaf_symbol(symbol_named(name), leaf)->dropped
               : reference_is_dropped(name);
}

/* Message fields (in m[], or read from the channel) to the variables of a receive. */
void code_take_message(struct code_generator *g, const struct code_mode *effect,
                       const struct expression *list)
{
    struct code_leaf *leaves;
    int field = 0;
    for (const struct expression *e = list; e; e = e->next) {
        if (e->kind != EXPRESSION_NAME) {
            field++;
            continue;
        }
        int here = code_leaves(g, effect, e, &leaves);
        for (int i = 0; i < here; i++) {
            if (!is_leaf_dropped(e, i))
                fprintf(g->out, "%s\n",
                        code_write(g, leaves[i],
                                   source_format(&g->model->source, "m[%d]", field + i)));
            else if (expression_may_fail(e))
                fprintf(g->out, "(void)(%s);\n", leaves[i].address);
        }
        field += here;
    }
}

static void code_receive(struct code_generator *g, const struct code_mode *mode,
                         const struct statement *s, const char *fail)
{
    const struct channel_type *type = channel_static_type(s->target);
    if (type && type->capacity == 0) { /* only ever in code_receivers() */
        if (s->peek)
            fprintf(g->out, "fault(s, FAULT_POLL, %d);\n", mode->transition);
        return;
    }
    struct code_mode effect = code_effect_mode(mode);
    int count;
    code_channel(g, mode, s->target, fail);
    const char *match = code_match(g, mode, s->list, "get(t, q, k", &count);
    if (!type)
        fprintf(g->out, "if (capacity(t) == 0) { %s goto %s; }\n",
                s->peek ? source_format(&g->model->source, "fault(s, FAULT_POLL, %d);",
                                        mode->transition)
                        : "",
                fail);
    fprintf(g->out, "u32 k = 0; { const u8 *q = %s + qo; const u32 length = B(q);\n",
            mode->base);
    if (!type || count > type->field_count)
        fprintf(g->out,
                "if (length == 0) goto %s;\n"
                "if (fields(t) < %d) { fault(s, FAULT_FIELDS, %d); goto %s; }\n",
                fail, count, mode->transition, fail);
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
    code_take_message(g, &effect, s->list);
    if (traced)
        fprintf(g->out, "traced(s, n, c, 1, e, have, %d);\n", mode->transition);
    fprintf(g->out, "}\n%s\n%s\n", mode->control, mode->finish);
}

/* Arguments that may fail are always evaluated, others only if the output is read, which a
 * search does not do. */
static void code_print(struct code_generator *g, const struct code_mode *mode,
                       const struct statement *s)
{
    int count = 0;
    bool fails = false;
    for (const struct expression *e = s->list; e; e = e->next)
        fails |= expression_may_fail(e);
    fprintf(g->out, fails ? "{ " : "if (s->print != 0) { ");
    if (s->list)
        count = message_values(g, mode, s->list, 0);
    fprintf(g->out, "if (s->print != 0) s->print(s, %d, %s, %d); }\n", mode->transition,
            count > 0 ? "m" : "0", count);
}

static void code_condition(struct code_generator *g, const struct code_mode *mode,
                           const struct statement *s, const char *fail)
{
    struct code_mode effect = code_effect_mode(mode);
    if (expression_has_run(s->value))
        fprintf(g->out, "%s\nif (!(%s)) goto %s;\n", mode->begin,
                code_expression(g, &effect, s->value), fail);
    else
        fprintf(g->out, "if (!(%s)) goto %s;\n%s\n", code_expression(g, mode, s->value), fail,
                mode->begin);
    fprintf(g->out, "%s\n%s\n", mode->control, mode->finish);
}

/* An assignment that nothing reads: what is left of it is what may fail, or starts a process.
 */
static void code_dropped(struct code_generator *g, const struct code_mode *mode,
                         const struct statement *s)
{
    struct code_mode effect = code_effect_mode(mode);
    struct code_leaf *leaf;
    fprintf(g->out, "%s\n", mode->begin);
    if (value_has_effect(s->value))
        fprintf(g->out, "(void)(%s);\n", code_expression(g, &effect, s->value));
    if (expression_may_fail(s->target)) {
        code_leaves(g, &effect, s->target, &leaf);
        fprintf(g->out, "(void)(%s);\n", leaf->address);
    }
    fprintf(g->out, "%s\n%s\n", mode->control, mode->finish);
}

static void code_assign(struct code_generator *g, const struct code_mode *mode,
                        const struct statement *s)
{
    struct code_mode effect = code_effect_mode(mode);
    struct code_leaf *leaf;
    if (reference_is_dropped(s->target)) {
        code_dropped(g, mode, s);
        return;
    }
    fprintf(g->out, "%s\n{ int value = %s;\n", mode->begin,
            code_expression(g, &effect, s->value));
    if (s->target->kind == EXPRESSION_WILDCARD) {
        fprintf(g->out, "(void)value; }\n%s\n%s\n", mode->control, mode->finish);
        return;
    }
    if (code_leaves(g, &effect, s->target, &leaf) != 1)
        source_fail(&g->model->source, s->place, "a structure is assigned member by member");
    fprintf(g->out, "%s }\n%s\n%s\n", code_write(g, *leaf, "value"), mode->control,
            mode->finish);
}

void code_statement(struct code_generator *g, const struct code_mode *mode,
                    const struct statement *s)
{
    struct code_mode effect = code_effect_mode(mode);
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
