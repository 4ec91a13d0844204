/* Statements as text, in the form Spin prints them: a trace shows what was executed. */
#include <ctype.h>
#include <string.h>

#include "promela/language/lexer.h"
#include "promela/language/model.h"

#define C_SHOWN 48 /* bytes of embedded C in a row */

static const char *list_text(struct model *model, const struct expression *list)
{
    const char *text = "";
    for (const struct expression *e = list; e; e = e->next)
        text = source_format(&model->source, "%s%s%s", text, *text ? "," : "",
                             expression_text(model, e));
    return text;
}

static const char *operator_text(int op)
{
    static char single[2];
    if (op == TOKEN_NEGATE)
        return "-";
    if (op < 256) {
        single[0] = (char)op;
        return single;
    }
    return token_name(op);
}

static const char *name_text(struct model *model, const struct expression *e)
{
    const char *text = e->symbol->name;
    if (e->left)
        text = source_format(&model->source, "%s[%s]", text, expression_text(model, e->left));
    if (e->right)
        text = source_format(&model->source, "%s.%s", text, name_text(model, e->right));
    return text;
}

static const char *remote_text(struct model *model, const struct expression *e)
{
    const char *where =
        e->left ? source_format(&model->source, "[%s]", expression_text(model, e->left)) : "";
    const struct expression *index = e->right ? e->right->left : NULL;
    return source_format(&model->source, "%s%s%c%s%s%s%s", e->symbol->name, where,
                         e->kind == EXPRESSION_REMOTE_LABEL ? '@' : ':', e->text,
                         index ? "[" : "", index ? expression_text(model, index) : "",
                         index ? "]" : "");
}

/* C on one line; `most` bytes of it. Expressions are told apart by their text
 * (ltl_automaton.c): they have it all. */
static const char *c_text(struct model *model, const char *word, const char *c, size_t most)
{
    char *line = source_alloc(&model->source, strlen(c) + 1);
    size_t used = 0;
    for (; *c != '\0' && used < most; c++)
        if (!isspace((unsigned char)*c))
            line[used++] = *c;
        else if (used > 0 && line[used - 1] != ' ')
            line[used++] = ' ';
    if (used > 0 && line[used - 1] == ' ')
        used--;
    while (*c != '\0' && used > 0 && ((unsigned char)line[used - 1] & 0x80))
        used--; /* no half characters */
    return source_format(&model->source, "%s { %.*s%s }", word, (int)used, line,
                         c[strspn(c, " \t\r\n;")] != '\0' ? "…" : "");
}

/* `((a||b)||c)`: in one piece, since an expression may have thousands of operators. */
static const char *binary_text(struct model *model, const struct expression *e)
{
    struct source *source = &model->source;
    int count = 0;
    const struct expression *first = e;
    for (; first->kind == EXPRESSION_BINARY; first = first->left)
        count++;
    const char **behind = source_alloc(source, sizeof *behind * (size_t)count);
    const char *inner = expression_text(model, first);
    size_t length = strlen(inner) + (size_t)count + 1;
    for (int i = 0; i < count; i++, e = e->left) {
        const char *right = expression_text(model, e->right); /* uses operator_text(), too */
        behind[i] = source_format(source, "%s%s)", operator_text(e->op), right);
        length += strlen(behind[i]);
    }
    char *text = source_alloc(source, length), *end = text + count;
    memset(text, '(', (size_t)count);
    end = stpcpy(end, inner);
    for (int i = count; i-- > 0;)
        end = stpcpy(end, behind[i]);
    return text;
}

/* Two conditions of a formula are the same if their texts are (ltl_automaton.c): what differs
 * must be in them. */
const char *expression_text(struct model *model, const struct expression *e)
{
    struct source *source = &model->source;
    switch (e->kind) {
    case EXPRESSION_CONSTANT:
        return e->symbol ? e->symbol->name
               : e->text ? e->text
                         : source_format(source, "%d", e->value);
    case EXPRESSION_NAME:
        return name_text(model, e);
    case EXPRESSION_UNARY: {
        const char *op = source_format(source, "%s", operator_text(e->op));
        return source_format(source, "%s(%s)", op, expression_text(model, e->left));
    }
    case EXPRESSION_BINARY:
        return binary_text(model, e);
    case EXPRESSION_CONDITION:
        return source_format(source, "(%s->%s:%s)", expression_text(model, e->left),
                             expression_text(model, e->right),
                             expression_text(model, e->third));
    case EXPRESSION_RUN:
        return source_format(source, "run %s(%s)", e->symbol->name, list_text(model, e->list));
    case EXPRESSION_CALL:
        return source_format(source, "%s(%s)", token_name(e->op),
                             expression_text(model, e->left));
    case EXPRESSION_POLL:
        return source_format(source, "%s%s[%s]", expression_text(model, e->left),
                             e->random ? "??" : "?", list_text(model, e->list));
    case EXPRESSION_TIMEOUT:
        return "timeout";
    case EXPRESSION_PID:
        return "_pid";
    case EXPRESSION_LAST:
        return "_last";
    case EXPRESSION_COUNT:
        return "_nr_pr";
    case EXPRESSION_PROGRESS:
        return "np_";
    case EXPRESSION_REMOTE_LABEL:
    case EXPRESSION_REMOTE_VARIABLE:
        return remote_text(model, e);
    case EXPRESSION_PRIORITY:
        return !e->left
                   ? "_priority"
                   : source_format(source, "get_priority(%s)", expression_text(model, e->left));
    case EXPRESSION_EVAL:
        return source_format(source, "eval(%s)", expression_text(model, e->left));
    case EXPRESSION_WILDCARD:
        return "_";
    case EXPRESSION_STRING:
        return source_format(source, "{%s}", e->text);
    case EXPRESSION_C:
        return c_text(model, "c_expr", e->text, SIZE_MAX);
    }
    return "?";
}

static const char *write_statement(struct model *model, const struct statement *s)
{
    struct source *source = &model->source;
    switch (s->kind) {
    case STATEMENT_EXPRESSION:
        return s->text ? s->text : expression_text(model, s->value);
    case STATEMENT_ASSIGN:
        if (s->text) /* x++ */
            return source_format(source, "%s%s", expression_text(model, s->target), s->text);
        return source_format(source, "%s = %s", expression_text(model, s->target),
                             expression_text(model, s->value));
    case STATEMENT_SEND:
        return source_format(source, "%s%s%s", expression_text(model, s->target),
                             s->sorted ? "!!" : "!", list_text(model, s->list));
    case STATEMENT_RECEIVE:
        return source_format(source, "%s%s%s%s%s", expression_text(model, s->target),
                             s->random ? "??" : "?", s->peek ? "<" : "",
                             list_text(model, s->list), s->peek ? ">" : "");
    case STATEMENT_ASSERT:
        return source_format(source, "assert(%s)", expression_text(model, s->value));
    case STATEMENT_PRINT:
        return source_format(source, "printf('%s'%s%s)", s->text, s->list ? "," : "",
                             list_text(model, s->list));
    case STATEMENT_ELSE:
        return "else";
    case STATEMENT_GOTO:
        return source_format(source, "goto %s", s->text);
    case STATEMENT_BREAK:
        return "break";
    case STATEMENT_DSTEP:
        return "d_step";
    case STATEMENT_SET_PRIORITY:
        return source_format(source, "set_priority(%s,%s)", expression_text(model, s->target),
                             expression_text(model, s->value));
    case STATEMENT_IF:
        return "if";
    case STATEMENT_DO:
        return "do";
    case STATEMENT_ATOMIC:
        return "atomic";
    case STATEMENT_BLOCK:
        return "{";
    case STATEMENT_UNLESS:
        return "unless";
    case STATEMENT_C:
        return c_text(model, "c_code", s->text, C_SHOWN);
    }
    return "?";
}

/* Written once: a trace may have a statement many thousand times. */
const char *statement_text(struct model *model, struct statement *s)
{
    if (!s->words)
        s->words = write_statement(model, s);
    return s->words;
}
