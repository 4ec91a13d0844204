/* See cxx_names.h. Debug information spells out every template argument, people don't:
 *
 *     std::vector<std::unique_ptr<Job, std::default_delete<Job> >, …>::push_back
 *
 *     std::vector<std::unique_ptr<Job>>::push_back
 *
 * A name is untrusted: nesting is bounded, and what can't be parsed is copied as it is. */
#include "debuginfo/cxx_names.h"

#include <string.h>

#define NESTING_MAX   32
#define ARGUMENT_LONG 16 /* bytes of template arguments that are still shown in a report */

struct name_parser {
    const char *at;
    int nesting;
    bool elide;
};

static bool ends_with(const struct buffer *text, const char *end)
{
    size_t length = strlen(end);
    return text->length >= length && strcmp(text->data + text->length - length, end) == 0;
}

static void cut_end(struct buffer *text, size_t length)
{
    text->length -= length;
    text->data[text->length] = 0;
}

/* Is it an argument that people leave out, if it is not the first one? */
static bool is_default(const char *argument)
{
    static const char *const defaults[] = {
        "std::allocator<", "std::default_delete<", "std::char_traits<",         "std::less<",
        "std::hash<",      "std::equal_to<",       "(__gnu_cxx::_Lock_policy)",
    };
    for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
        if (begins_with(argument, defaults[i]))
            return true;
    return false;
}

static void parse_name(struct name_parser *parser, struct buffer *out, bool argument);

/* Parses the arguments after `<`, up to and including the matching `>`. */
static void parse_arguments(struct name_parser *parser, struct buffer *out)
{
    struct buffer all = {0};
    bool whole = false;
    for (size_t i = 0; *parser->at && !whole; i++) {
        struct buffer one = {0};
        while (*parser->at == ' ')
            parser->at++;
        parse_name(parser, &one, true);
        if (one.data && !(i > 0 && is_default(one.data)))
            buffer_printf(&all, "%s%s", all.length ? ", " : "", one.data);
        buffer_release(&one);
        whole = *parser->at == '>';
        if (*parser->at)
            parser->at++;
    }
    bool text = all.data && strcmp(all.data, "char") == 0;
    if (text && (ends_with(out, "basic_string") || ends_with(out, "basic_string_view"))) {
        bool view = ends_with(out, "_view");
        cut_end(out, strlen(view ? "basic_string_view" : "basic_string"));
        buffer_text(out, view ? "string_view" : "string");
    } else {
        bool hidden = parser->elide && all.length > ARGUMENT_LONG;
        buffer_printf(out, "<%s%s", hidden ? "…" : all.data ? all.data : "", whole ? ">" : "");
    }
    buffer_release(&all);
}

/* "(…)" with everything in it. */
static void copy_parentheses(struct name_parser *parser, struct buffer *out)
{
    int open = 0;
    do {
        open += *parser->at == '(';
        open -= *parser->at == ')';
        buffer_add(out, parser->at++, 1);
    } while (*parser->at && open > 0);
}

/* "<lambda(…)>": its closing bracket does not end a list of arguments. */
static void copy_lambda(struct name_parser *parser, struct buffer *out)
{
    while (*parser->at && !strchr("(>", *parser->at))
        buffer_add(out, parser->at++, 1);
    if (*parser->at == '(')
        copy_parentheses(parser, out);
    if (*parser->at == '>')
        buffer_add(out, parser->at++, 1);
}

/* Parses a name up to its end; if it is an argument, up to the next comma or bracket. */
static void parse_name(struct name_parser *parser, struct buffer *out, bool argument)
{
    bool readable = ++parser->nesting < NESTING_MAX;
    while (*parser->at) {
        char at = *parser->at;
        if (argument && (at == ',' || at == '>'))
            break;
        if (ends_with(out, "operator") && strchr("<>-", at)) {
            while (*parser->at && strchr("<>-=", *parser->at))
                buffer_add(out, parser->at++, 1);
        } else if (at == '(') {
            copy_parentheses(parser, out);
        } else if (begins_with(parser->at, "<lambda")) {
            copy_lambda(parser, out);
        } else if (at == '<' && readable) {
            parser->at++;
            parse_arguments(parser, out);
        } else if (begins_with(parser->at, "__cxx11::") && ends_with(out, "std::")) {
            parser->at += strlen("__cxx11::");
        } else if (begins_with(parser->at, "_V2::") && ends_with(out, "std::")) {
            parser->at += strlen("_V2::");
        } else {
            buffer_add(out, parser->at++, 1);
        }
    }
    while (argument && ends_with(out, " "))
        cut_end(out, 1);
    parser->nesting--;
}

void add_short_name(struct buffer *out, const char *name)
{
    struct buffer text = {0}; /* the parser looks back at what it has written */
    struct name_parser parser = {.at = name};
    parse_name(&parser, &text, false);
    buffer_text(out, text.data ? text.data : "");
    buffer_release(&text);
}

void add_elided_name(struct buffer *out, const char *name)
{
    struct buffer text = {0};
    struct name_parser parser = {.at = name, .elide = true};
    parse_name(&parser, &text, false);
    buffer_text(out, text.data ? text.data : "");
    buffer_release(&text);
}
