/* Inlines: their definitions, and their calls, which are expanded token by token. */
#include "promela/language/parser.h"

#include <string.h>

/* The arguments of a call. */
struct inline_arguments {
    struct token **tokens;
    int *lengths;
    int count;
};

static const struct inlined *new_inlined(struct parser *parser, const struct token *name,
                                         struct place place, bool argument)
{
    struct inlined *inlined = source_alloc(parser->source, sizeof *inlined);
    *inlined = (struct inlined){.name = name->text, .place = place, .argument = argument};
    return inlined;
}

static void refuse_count(struct parser *parser, const struct inline_text *text,
                         const struct token *name, struct place place, const char *found)
{
    source_fail(parser->source, place, "'%s' takes %d argument%s%s", name->text,
                text->parameter_count, text->parameter_count == 1 ? "" : "s", found);
}

static struct inline_arguments
take_arguments(struct parser *parser, const struct inline_text *text, const struct token *name)
{
    size_t room = (size_t)text->parameter_count + 1;
    struct inline_arguments all = {
        .tokens = source_alloc(parser->source, sizeof *all.tokens * room),
        .lengths = source_alloc(parser->source, sizeof *all.lengths * room)};
    int depth = 0;
    parser_expect(parser, '(', "after the name of an inline");
    while (depth > 0 || parser_peek(parser)->kind != ')') {
        struct token token = parser_take(parser);
        if (token.kind == TOKEN_END)
            source_fail(parser->source, name->place, "the call of '%s' has no ')'", name->text);
        depth += token.kind == '(' || token.kind == '['   ? 1
                 : token.kind == ')' || token.kind == ']' ? -1
                                                          : 0;
        bool next = depth == 0 && token.kind == ',';
        all.count += next;
        if (all.count >= text->parameter_count)
            refuse_count(parser, text, name, token.place, "");
        if (next)
            continue;
        int last = all.count;
        all.tokens[last] = source_grow(parser->source, all.tokens[last], all.lengths[last],
                                       sizeof(struct token));
        all.tokens[last][all.lengths[last]++] = token;
    }
    parser_take(parser);
    all.count += all.lengths[all.count] > 0;
    if (all.count != text->parameter_count)
        refuse_count(parser, text, name, name->place,
                     source_format(parser->source, ", not %d", all.count));
    return all;
}

/* One token of the body: itself, or the tokens of the argument that it stands for. */
static void expand_token(struct parser *parser, struct token_range *range,
                         const struct inline_text *text, const struct token *name,
                         const struct inline_arguments *arguments, struct token token)
{
    const struct token *from = &token;
    const struct inlined *in = token.place.inlined;
    int length = 1;
    for (int k = 0; k < text->parameter_count && token.kind == TOKEN_NAME; k++)
        if (strcmp(token.text, text->parameters[k]) == 0) {
            from = arguments->tokens[k];
            length = arguments->lengths[k];
            in = new_inlined(parser, name, token.place, true);
        }
    for (int k = 0; k < length; k++) {
        if (range->count > 1 << 20)
            source_fail(parser->source, name->place, "inlines expand without limit");
        range->tokens =
            source_grow(parser->source, range->tokens, range->count, sizeof(struct token));
        range->tokens[range->count] = from[k];
        if (k == 0) /* as the parameter stands in the body */
            range->tokens[range->count].spaced = token.spaced;
        range->tokens[range->count++].place.inlined = in;
    }
}

/* Replaces parameters by the arguments' tokens; the body keeps its braces. */
void parser_inline_call(struct parser *parser, const struct inline_text *text,
                        struct token name, struct expression *result)
{
    for (const struct token_range *r = parser->range; r; r = r->outer)
        if (r->text == text && r->at < r->count)
            source_fail(parser->source, name.place,
                        "'%s' calls itself: an inline is expanded where it is called",
                        name.text);
    struct inline_arguments arguments = take_arguments(parser, text, &name);
    struct token_range *range = source_alloc(parser->source, sizeof *range);
    const struct inlined *call = new_inlined(parser, &name, name.place, false);
    for (int i = 0; i < text->count; i++) {
        struct token token = text->tokens[i];
        token.place.inlined = call;
        expand_token(parser, range, text, &name, &arguments, token);
    }
    range->outer = parser->range;
    range->result = result;
    range->text = text;
    range->inline_call = parser->inline_call;
    if (++parser->inline_calls > 20000)
        source_fail(parser->source, name.place, "more than 20000 inline calls: recursion?");
    parser->inline_call = parser->inline_calls;
    parser->range = range;
}

void parser_inline(struct parser *parser)
{
    struct token name = parser_expect(parser, TOKEN_NAME, "after 'inline'");
    struct symbol *symbol = parser_declare(parser, name, SYMBOL_INLINE);
    struct inline_text *text = source_alloc(parser->source, sizeof *text);
    parser_expect(parser, '(', "after the name of an inline");
    while (parser_peek(parser)->kind != ')') {
        struct token parameter = parser_expect(parser, TOKEN_NAME, "for a parameter");
        text->parameters = source_grow(parser->source, text->parameters, text->parameter_count,
                                       sizeof *text->parameters);
        text->parameters[text->parameter_count++] = parameter.text;
        if (!parser_accept(parser, ','))
            break;
    }
    parser_expect(parser, ')', "after the parameters");
    struct place open = parser_peek(parser)->place;
    if (parser_peek(parser)->kind != '{')
        parser_expect(parser, '{', "for the body of an inline");
    int depth = 0;
    do {
        struct token token = parser_take(parser);
        if (token.kind == TOKEN_END)
            source_fail(parser->source, open, "this '{' is not closed");
        depth += token.kind == '{' ? 1 : token.kind == '}' ? -1 : 0;
        text->tokens =
            source_grow(parser->source, text->tokens, text->count, sizeof *text->tokens);
        text->tokens[text->count++] = token;
    } while (depth > 0);
    symbol->inlined = text;
}
