/* See resolve.h. Functions come from debug information if there is any, otherwise from symbol
 * tables, so that users can name functions of packaged libraries, too. System modules are
 * looked up by symbol only: nobody wants to name a source file of libc. */
#include "debuginfo/resolve.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

#define NESTING_MAX 64 /* a damaged file may nest endlessly */

struct lookup {
    struct symboliser *symboliser;
    const char *name;
    resolve_found *found;
    void *context;
    size_t count;
};

static void add_range(struct lookup *lookup, enum board_place_kind kind, uint64_t start,
                      uint64_t end)
{
    if (start >= end)
        return;
    lookup->found(lookup->context, kind, start, end);
    lookup->count++;
}

/* "Queue::push" is found as push and Queue::push; inside a namespace, any longer suffix
 * works. */
static bool is_called(const char *whole, const char *name)
{
    size_t length = strlen(whole), end = strlen(name);
    if (end > length || strcmp(whole + length - end, name) != 0)
        return false;
    return length == end || whole[length - end - 1] == ':';
}

/* --- Functions --- */

static void add_ranges_of(struct lookup *lookup, Dwarf_Die *die, Dwarf_Addr bias)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t offset = 0;
    while ((offset = dwarf_ranges(die, offset, &base, &start, &end)) > 0)
        add_range(lookup, PLACE_FUNCTION, start + bias, end + bias);
}

static void functions_below(struct lookup *lookup, Dwarf_Die *parent, Dwarf_Addr bias,
                            int nesting)
{
    Dwarf_Die die;
    if (nesting > NESTING_MAX || dwarf_child(parent, &die) != 0)
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine: {
            const char *name = symbolise_function(lookup->symboliser, &die);
            if (name && is_called(name, lookup->name))
                add_ranges_of(lookup, &die, bias);
        }
            /* fall through */
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
            functions_below(lookup, &die, bias, nesting + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* A symbol of the table; a C++ name includes its parameters. */
static bool symbol_is_called(const char *symbol, const char *name)
{
    if (strcmp(symbol, name) == 0)
        return true;
    char *readable = symbolise_demangle(symbol);
    if (readable)
        readable[strcspn(readable, "(<")] = 0;
    bool same = readable && is_called(readable, name);
    free(readable);
    return same;
}

static void symbols_of(struct lookup *lookup, Dwfl_Module *module, int type,
                       enum board_place_kind kind)
{
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name =
            dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        if (name && GELF_ST_TYPE(symbol.st_info) == type && symbol.st_shndx != SHN_UNDEF &&
            symbol_is_called(name, lookup->name))
            add_range(lookup, kind, address, address + symbol.st_size);
    }
}

/* --- Files --- */

static bool is_file(const char *path, const char *name)
{
    size_t length = strlen(path), end = strlen(name);
    if (end > length || strcmp(path + length - end, name) != 0)
        return false;
    return length == end || path[length - end - 1] == '/';
}

/* The rows of the line table that come from the file, each up to the next row. */
static void file_lines(struct lookup *lookup, Dwarf_Die *unit, Dwarf_Addr bias)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count) != 0)
        return;
    uint64_t from = 0;
    bool inside = false;
    for (size_t i = 0; i < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        Dwarf_Addr address = 0;
        bool ends = false;
        dwarf_lineaddr(line, &address);
        dwarf_lineendsequence(line, &ends);
        const char *path = dwarf_linesrc(line, NULL, NULL);
        bool here = !ends && path && is_file(path, lookup->name);
        if (inside && !here)
            add_range(lookup, PLACE_FILE, from + bias, address + bias);
        if (here && !inside)
            from = address;
        inside = here;
    }
}

/* --- Modules --- */

static bool is_users(const char *path)
{
    return strncmp(path, "/usr/", 5) != 0 && strncmp(path, "/lib", 4) != 0;
}

typedef void unit_visitor(struct lookup *lookup, Dwarf_Die *unit, Dwarf_Addr bias);

static void whole_unit(struct lookup *lookup, Dwarf_Die *unit, Dwarf_Addr bias)
{
    functions_below(lookup, unit, bias, 0);
}

static void visit_units(struct lookup *lookup, Dwfl_Module *module, unit_visitor *visit)
{
    Dwarf_Addr bias = 0;
    Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        visit(lookup, &die, bias);
}

/* Every module of the program except Mazur's own. */
static Dwfl_Module *next_module(struct symboliser *symboliser, uint32_t *at, const char **path)
{
    const struct board *board = symboliser->board;
    while (*at < board->nmodules) {
        const struct board_module *module = &board->module[(*at)++];
        const char *slash = strrchr(module->path, '/');
        if (slash && strcmp(slash, "/libmazur.so") == 0)
            continue;
        Dwfl_Module *found = dwfl_addrmodule(symboliser->dwfl, module->start);
        if (found) {
            *path = module->path;
            return found;
        }
    }
    return NULL;
}

static void find_functions(struct lookup *lookup)
{
    Dwfl_Module *module;
    const char *path;
    for (uint32_t at = 0; (module = next_module(lookup->symboliser, &at, &path));) {
        size_t before = lookup->count;
        if (is_users(path))
            visit_units(lookup, module, whole_unit);
        if (lookup->count == before)
            symbols_of(lookup, module, STT_FUNC, PLACE_FUNCTION);
    }
}

static void find_variables(struct lookup *lookup)
{
    Dwfl_Module *module;
    const char *path;
    uint64_t start, end;
    for (uint32_t at = 0; (module = next_module(lookup->symboliser, &at, &path));) {
        if (is_users(path) &&
            variable_find(lookup->symboliser, module, lookup->name, &start, &end))
            add_range(lookup, PLACE_VARIABLE, start, end);
        else
            symbols_of(lookup, module, STT_OBJECT, PLACE_VARIABLE);
    }
}

static void find_files(struct lookup *lookup)
{
    Dwfl_Module *module;
    const char *path;
    for (uint32_t at = 0; (module = next_module(lookup->symboliser, &at, &path));)
        if (is_users(path))
            visit_units(lookup, module, file_lines);
}

size_t resolve_function(struct symboliser *symboliser, const char *name, resolve_found *found,
                        void *context)
{
    struct lookup lookup = {symboliser, name, found, context, 0};
    find_functions(&lookup);
    return lookup.count;
}

size_t resolve_file(struct symboliser *symboliser, const char *name, resolve_found *found,
                    void *context)
{
    struct lookup lookup = {symboliser, name, found, context, 0};
    find_files(&lookup);
    return lookup.count;
}

size_t resolve_name(struct symboliser *symboliser, const char *name, resolve_found *found,
                    void *context)
{
    struct lookup lookup = {symboliser, name, found, context, 0};
    find_functions(&lookup);
    if (lookup.count == 0)
        find_variables(&lookup);
    if (lookup.count == 0)
        find_files(&lookup);
    return lookup.count;
}
