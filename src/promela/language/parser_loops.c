/* `for` and `select`, written out in simpler statements, the way Spin does it, since the number
 * of control states depends on it. */
#include <string.h>

#include "promela/language/parser.h"

#define SELECT_AS_CHOICE 33 /* a constant select of at most this many values is one `if` */

static void add_option(struct statement *choice, struct sequence *option)
{
    struct sequence **tail = &choice->options;
    while (*tail)
        tail = &(*tail)->next;
    *tail = option;
}

/* A block of index = from and an empty loop, which is *loop. */
static struct statement *start_counting(struct parser *parser, struct place place,
                                        struct expression *index, struct expression *from,
                                        struct statement **loop)
{
    struct statement *block = statement_new(parser, STATEMENT_BLOCK, place);
    block->synthetic = true;
    block->options = sequence_new(parser);
    sequence_add(block->options, statement_assignment(parser, index, from));
    *loop = statement_new(parser, STATEMENT_DO, place);
    (*loop)->synthetic = true;
    sequence_add(block->options, *loop);
    return block;
}

/* do :: test -> before; body; index++ :: else -> break od, after index = from */
static struct statement *counting_loop(struct parser *parser, struct expression *index,
                                       struct expression *from, struct expression *test,
                                       struct statement *before)
{
    struct place place = index->place;
    struct statement *loop, *block = start_counting(parser, place, index, from, &loop);
    struct sequence *body = sequence_new(parser);
    sequence_add(body, statement_condition(parser, test));
    while (before) {
        struct statement *next = before->next;
        before->next = NULL;
        sequence_add(body, before);
        before = next;
    }
    parser->loops++;
    struct sequence *written = parse_block(parser, "for the body of 'for'");
    parser->loops--;
    body->last->next = written->first;
    body->last = written->last;
    sequence_add(body,
                 statement_assignment(parser, index,
                                      expression_binary(parser, '+', index,
                                                        expression_number(parser, 1, place))));
    add_option(loop, body);
    struct sequence *leave = sequence_new(parser);
    sequence_add(leave, statement_new(parser, STATEMENT_ELSE, place));
    sequence_add(leave, statement_new(parser, STATEMENT_BREAK, place));
    add_option(loop, leave);
    return block;
}

/* for (m in c): each message is received and sent again, len(c) times. */
static struct statement *channel_loop(struct parser *parser, struct expression *message,
                                      struct expression *channel)
{
    struct place place = message->place;
    struct token name = {.kind = TOKEN_NAME, .place = place};
    name.text = source_format(parser->source, "for_%d", parser->temporaries++);
    struct symbol *symbol = parser_declare(parser, name, SYMBOL_VARIABLE);
    symbol->type = TYPE_INT;
    symbol->bits = 32;
    struct expression *index = expression_new(parser, EXPRESSION_NAME, place);
    index->symbol = symbol;
    struct expression *length = expression_new(parser, EXPRESSION_CALL, place);
    length->op = TOKEN_LEN;
    length->left = channel;
    struct statement *receive = statement_new(parser, STATEMENT_RECEIVE, place);
    struct statement *send = statement_new(parser, STATEMENT_SEND, place);
    receive->target = send->target = channel;
    receive->list = send->list = message;
    receive->next = send;
    return counting_loop(parser, index, expression_number(parser, 0, place),
                         expression_binary(parser, '<', index, length), receive);
}

struct statement *parse_for(struct parser *parser, struct token token)
{
    parser->at_start = false;
    parser_expect(parser, '(', "after 'for'");
    struct expression *index = parse_reference(parser);
    struct statement *result;
    if (parser_accept(parser, ':')) {
        struct expression *from = parse_expression(parser);
        parser_expect(parser, TOKEN_DOTS, "between the bounds of 'for'");
        struct expression *to = parse_expression(parser);
        parser_expect(parser, ')', "after the bounds of 'for'");
        result = counting_loop(parser, index, from,
                               expression_binary(parser, TOKEN_LE, index, to), NULL);
    } else {
        if (parser_peek(parser)->kind != TOKEN_NAME)
            source_fail(parser->source, parser_peek(parser)->place,
                        "expected ':' or in, found %s; a loop is for (i : 1 .. 9) { … }",
                        token_seen(parser->source, parser_peek(parser)));
        struct token in = parser_take(parser);
        if (strcmp(in.text, "in") != 0)
            source_fail(parser->source, in.place, "expected 'in' or ':', found '%s'", in.text);
        struct expression *array = parse_reference(parser);
        parser_expect(parser, ')', "after the array of 'for'");
        const struct expression *last = array;
        while (last->right)
            last = last->right;
        if (last->symbol && last->symbol->type == TYPE_CHAN &&
            (!last->symbol->array || last->left))
            return channel_loop(parser, index, array);
        if (!last->symbol || !last->symbol->array)
            source_fail(parser->source, array->place, "expected an array or a channel");
        struct expression *end =
            expression_number(parser, last->symbol->length - 1, token.place);
        result = counting_loop(parser, index, expression_number(parser, 0, token.place),
                               expression_binary(parser, TOKEN_LE, index, end), NULL);
    }
    return result;
}

static struct statement *select_choice(struct parser *parser, struct expression *index,
                                       int from, int to)
{
    struct statement *choice = statement_new(parser, STATEMENT_IF, index->place);
    for (int value = from; value <= to; value++) {
        struct sequence *option = sequence_new(parser);
        sequence_add(option,
                     statement_assignment(parser, index,
                                          expression_number(parser, value, index->place)));
        add_option(choice, option);
    }
    return choice;
}

/* A number as such, and then `end`. */
static bool at_number(struct parser *parser, int end)
{
    return parser_peek(parser)->kind == TOKEN_NUMBER && parser_peek_second(parser)->kind == end;
}

/* The variable of a select that Spin's lexer takes for a choice: letters and digits, and not in
 * the text of an inline. Counting up is a different model: others see what lies between. */
static bool at_plain_name(struct parser *parser)
{
    const struct token *name = parser_peek(parser);
    return name->kind == TOKEN_NAME && parser_peek_second(parser)->kind == ':' &&
           !strchr(name->text, '_') && parser->inline_call == 0;
}

struct statement *parse_select(struct parser *parser)
{
    parser->at_start = false;
    parser_expect(parser, '(', "after 'select'");
    bool plain = at_plain_name(parser);
    struct expression *index = parse_reference(parser);
    parser_expect(parser, ':', "after the variable of 'select'");
    plain = at_number(parser, TOKEN_DOTS) && plain;
    struct expression *from = parse_expression(parser);
    parser_expect(parser, TOKEN_DOTS, "between the bounds of 'select'");
    plain = at_number(parser, ')') && plain;
    struct expression *to = parse_expression(parser);
    parser_expect(parser, ')', "after the bounds of 'select'");
    struct place place = index->place;
    if (plain && from->value > to->value)
        source_fail(parser->source, from->place, "there is no value from %d to %d", from->value,
                    to->value);
    if (plain && (long)to->value - from->value < SELECT_AS_CHOICE)
        return select_choice(parser, index, from->value, to->value);
    struct statement *loop, *block = start_counting(parser, place, index, from, &loop);
    struct sequence *up = sequence_new(parser);
    sequence_add(up, statement_condition(parser, expression_binary(parser, '<', index, to)));
    sequence_add(up,
                 statement_assignment(parser, index,
                                      expression_binary(parser, '+', index,
                                                        expression_number(parser, 1, place))));
    add_option(loop, up);
    struct sequence *leave = sequence_new(parser);
    sequence_add(leave, statement_new(parser, STATEMENT_BREAK, place));
    add_option(loop, leave);
    return block;
}
