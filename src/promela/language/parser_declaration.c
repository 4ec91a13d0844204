/* Variable declarations.
 *
 * A declaration initialises when the process is created only while no statement has been seen
 * (`at_start`); later, or inside a block, it is an assignment that takes a step, for an array
 * of its first element only. That is Spin 6.5's rule, and state counts depend on it. */
#include "promela/language/parser.h"

struct type_name {
    enum type type;
    struct structure *structure;
    const char *mtype_set;
};

static struct type_name parse_type(struct parser *parser)
{
    struct token token = parser_take(parser);
    struct type_name result = {0};
    switch (token.kind) {
    case TOKEN_BIT:
        result.type = TYPE_BIT;
        break;
    case TOKEN_BOOL:
        result.type = TYPE_BOOL;
        break;
    case TOKEN_BYTE:
        result.type = TYPE_BYTE;
        break;
    case TOKEN_PID:
        result.type = TYPE_PID;
        break;
    case TOKEN_SHORT:
        result.type = TYPE_SHORT;
        break;
    case TOKEN_INT:
        result.type = TYPE_INT;
        break;
    case TOKEN_UNSIGNED:
        result.type = TYPE_UNSIGNED;
        break;
    case TOKEN_CHAN:
        result.type = TYPE_CHAN;
        break;
    case TOKEN_MTYPE:
        result.type = TYPE_MTYPE;
        if (parser_accept(parser, ':'))
            result.mtype_set = parser_expect(parser, TOKEN_NAME, "after 'mtype:'").text;
        break;
    default: {
        struct symbol *symbol =
            token.kind == TOKEN_NAME ? parser_lookup(parser, token.text) : NULL;
        if (!symbol || symbol->kind != SYMBOL_STRUCTURE)
            source_fail(parser->source, token.place, "expected a type, found %s%s",
                        token_seen(parser->source, &token),
                        token.kind == TOKEN_NAME && !symbol
                            ? "; a typedef must come before its first use"
                            : "");
        result.type = TYPE_STRUCT;
        result.structure = symbol->structure;
    }
    }
    return result;
}

static void add_field(struct parser *parser, struct channel_type *type, struct type_name field,
                      int bits, int repeat)
{
    for (int turn = 0; turn < repeat; turn++) {
        if (field.type == TYPE_STRUCT) {
            for (int i = 0; i < field.structure->field_count; i++) {
                const struct symbol *member = field.structure->fields[i];
                struct type_name inner = {member->type, member->structure, member->mtype_set};
                add_field(parser, type, inner, member->bits, member->length);
            }
            continue;
        }
        if (type->field_count >= 255)
            source_fail(parser->source, type->place, "a message has more than 255 fields");
        type->fields =
            source_grow(parser->source, type->fields, type->field_count, sizeof *type->fields);
        type->field_bits = source_grow(parser->source, type->field_bits, type->field_count,
                                       sizeof *type->field_bits);
        type->field_set = source_grow(parser->source, type->field_set, type->field_count,
                                      sizeof *type->field_set);
        type->fields[type->field_count] = field.type;
        type->field_set[type->field_count] = field.mtype_set;
        type->field_bits[type->field_count++] = bits;
    }
}

/* `[capacity] of { types }` */
static struct channel_type *parse_channel(struct parser *parser)
{
    struct model *model = parser->model;
    struct channel_type *type = source_alloc(parser->source, sizeof *type);
    type->place = parser_expect(parser, '[', "before a channel's capacity").place;
    type->capacity = expression_constant(model, parse_expression(parser));
    if (type->capacity < 0 || type->capacity > 255)
        source_fail(parser->source, type->place, "a channel holds 0 to 255 messages");
    parser_expect(parser, ']', "after a channel's capacity");
    parser_expect(parser, TOKEN_OF, "after a channel's capacity");
    parser_expect(parser, '{', "before the message types");
    do {
        add_field(parser, type, parse_type(parser), 32, 1);
    } while (parser_accept(parser, ','));
    parser_expect(parser, '}', "after the message types");
    type->index = model->channel_type_count;
    model->channel_types = source_grow(parser->source, model->channel_types,
                                       model->channel_type_count, sizeof *model->channel_types);
    model->channel_types[model->channel_type_count++] = type;
    return type;
}

/* NULL if the expression is anything else. */
static const struct symbol *named_variable(const struct expression *e)
{
    const struct symbol *s = e->kind == EXPRESSION_NAME ? e->symbol : NULL;
    return s && s->kind == SYMBOL_VARIABLE && !s->array ? s : NULL;
}

static int constant_or_initial(struct parser *parser, const struct expression *e)
{
    const struct symbol *s = named_variable(e);
    if (s && s->init) {
        source_warn(parser->source, e->place,
                    "'%s' is a variable: its initial value is the bound", s->name);
        e = s->init;
    }
    return expression_constant(parser->model, e);
}

int parse_bound(struct parser *parser)
{
    return constant_or_initial(parser, parse_expression(parser));
}

/* What Spin takes for a variable that begins with nothing, zero or less. */
enum { ELEMENTS_WITHOUT_NUMBER = 8 };

/* The number of elements of an array. */
static int parse_length(struct parser *parser)
{
    const struct expression *e = parse_expression(parser);
    const struct symbol *s = named_variable(e);
    if (!s || (s->init && expression_constant(parser->model, s->init) > 0))
        return constant_or_initial(parser, e);
    source_warn(
        parser->source, e->place,
        "'%s' is a variable and does not begin with a number of elements: there are %d, as "
        "in Spin",
        s->name, ELEMENTS_WITHOUT_NUMBER);
    return ELEMENTS_WITHOUT_NUMBER;
}

static void late_initialiser(struct parser *parser, struct symbol *symbol)
{
    struct place place = symbol->place;
    if (symbol->type == TYPE_STRUCT) { /* a step that leaves it as it is */
        struct statement *idle = statement_new(parser, STATEMENT_EXPRESSION, place);
        idle->value = expression_number(parser, 1, place);
        idle->synthetic = true;
        idle->text =
            source_format(parser->source, "%s %s", symbol->structure->name, symbol->name);
        sequence_add(parser->sequence, idle);
        return;
    }
    if (symbol->channel)
        source_fail(parser->source, place,
                    "declare the initialised channel '%s' before the first statement",
                    symbol->name);
    if (symbol->init_list)
        source_warn(parser->source, place,
                    "the array '%s' gets its values when the process starts; here element 0 "
                    "gets its value again",
                    symbol->name);
    struct statement *statement = statement_new(parser, STATEMENT_ASSIGN, place);
    statement->target = expression_new(parser, EXPRESSION_NAME, place);
    statement->target->symbol = symbol;
    if (symbol->array)
        statement->target->left = expression_number(parser, 0, place);
    statement->value = symbol->init ? symbol->init : expression_number(parser, 0, place);
    if (symbol->init_list) {
        statement->value = expression_new(parser, EXPRESSION_CONSTANT, place);
        *statement->value = *symbol->init;
        statement->value->next = NULL;
    } else {
        symbol->init = NULL;
    }
    sequence_add(parser->sequence, statement);
}

static void parse_initialiser(struct parser *parser, struct symbol *symbol)
{
    if (symbol->type == TYPE_CHAN && parser_peek(parser)->kind == '[') {
        symbol->channel = parse_channel(parser);
    } else if (parser_accept(parser, '{')) {
        symbol->init = parse_arguments(parser, '}');
        symbol->init_list = true;
        int count = 0;
        for (struct expression *e = symbol->init; e; e = e->next)
            count++;
        parser_expect(parser, '}', "after the initial values");
        if (count > symbol->length)
            source_warn(parser->source, symbol->place,
                        "'%s' has %d elements, not %d: the other values are left out",
                        symbol->name, symbol->length, count);
    } else {
        symbol->init = parse_expression(parser);
    }
}

static void declare_one(struct parser *parser, struct type_name type, bool hidden,
                        bool parameters)
{
    struct token name = parser_expect(parser, TOKEN_NAME, "to declare");
    struct symbol *symbol = parser_declare(parser, name, SYMBOL_VARIABLE);
    symbol->type = type.type;
    symbol->structure = type.structure;
    symbol->mtype_set = type.mtype_set;
    symbol->hidden = hidden;
    symbol->parameter = parameters;
    symbol->bits = 32;
    if (parser_peek(parser)->kind == ':') {
        struct token colon = parser_take(parser);
        if (type.type != TYPE_UNSIGNED)
            source_fail(parser->source, colon.place,
                        "only 'unsigned' has a number of bits; a value is given with '='");
        struct token bits = parser_expect(parser, TOKEN_NUMBER, "for a number of bits");
        if (bits.value < 1 || bits.value > 32)
            source_fail(parser->source, bits.place, "a width is 1 to 32 bits");
        symbol->bits = bits.value;
    } else if (type.type == TYPE_UNSIGNED) {
        source_fail(parser->source, name.place, "expected a number of bits: unsigned %s : 8",
                    name.text);
    }
    if (parser_accept(parser, '[')) {
        symbol->length = parse_length(parser);
        symbol->array = true;
        parser_expect(parser, ']', "after the number of elements");
        if (symbol->length < 1 || symbol->length > 1 << 20)
            source_fail(parser->source, name.place, "an array has 1 to 1048576 elements");
        if (parameters)
            source_fail(parser->source, name.place, "a parameter can't be an array");
        if (parser_peek(parser)->kind == '[')
            source_fail(
                parser->source, parser_peek(parser)->place,
                "an array has one dimension; its elements may be a typedef with an array");
    }
    if (parser_peek(parser)->kind == '(' && !parameters)
        source_fail(parser->source, parser_peek(parser)->place,
                    "Promela has no functions: '%s' may be an inline or a proctype", name.text);
    if (parameters && parser_peek(parser)->kind == '=')
        source_fail(parser->source, parser_peek(parser)->place,
                    "a parameter has no initial value: 'run' gives it one");
    if (parser_accept(parser, '='))
        parse_initialiser(parser, symbol);
    if (parser->proctype && parser->sequence && !parser->at_start)
        late_initialiser(parser, symbol);
    if (parameters)
        parser->proctype->parameter_count++;
}

void parser_declaration(struct parser *parser, bool parameters)
{
    bool hidden = false;
    for (;;) {
        if (parser_accept(parser, TOKEN_HIDDEN))
            hidden = true;
        else if (!parser_accept(parser, TOKEN_SHOW) && !parser_accept(parser, TOKEN_LOCAL))
            break;
    }
    struct type_name type = parse_type(parser);
    do
        declare_one(parser, type, hidden, parameters);
    while (parser_accept(parser, ',') && !(parameters && parser_at_type(parser)));
}
