/* See exempt.h. There is no parser: if a statement contains one of the words below, it is
 * searched for the name of the function. The words are the attributes themselves, macros of the
 * same files that contain one, and any name with "tsan" or "sanitize" in it, whose macro may be
 * in a file that the debug information does not name.
 *
 * Invariant: a function is exempt only if a statement that names it has such a word. */
#define _GNU_SOURCE
#include "debuginfo/exempt.h"

#include <ctype.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "debuginfo/symbolise_private.h"
#include "host/buffer.h"

#define SOURCE_MAX (8u << 20) /* bytes; nobody writes a larger source by hand */

struct exempt_source {
    char *path;
    char *text;  /* NULL: the file can't be read */
    bool wholly; /* a pragma exempts all of it */
};

struct exemptions {
    struct symboliser *symboliser;
    struct exempt_source *source;
    size_t count;
    size_t capacity;
    struct text_list words; /* macros that stand for the attribute */
    size_t searched;        /* sources that have been searched for them */
};

struct exemptions *exemptions_new(struct symboliser *symboliser)
{
    struct exemptions *exemptions = allocate(sizeof *exemptions);
    exemptions->symboliser = symboliser;
    return exemptions;
}

void exemptions_free(struct exemptions *exemptions)
{
    for (size_t i = 0; i < exemptions->count; i++) {
        free(exemptions->source[i].path);
        free(exemptions->source[i].text);
    }
    free(exemptions->source);
    list_release(&exemptions->words);
    free(exemptions);
}

/* --- Files --- */

/* Replace comments by blanks. Strings are not treated specially: they contain no declarations.
 */
static void blank_comments(char *text)
{
    for (char *at = text; *at;) {
        char *end = at + 1;
        if (at[0] == '/' && at[1] == '/')
            end = strchrnul(at, '\n');
        else if (at[0] == '/' && at[1] == '*' && (end = strstr(at + 2, "*/")))
            end += 2;
        else if (at[0] != '/' || at[1] != '*') {
            at++;
            continue;
        }
        for (end = end ? end : at + strlen(at); at < end; at++)
            *at = *at == '\n' ? '\n' : ' ';
    }
}

static char *read_source(const char *path)
{
    struct stat status;
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
                         (uint64_t)status.st_size <= SOURCE_MAX
                     ? fopen(path, "re")
                     : NULL;
    if (!file)
        return NULL;
    char *text = allocate((size_t)status.st_size + 1);
    size_t got = fread(text, 1, (size_t)status.st_size, file);
    for (size_t i = 0; i < got; i++)
        text[i] = text[i] ? text[i] : ' ';
    fclose(file);
    blank_comments(text);
    return text;
}

/* Returns its number. */
static size_t add_source(struct exemptions *all, char *path)
{
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->source[i].path, path) == 0) {
            free(path);
            return i;
        }
    all->source = grow_array(all->source, &all->capacity, all->count, sizeof *all->source);
    all->source[all->count] = (struct exempt_source){path, read_source(path), false};
    return all->count++;
}

/* --- Words --- */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The next place where `name` occurs as a whole word, or NULL. */
static const char *find_name(const char *text, const char *end, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; length && (at = memmem(at, (size_t)(end - at), name, length));
         at += length)
        if ((at == text || !is_name(at[-1])) && !is_name(at[length]))
            return at;
    return NULL;
}

/* "no_sanitize_thread", or "no_sanitize" with the sanitizer in brackets. */
static bool is_attribute(const char *at)
{
    at += strlen("no_sanitize");
    if (strncmp(at, "_thread", 7) == 0)
        return true;
    at += strspn(at, "_ \t");
    if (*at != '(')
        return false;
    const char *end = strchr(at, ')'), *thread = strstr(at, "thread"), *any = strstr(at, "all");
    return end && ((thread && thread < end) || (any && any < end));
}

static bool has_attribute(const char *text, const char *end)
{
    static const char word[] = "no_sanitize", other[] = "disable_sanitizer_instrumentation";
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), word, sizeof word - 1));
         at++)
        if (is_attribute(at))
            return true;
    return memmem(text, (size_t)(end - text), other, sizeof other - 1);
}

/* NO_TSAN, ATTRIBUTE_NO_SANITIZE_THREAD and similar. */
static bool has_telling_name(const char *text, const char *end)
{
    for (const char *at = text; at < end; at++) {
        if (strncasecmp(at, "sanitize_thread", 15) == 0)
            return true;
        if (strncasecmp(at, "tsan", 4) == 0 && !isalpha((unsigned char)at[4]) &&
            (at == text || !isalpha((unsigned char)at[-1])))
            return true;
    }
    return false;
}

static bool has_word(const struct exemptions *all, const char *text, const char *end)
{
    if (has_attribute(text, end) || has_telling_name(text, end))
        return true;
    for (size_t i = 0; i < all->words.count; i++)
        if (find_name(text, end, all->words.item[i]))
            return true;
    return false;
}

/* --- Lines of the preprocessor --- */

/* The end of the line, which may be continued. */
static const char *line_end(const char *at)
{
    const char *end = strchrnul(at, '\n');
    while (*end && end > at && end[-1] == '\\')
        end = strchrnul(end + 1, '\n');
    return end;
}

static bool is_directive(const char *at, const char *name)
{
    if (*at++ != '#')
        return false;
    at += strspn(at, " \t");
    return strncmp(at, name, strlen(name)) == 0;
}

static bool note_macro(struct exemptions *all, const char *at, const char *end)
{
    at = strstr(at, "define") + strlen("define");
    at += strspn(at, " \t");
    const char *name = at;
    while (is_name(*at))
        at++;
    if (at == name || at > end || !has_word(all, at, end))
        return false;
    char *word = copy_bytes(name, (size_t)(at - name));
    bool news = !list_has(&all->words, word);
    if (news)
        list_add(&all->words, word);
    free(word);
    return news;
}

/* #include "…" of a file in the same folder; the debug information names the others. */
static void note_include(struct exemptions *all, const char *from, const char *at,
                         const char *end)
{
    const char *start = memchr(at, '"', (size_t)(end - at));
    const char *stop = start ? memchr(start + 1, '"', (size_t)(end - start - 1)) : NULL;
    const char *slash = strrchr(from, '/');
    if (stop && slash)
        add_source(all, format_text("%.*s%.*s", (int)(slash + 1 - from), from,
                                    (int)(stop - start - 1), start + 1));
}

/* True: there is a new word, which other macros may use. */
static bool search_directives(struct exemptions *all, size_t number)
{
    bool news = false;
    const char *text = all->source[number].text;
    char *path = copy_text(all->source[number].path);
    for (const char *at = text; at && *at;) {
        at += strspn(at, " \t");
        const char *end = line_end(at);
        if (is_directive(at, "define"))
            news |= note_macro(all, at, end);
        else if (is_directive(at, "include"))
            note_include(all, path, at, end);
        else if (is_directive(at, "pragma") && has_attribute(at, end))
            all->source[number].wholly = true;
        at = *end ? end + 1 : end;
    }
    free(path);
    return news;
}

static void search_words(struct exemptions *all)
{
    if (all->searched == all->count)
        return;
    for (bool news = true; news;) {
        news = false;
        for (size_t i = 0; i < all->count; i++)
            news |= search_directives(all, i);
    }
    all->searched = all->count;
}

/* --- Statements --- */

/* From the end of the previous statement to its own end, or to the body of the function. */
static bool statement_exempts(const struct exemptions *all, const char *text, const char *at)
{
    const char *start = at;
    while (start > text && !strchr(";{}", start[-1]))
        start--;
    return has_word(all, start, at + strcspn(at, ";{}"));
}

static bool source_exempts(const struct exemptions *all, const struct exempt_source *source,
                           const char *name)
{
    if (!source->text)
        return false;
    const char *end = source->text + strlen(source->text);
    for (const char *at = source->text; (at = find_name(at, end, name)); at++)
        if (statement_exempts(all, source->text, at))
            return true;
    return false;
}

/* A function without a name (lambda, operator): any statement of that kind. */
static bool nameless_exempts(const struct exemptions *all, const struct exempt_source *source)
{
    const char *end = source->text ? source->text + strlen(source->text) : NULL;
    return source->text &&
           (find_name(source->text, end, "operator") || strchr(source->text, '[')) &&
           has_word(all, source->text, end);
}

/* "push" of "queue::push(int)" and "push.constprop.0"; "" if there is none. */
static char *plain_name(const char *symbol)
{
    char *readable = symbolise_demangle(symbol);
    const char *from = readable ? readable : symbol;
    size_t length = strcspn(from, "(.");
    const char *bracket = memchr(from, '<', length);
    if (bracket && bracket > from && is_name(bracket[-1]))
        length = (size_t)(bracket - from);
    size_t start = length;
    while (start > 0 && is_name(from[start - 1]))
        start--;
    char *name = copy_bytes(from + start, length - start);
    if (strstr(from, "operator") || strstr(from, "{lambda"))
        name[0] = 0;
    free(readable);
    return name;
}

/* --- Units --- */

static char *absolute_path(Dwarf_Die *unit, const char *file)
{
    Dwarf_Attribute attribute;
    const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    return file[0] == '/' || !directory ? copy_text(file)
                                        : format_text("%s/%s", directory, file);
}

/* False if its main file, which usually has the function, can't be read. */
static bool add_sources(struct exemptions *all, Dwarf_Die *unit)
{
    Dwarf_Files *files = NULL;
    size_t count = 0;
    const char *name = dwarf_diename(unit);
    size_t main_file = name ? add_source(all, absolute_path(unit, name)) : SIZE_MAX;
    bool there = name && all->source[main_file].text;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0)
        return there;
    for (size_t i = 0; i < count; i++) {
        const char *file = dwarf_filesrc(files, i, NULL, NULL);
        if (file && file[0])
            add_source(all, absolute_path(unit, file));
    }
    return there;
}

static bool has_ignore_list(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
    return producer && (strstr(producer, "-fsanitize-ignorelist") ||
                        strstr(producer, "-fsanitize-blacklist"));
}

enum exemption exemption_of(struct exemptions *exemptions, uint64_t address, const char *symbol)
{
    Dwarf_Addr bias = 0;
    Dwfl *dwfl = exemptions->symboliser->dwfl;
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, address) : NULL;
    Dwarf_Die *unit = module ? unit_of_code(module, address, &bias) : NULL;
    bool exempt = false;
    if (!unit || !add_sources(exemptions, unit))
        return EXEMPT_UNKNOWN;
    if (has_ignore_list(unit))
        return EXEMPT_YES;
    search_words(exemptions);
    char *name = plain_name(symbol);
    for (size_t i = 0; i < exemptions->count && !exempt; i++) {
        const struct exempt_source *source = &exemptions->source[i];
        exempt = source->wholly || (name[0] ? source_exempts(exemptions, source, name)
                                            : nameless_exempts(exemptions, source));
    }
    free(name);
    return exempt ? EXEMPT_YES : EXEMPT_NO;
}
