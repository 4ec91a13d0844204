/* Embedded C in the text of a model: c_decl, c_state, c_track, c_code, c_expr. The C itself is
 * only set aside, with its place; embed.c writes it into the generated code. */
#include <string.h>

#include "promela/language/parser.h"

static int add_fragment(struct parser *parser, struct c_fragment fragment)
{
    struct model *model = parser->model;
    model->uses_c = true;
    model->c_fragments = source_grow(parser->source, model->c_fragments,
                                     model->c_fragment_count, sizeof *model->c_fragments);
    model->c_fragments[model->c_fragment_count] = fragment;
    return model->c_fragment_count++;
}

static void add_memory(struct parser *parser, struct c_memory memory)
{
    struct model *model = parser->model;
    model->uses_c = true;
    model->c_memories = source_grow(parser->source, model->c_memories, model->c_memory_count,
                                    sizeof *model->c_memories);
    model->c_memories[model->c_memory_count++] = memory;
}

int parse_c_fragment(struct parser *parser, enum c_kind kind, struct token word)
{
    struct c_fragment fragment = {
        .kind = kind, .place = word.place, .proctype = parser->proctype};
    if (kind == C_STATEMENT && parser_peek(parser)->kind == TOKEN_C_GUARD)
        fragment.guard = parser_take(parser).text;
    fragment.text = parser_expect(parser, TOKEN_C_TEXT,
                                  kind == C_EXPRESSION ? "after c_expr" : "after c_code")
                        .text;
    if (parser->proctype)
        parser->proctype->uses_c = true;
    return add_fragment(parser, fragment);
}

/* "Global", "Hidden" or "Local name" */
static void parse_scope(struct parser *parser, struct c_memory *memory, struct token scope)
{
    if (strcmp(scope.text, "Global") == 0) {
        memory->scope = C_GLOBAL;
    } else if (strcmp(scope.text, "Hidden") == 0) {
        memory->scope = C_HIDDEN;
    } else if (strncmp(scope.text, "Local ", 6) == 0) {
        const char *name = scope.text + 6 + strspn(scope.text + 6, " ");
        struct symbol *symbol = parser_lookup(parser, name);
        if (!symbol || symbol->kind != SYMBOL_PROCTYPE)
            source_fail(parser->source, scope.place, "'%s' is not a proctype", name);
        memory->scope = C_LOCAL;
        memory->proctype = symbol->proctype;
        memory->proctype->uses_c = true;
    } else {
        source_fail(parser->source, scope.place,
                    "expected \"Global\", \"Hidden\" or \"Local proctype\", found \"%s\"",
                    scope.text);
    }
}

static void parse_track_scope(struct parser *parser, struct c_memory *memory)
{
    memory->scope = C_MATCHED;
    if (parser_peek(parser)->kind != TOKEN_STRING)
        return;
    struct token scope = parser_take(parser);
    if (strcmp(scope.text, "UnMatched") == 0 || strcmp(scope.text, "StackOnly") == 0)
        memory->scope = C_UNMATCHED;
    else if (strcmp(scope.text, "Matched") != 0)
        source_fail(parser->source, scope.place,
                    "expected \"Matched\", \"UnMatched\" or \"StackOnly\", found \"%s\"",
                    scope.text);
}

void parse_c_unit(struct parser *parser, struct token token)
{
    struct c_memory memory = {.place = token.place};
    switch (token.kind) {
    case TOKEN_C_DECL: {
        struct token text = parser_expect(parser, TOKEN_C_TEXT, "after c_decl");
        add_fragment(parser, (struct c_fragment){.kind = C_DECLARATION,
                                                 .text = text.text,
                                                 .place = token.place});
        return;
    }
    case TOKEN_C_STATE:
        memory.text = parser_expect(parser, TOKEN_STRING, "with a C declaration").text;
        parse_scope(parser, &memory,
                    parser_expect(parser, TOKEN_STRING, "with the scope of the C variable"));
        if (parser_peek(parser)->kind == TOKEN_STRING)
            memory.initial = parser_take(parser).text;
        add_memory(parser, memory);
        return;
    case TOKEN_C_TRACK:
        memory.text = parser_expect(parser, TOKEN_STRING, "with a C pointer").text;
        memory.size_text = parser_expect(parser, TOKEN_STRING, "with a number of bytes").text;
        parse_track_scope(parser, &memory);
        add_memory(parser, memory);
        return;
    }
    parse_c_fragment(parser, C_FUNCTIONS, token);
}
