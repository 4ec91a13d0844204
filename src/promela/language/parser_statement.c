/* Statements and sequences; parser_loops.c has `for` and `select`. */
#include <string.h>

#include "promela/language/parser.h"

struct statement *statement_new(struct parser *parser, enum statement_kind kind,
                                struct place place)
{
    struct statement *statement = source_alloc(parser->source, sizeof *statement);
    statement->kind = kind;
    statement->place = place_in_body(place);
    statement->late = parser->model->late;
    return statement;
}

void sequence_add(struct sequence *sequence, struct statement *statement)
{
    if (!sequence->first)
        sequence->first = statement;
    else
        sequence->last->next = statement;
    sequence->last = statement;
}

struct sequence *sequence_new(struct parser *parser)
{
    return source_alloc(parser->source, sizeof(struct sequence));
}

static bool sequence_ends(int kind)
{
    return kind == '}' || kind == TOKEN_FI || kind == TOKEN_OD || kind == TOKEN_OPTION ||
           kind == TOKEN_END;
}

static void push_scope(struct parser *parser)
{
    struct scope *scope = source_alloc(parser->source, sizeof *scope);
    scope->outer = parser->scope;
    parser->scope = scope;
}

static struct statement *parse_statement(struct parser *parser);

/* Words about channels are not believed (safe_states.c), and checked (report/channel_words.c).
 */
static void parse_channel_words(struct parser *parser)
{
    bool receives = parser_take(parser).kind == TOKEN_XR;
    do {
        const struct expression *channel = parse_reference(parser);
        if (channel->kind != EXPRESSION_NAME || symbol_named(channel)->type != TYPE_CHAN)
            source_fail(parser->source, channel->place, "expected a channel");
        struct channel_word *word = source_alloc(parser->source, sizeof *word);
        *word = (struct channel_word){.channel = channel,
                                      .receives = receives,
                                      .proctype = parser->proctype,
                                      .next = parser->model->words};
        parser->model->words = word;
    } while (parser_accept(parser, ','));
}

static void parse_step(struct parser *parser, struct sequence *sequence)
{
    if (parser_at_type(parser)) {
        parser_declaration(parser, false);
        return;
    }
    int kind = parser_peek(parser)->kind;
    if (kind == TOKEN_XR || kind == TOKEN_XS) {
        parse_channel_words(parser);
        return;
    }
    struct statement *statement = parse_statement(parser);
    if (parser_peek(parser)->kind == TOKEN_UNLESS) {
        struct statement *unless =
            statement_new(parser, STATEMENT_UNLESS, parser_take(parser).place);
        parser->model->uses_unless = true;
        unless->options = sequence_new(parser);
        sequence_add(unless->options, statement);
        unless->options->next = sequence_new(parser);
        sequence_add(unless->options->next, parse_statement(parser));
        unless->late = parser->model->late;
        statement = unless;
    }
    sequence_add(sequence, statement);
}

/* What may have been meant where a statement goes on. */
static const char *meant_between(struct parser *parser, const struct statement *last)
{
    const struct token *found = parser_peek(parser);
    if (found->kind == '?')
        return "; a choice of values is (condition -> this : that)";
    if (found->kind == TOKEN_NAME)
        return parser_meant(parser, found->text);
    if (last && last->kind == STATEMENT_RECEIVE)
        return "; a message is received in variables, or compared with constants and eval(…)";
    if (found->kind == '=' && last && last->kind == STATEMENT_EXPRESSION)
        return "; only a variable is assigned to";
    return "";
}

struct sequence *parse_sequence(struct parser *parser, struct place start)
{
    struct sequence *sequence = sequence_new(parser), *outer = parser->sequence;
    parser->sequence = sequence;
    parser_enter(parser, start);
    for (;;) {
        while (parser_accept(parser, ';') || parser_accept(parser, TOKEN_ARROW))
            ;
        if (sequence_ends(parser_peek(parser)->kind))
            break;
        parse_step(parser, sequence);
        int kind = parser_peek(parser)->kind;
        bool closed =
            sequence->last &&
            (sequence->last->kind == STATEMENT_IF || sequence->last->kind == STATEMENT_DO ||
             sequence->last->kind == STATEMENT_ELSE || /* as in Spin */
             sequence->last->options);
        bool new_line = parser_peek(parser)->place.line != parser->last_line;
        if (kind != ';' && kind != TOKEN_ARROW && !sequence_ends(kind) && !closed && !new_line)
            source_fail(parser->source, parser_peek(parser)->place,
                        "expected ';', '->' or a new line between statements, found %s%s",
                        token_seen(parser->source, parser_peek(parser)),
                        meant_between(parser, sequence->last));
    }
    sequence->end = parser_peek(parser)->place;
    parser_leave(parser);
    parser->sequence = outer;
    return sequence;
}

struct sequence *parse_block(struct parser *parser, const char *context)
{
    struct token open = parser_expect(parser, '{', context);
    push_scope(parser);
    struct sequence *sequence = parse_sequence(parser, open.place);
    parser->scope = parser->scope->outer;
    parser_close(parser, open, "to close the block");
    if (!sequence->first)
        source_fail(parser->source, open.place, "a block needs at least one statement");
    return sequence;
}

static struct sequence *parse_options(struct parser *parser, int close)
{
    struct sequence *first = NULL, **tail = &first;
    bool otherwise = false;
    while (parser_peek(parser)->kind == TOKEN_OPTION) {
        struct place start = parser_take(parser).place;
        *tail = parse_sequence(parser, start); /* no scope of its own: only braces make one */
        if (!(*tail)->first)
            source_fail(parser->source, start, "an option needs at least one statement");
        const struct statement *guard = (*tail)->first;
        if (otherwise && guard->kind == STATEMENT_ELSE)
            source_fail(parser->source, guard->place, "a second else in the same choice");
        otherwise |= guard->kind == STATEMENT_ELSE;
        tail = &(*tail)->next;
    }
    if (!first)
        source_fail(parser->source, parser_peek(parser)->place,
                    "expected '::' and an option, found %s%s",
                    token_seen(parser->source, parser_peek(parser)),
                    close == TOKEN_FI ? "; a choice is if :: condition -> … :: else -> … fi"
                                      : "; a loop is do :: condition -> … :: else -> break od");
    parser_expect(parser, close, "to end the options");
    return first;
}

static struct statement *parse_compound(struct parser *parser, struct token token)
{
    struct statement *statement = statement_new(parser, STATEMENT_IF, token.place);
    parser->at_start = false;
    switch (token.kind) {
    case TOKEN_IF:
        statement->options = parse_options(parser, TOKEN_FI);
        break;
    case TOKEN_DO:
        statement->kind = STATEMENT_DO;
        parser->loops++;
        statement->options = parse_options(parser, TOKEN_OD);
        parser->loops--;
        break;
    case TOKEN_ATOMIC:
        statement->kind = STATEMENT_ATOMIC;
        statement->options = parse_block(parser, "after 'atomic'");
        break;
    case TOKEN_D_STEP:
        statement->kind = STATEMENT_DSTEP;
        parser->in_d_step++;
        statement->options = parse_block(parser, "after 'd_step'");
        parser->in_d_step--;
        break;
    }
    return statement;
}

struct statement *statement_assignment(struct parser *parser, struct expression *target,
                                       struct expression *value)
{
    struct statement *statement = statement_new(parser, STATEMENT_ASSIGN, target->place);
    statement->target = target;
    statement->value = value;
    return statement;
}

struct statement *statement_condition(struct parser *parser, struct expression *value)
{
    struct statement *statement = statement_new(parser, STATEMENT_EXPRESSION, value->place);
    statement->value = value;
    return statement;
}

static struct statement *parse_print(struct parser *parser, struct token word)
{
    struct statement *statement = statement_new(parser, STATEMENT_PRINT, word.place);
    parser_expect(parser, '(', "after the word");
    if (word.kind == TOKEN_PRINTF) {
        statement->text = parser_expect(parser, TOKEN_STRING, "for the format").text;
        if (parser_accept(parser, ','))
            statement->list = parse_arguments(parser, ')');
    } else {
        statement->text = "%e";
        statement->list = parse_expression(parser);
    }
    parser_expect(parser, ')', "after the arguments");
    return statement;
}

/* `_priority = e` is set_priority(_pid, e). */
static struct statement *own_priority(struct parser *parser)
{
    struct token name = parser_take(parser);
    parser_take(parser);
    parser->model->uses_priority = true;
    struct statement *statement = statement_new(parser, STATEMENT_SET_PRIORITY, name.place);
    statement->target = expression_new(parser, EXPRESSION_PID, name.place);
    statement->value = parse_expression(parser);
    return statement;
}

static struct statement *parse_unlabelled(struct parser *parser);

static bool calls_inline(struct parser *parser)
{
    const struct token *token = parser_peek(parser);
    const struct symbol *symbol =
        token->kind == TOKEN_NAME ? parser_lookup(parser, token->text) : NULL;
    return symbol && symbol->kind == SYMBOL_INLINE;
}

/* A statement that starts with a variable: assignment, send, receive; else an expression. */
static struct statement *from_reference(struct parser *parser)
{
    struct token_range *range = parser->range;
    int mark = range->at;
    struct place place = parser_peek(parser)->place;
    struct symbol *symbol = parser_lookup(parser, parser_peek(parser)->text);
    if (strcmp(parser_peek(parser)->text, "_priority") == 0 &&
        parser_peek_second(parser)->kind == '=')
        return own_priority(parser);
    bool nowhere =
        strcmp(parser_peek(parser)->text, "_") == 0 && parser_peek_second(parser)->kind == '=';
    if (!nowhere && (!symbol || symbol->kind != SYMBOL_VARIABLE))
        return statement_condition(parser, parse_expression(parser));
    struct expression *target = parse_reference(parser);
    struct statement *statement;
    int kind = parser_peek(parser)->kind;
    switch (kind) {
    case '=':
        parser_take(parser);
        if (calls_inline(parser)) {
            struct token name = parser_take(parser);
            parser_inline_call(parser, parser_lookup(parser, name.text)->inlined, name, target);
            return parse_unlabelled(parser);
        }
        return statement_assignment(parser, target, parse_expression(parser));
    case TOKEN_INCREMENT:
    case TOKEN_DECREMENT:
        parser_take(parser);
        statement = statement_assignment(
            parser, target,
            expression_binary(parser, kind == TOKEN_INCREMENT ? '+' : '-', target,
                              expression_number(parser, 1, place)));
        statement->text = kind == TOKEN_INCREMENT ? "++" : "--";
        return statement;
    case '!':
    case TOKEN_SEND_SORTED:
        parser_take(parser);
        statement = statement_new(parser, STATEMENT_SEND, place);
        statement->target = target;
        statement->sorted = kind == TOKEN_SEND_SORTED;
        statement->list = parse_arguments(parser, 0);
        return statement;
    case '?':
    case TOKEN_RECEIVE_RANDOM:
        if (parser_peek_second(parser)->kind == '[')
            break;
        parser_take(parser);
        statement = statement_new(parser, STATEMENT_RECEIVE, place);
        statement->target = target;
        statement->random = kind == TOKEN_RECEIVE_RANDOM;
        statement->peek = parser_accept(parser, '<');
        statement->list = parse_receive_arguments(parser, statement->peek ? '>' : 0);
        if (statement->peek)
            parser_expect(parser, '>', "to close the peek");
        return statement;
    }
    range->at = mark;
    parser->range = range;
    return statement_condition(parser, parse_expression(parser));
}

/* In `x = f(…)` the `return e` of the inline f means x = e; it does not end f. */
static struct statement *return_value(struct parser *parser)
{
    struct token word = parser_take(parser);
    struct token_range *range = parser->range;
    while (range && !range->result)
        range = range->outer;
    if (!range)
        source_fail(
            parser->source, word.place,
            "'return' is allowed only in an inline that is called as 'variable = name(…)'");
    struct statement *statement = statement_new(parser, STATEMENT_ASSIGN, word.place);
    statement->target = range->result;
    statement->value = parse_expression(parser);
    return statement;
}

static struct statement *parse_simple(struct parser *parser)
{
    struct token token = *parser_peek(parser);
    struct statement *statement;
    switch (token.kind) {
    case TOKEN_ASSERT:
        parser_take(parser);
        statement = statement_new(parser, STATEMENT_ASSERT, token.place);
        statement->value = parse_expression(parser);
        return statement;
    case TOKEN_GOTO:
        parser_take(parser);
        statement = statement_new(parser, STATEMENT_GOTO, token.place);
        statement->text = parser_expect(parser, TOKEN_NAME, "for a label, after 'goto'").text;
        statement->inline_call = parser->inline_call;
        return statement;
    case TOKEN_BREAK:
        parser_take(parser);
        if (parser->loops == 0)
            source_fail(parser->source, token.place, "'break' outside any loop");
        return statement_new(parser, STATEMENT_BREAK, token.place);
    case TOKEN_ELSE:
        parser_take(parser);
        return statement_new(parser, STATEMENT_ELSE, token.place);
    case TOKEN_PRINTF:
    case TOKEN_PRINTM:
        return parse_print(parser, parser_take(parser));
    case TOKEN_C_CODE:
        parser_take(parser);
        statement = statement_new(parser, STATEMENT_C, token.place);
        statement->c_number = parse_c_fragment(parser, C_STATEMENT, token);
        statement->text = parser->model->c_fragments[statement->c_number].text;
        return statement;
    case TOKEN_SET_PRIORITY:
        parser_take(parser);
        parser->model->uses_priority = true;
        statement = statement_new(parser, STATEMENT_SET_PRIORITY, token.place);
        parser_expect(parser, '(', "after set_priority");
        statement->target = parse_expression(parser);
        parser_expect(parser, ',', "between the arguments of set_priority");
        statement->value = parse_expression(parser);
        parser_expect(parser, ')', "after the arguments of set_priority");
        return statement;
    case TOKEN_RETURN:
        return return_value(parser);
    case TOKEN_NAME:
        return from_reference(parser);
    }
    return statement_condition(parser, parse_expression(parser));
}

/* Others have a text of their own, or stand for several. */
static bool shows_as_written(const struct statement *statement)
{
    switch (statement->kind) {
    case STATEMENT_EXPRESSION:
    case STATEMENT_ASSIGN:
    case STATEMENT_SEND:
    case STATEMENT_RECEIVE:
    case STATEMENT_ASSERT:
    case STATEMENT_PRINT:
        return !statement->synthetic && !statement->words;
    default:
        return false;
    }
}

static struct statement *parse_unlabelled(struct parser *parser)
{
    struct token token = *parser_peek(parser);
    struct symbol *symbol = token.kind == TOKEN_NAME ? parser_lookup(parser, token.text) : NULL;
    if (symbol && symbol->kind == SYMBOL_INLINE) {
        parser_take(parser);
        parser->at_start = false;
        parser_inline_call(parser, symbol->inlined, token, NULL);
        token = *parser_peek(parser);
    }
    switch (token.kind) {
    case TOKEN_IF:
    case TOKEN_DO:
    case TOKEN_ATOMIC:
    case TOKEN_D_STEP:
        return parse_compound(parser, parser_take(parser));
    case '{': {
        struct statement *block = statement_new(parser, STATEMENT_BLOCK, token.place);
        parser->at_start = false;
        block->options = parse_block(parser, "");
        return block;
    }
    case TOKEN_FOR:
        return parse_for(parser, parser_take(parser));
    case TOKEN_SELECT:
        parser_take(parser);
        return parse_select(parser);
    }
    parser->at_start = false;
    const struct token_range *range = parser->range;
    int from = range->at;
    struct statement *statement = parse_simple(parser);
    if (shows_as_written(statement) && range->at > from)
        statement->words = parser_written(parser, range, from);
    return statement;
}

/* A label with nothing behind it names a step that does nothing. */
static struct statement *implied_skip(struct parser *parser)
{
    struct place place = parser->proctype->labels->place;
    struct statement *statement = statement_new(parser, STATEMENT_EXPRESSION, place);
    statement->value = expression_number(parser, 1, place);
    parser->at_start = false;
    return statement;
}

static struct statement *parse_statement(struct parser *parser)
{
    struct label *outer = parser->proctype->labels;
    bool labelled = false;
    while (parser_peek(parser)->kind == TOKEN_NAME && parser_peek_second(parser)->kind == ':') {
        struct symbol *symbol = parser_lookup(parser, parser_peek(parser)->text);
        if (symbol && symbol->kind == SYMBOL_PROCTYPE)
            break; /* P:variable */
        struct token name = parser_take(parser);
        parser_take(parser);
        struct label *label = source_alloc(parser->source, sizeof *label);
        label->name = name.text;
        label->place = name.place;
        for (const struct label *l = parser->proctype->labels; l; l = l->next)
            if (strcmp(l->name, label->name) == 0 && l->inline_call == parser->inline_call)
                source_fail(parser->source, name.place,
                            "label '%s' is already defined at line %d", name.text,
                            l->place.line);
        label->inline_call = parser->inline_call;
        label->next = parser->proctype->labels;
        parser->proctype->labels = label;
        labelled = true;
        if (parser_at_type(parser))
            source_fail(parser->source, name.place,
                        "label '%s' is before a declaration: put it before a statement",
                        name.text);
    }
    int kind = parser_peek(parser)->kind;
    bool bare = labelled && (sequence_ends(kind) || kind == ';' || kind == TOKEN_ARROW);
    struct statement *statement = bare ? implied_skip(parser) : parse_unlabelled(parser);
    /* A label of `for` or `select` names the loop, as in Spin: a goto there does not begin
     * anew. */
    struct statement *named = statement->kind == STATEMENT_BLOCK && statement->synthetic
                                  ? statement->options->first->next
                                  : statement;
    for (struct label *l = parser->proctype->labels; labelled && l != outer; l = l->next)
        if (!l->statement)
            l->statement = named;
    statement->late = parser->model->late;
    return statement;
}
