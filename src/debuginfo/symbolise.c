/* Code addresses. Variables are in variables.c. See symbolise.h. */
#include "debuginfo/symbolise.h"

#include <dlfcn.h>
#include <dwarf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "debuginfo/cxx_names.h"
#include "debuginfo/symbolise_private.h"

#define POOL_SIZE   ((size_t)1 << 30) /* reserved, not all used */
#define PLACES_MAX  64
#define NESTING_MAX 64 /* of scopes; a damaged file may nest endlessly */

#define LOOKUPS_MANY 8 /* look-ups after which the whole module is read */

/* Separate debug files are looked up on disk in the usual places, never by network. */
static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

struct symboliser *symboliser_new(const struct board *board, struct arena *arena)
{
    struct symboliser *symboliser = allocate(sizeof *symboliser);
    unsetenv("DEBUGINFOD_URLS");
    symboliser->board = board;
    symboliser->arena = arena;
    symboliser->pool = pool_create_private(POOL_SIZE);
    symboliser->dwfl = dwfl_begin(&callbacks);
    if (!symboliser->pool ||
        !symboliser->dwfl) /* names are not optional: --visible needs them */
        out_of_memory();
    table_init(&symboliser->code, symboliser->pool, sizeof(struct source_stack));
    table_init(&symboliser->data, symboliser->pool, sizeof(const char *));
    table_init(&symboliser->pointee, symboliser->pool, sizeof(const char *));
    table_init(&symboliser->globals, symboliser->pool, sizeof(unsigned char));
    table_init(&symboliser->nameless, symboliser->pool, sizeof(unsigned));
    dwfl_report_begin(symboliser->dwfl);
    for (uint32_t i = 0; i < board->nmodules; i++) {
        const struct board_module *module = &board->module[i];
        if (module->path[0] == '/' && access(module->path, R_OK) == 0)
            dwfl_report_elf(symboliser->dwfl, module->path, module->path, -1, module->bias,
                            true);
    }
    dwfl_report_end(symboliser->dwfl, NULL, NULL);
    return symboliser;
}

void symboliser_free(struct symboliser *symboliser)
{
    if (!symboliser)
        return;
    variables_free(symboliser);
    heap_names_free(symboliser);
    dwfl_end(symboliser->dwfl);
    pool_destroy_private(symboliser->pool);
    free(symboliser);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Is this module or file not the user's own? Decides which frame is reported as the place of a
 * failure. */
static bool is_library_path(const char *path)
{
    return strncmp(path, "/usr/", 5) == 0 || strncmp(path, "/lib", 4) == 0 ||
           strncmp(path, "./nptl", 6) == 0 || strcmp(base_name(path), "libmazur.so") == 0 ||
           strcmp(base_name(path), "mazur.h") == 0;
}

static const struct board_module *module_at(const struct symboliser *symboliser,
                                            uint64_t address)
{
    const struct board *board = symboliser->board;
    for (uint32_t i = 0; i < board->nmodules; i++)
        if (address >= board->module[i].start && address < board->module[i].end)
            return &board->module[i];
    return NULL;
}

/* Paths inside the current directory are shown relative to it. */
static const char *shown_path(struct arena *arena, const char *path)
{
    char here[BOARD_PATH];
    if (!getcwd(here, sizeof here))
        return arena_text(arena, path);
    size_t length = strlen(here);
    if (strncmp(path, here, length) == 0 && path[length] == '/')
        path += length + 1;
    while (strncmp(path, "./", 2) == 0)
        path += 2;
    return arena_text(arena, path);
}

/* A file of the line table: compilation directory and name put together. */
static const char *source_path(struct arena *arena, Dwarf_Die *unit, const char *file)
{
    if (!file)
        return NULL;
    Dwarf_Attribute attribute;
    const char *directory = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    if (file[0] == '/' || !directory)
        return shown_path(arena, file);
    char *whole = format_text("%s/%s", directory, file);
    const char *shown = shown_path(arena, whole);
    free(whole);
    return shown;
}

/* What a definition outside the class and an inlined copy refer to. */
static Dwarf_Die declaration_of(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Die declaration = *function, next;
    for (int i = 0; i < 4; i++) {
        if (!dwarf_attr(&declaration, DW_AT_abstract_origin, &attribute) &&
            !dwarf_attr(&declaration, DW_AT_specification, &attribute))
            break;
        if (!dwarf_formref_die(&attribute, &next))
            break;
        declaration = next;
    }
    return declaration;
}

bool function_class(struct symboliser *symboliser, Dwarf_Die *function, Dwarf_Die *class)
{
    Dwarf_Die scopes[2];
    size_t count = scopes_of(symboliser, declaration_of(function), scopes, 2);
    int tag = count > 1 ? dwarf_tag(&scopes[1]) : 0;
    bool found = tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
    if (found)
        *class = scopes[1];
    return found;
}

/* The function's name with its classes and namespaces: "Queue::push". The scopes are those of
 * its declaration. */
static const char *function_name(struct symboliser *symboliser, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    const char *name = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_name, &attribute));
    if (!name)
        return NULL;
    struct buffer whole = {0}, shown = {0};
    Dwarf_Die scopes[NESTING_MAX];
    size_t count = scopes_of(symboliser, declaration_of(function), scopes, NESTING_MAX);
    bool lambda = false;
    for (size_t i = count; i-- > 1;) {
        int tag = dwarf_tag(&scopes[i]);
        const char *scope = dwarf_diename(&scopes[i]);
        bool class = tag == DW_TAG_class_type || tag == DW_TAG_structure_type;
        if (class)
            lambda = !scope || begins_with(scope, "<lambda");
        if ((class || tag == DW_TAG_namespace) && scope)
            buffer_printf(&whole, "%s::", scope);
    }
    /* the call operator of a class without a name is a lambda's, and so is its constructor */
    lambda = lambda && (strcmp(name, "operator()") == 0 || begins_with(name, "operator()<"));
    if (lambda || begins_with(name, "<lambda")) {
        whole.length = 0;
        name = "lambda";
    }
    buffer_text(&whole, !whole.length && strcmp(name, "operator()") == 0 ? "lambda" : name);
    add_short_name(&shown, whole.data);
    const char *kept = arena_bytes(symboliser->arena, shown.data, shown.length);
    buffer_release(&whole);
    buffer_release(&shown);
    return kept;
}

const char *symbolise_function(struct symboliser *symboliser, Dwarf_Die *function)
{
    return function_name(symboliser, function);
}

/* The same chain for a function that libdw does not find by its code. */
static int scopes_below(Dwarf_Die *function, Dwarf_Addr pc, Dwarf_Die **scopes)
{
    Dwarf_Die chain[NESTING_MAX], child;
    int count = 0;
    for (Dwarf_Die at = *function; count < NESTING_MAX; at = child) {
        chain[count++] = at;
        bool inside = false;
        for (int more = dwarf_child(&at, &child); more == 0 && !inside;
             more = inside ? 0 : dwarf_siblingof(&child, &child)) {
            int tag = dwarf_tag(&child);
            inside = (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine) &&
                     dwarf_haspc(&child, pc) > 0;
        }
        if (!inside)
            break;
    }
    *scopes = allocate((size_t)count * sizeof **scopes);
    for (int i = 0; i < count; i++)
        (*scopes)[i] = chain[count - 1 - i];
    return count;
}

/* The chain of scopes, innermost first, from the code at `pc` to its function. Above an inlined
 * function dwarf_getscopes continues where it was written; we want the place where it was
 * inlined. */
static int scopes_at(struct symboliser *symboliser, Dwfl_Module *module, Dwarf_Die *unit,
                     Dwarf_Addr pc, Dwarf_Die **scopes)
{
    Dwarf_Die *innermost = NULL, function;
    if (find_function_code(symboliser, module, pc, &function))
        return scopes_below(&function, pc, scopes);
    int count = dwarf_getscopes(unit, pc, &innermost);
    if (count > 0)
        count = dwarf_getscopes_die(&innermost[0], scopes);
    free(innermost);
    return count;
}

size_t functions_at(struct symboliser *symboliser, uint64_t address, Dwarf_Die *functions,
                    size_t capacity)
{
    Dwfl_Module *module = dwfl_addrmodule(symboliser->dwfl, address);
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = module ? unit_of_code(module, address, &bias) : NULL, *scopes = NULL;
    if (unit && ++symboliser->lookups > LOOKUPS_MANY) /* from now on that is faster */
        read_module_of(symboliser, address);
    int count = unit ? scopes_at(symboliser, module, unit, address - bias, &scopes) : 0;
    size_t used = 0;
    for (int i = 0; i < count && used < capacity; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            functions[used++] = scopes[i];
        if (tag == DW_TAG_subprogram)
            break;
    }
    free(scopes);
    return used;
}

static int declared_line(struct symboliser *symboliser, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Die declaration = declaration_of(function);
    Dwarf_Word line = 0;
    Dwarf_Die class;
    if (dwarf_formudata(dwarf_attr(&declaration, DW_AT_decl_line, &attribute), &line) != 0 &&
        function_class(symboliser, function, &class)) /* for a lambda gcc has only this */
        dwarf_formudata(dwarf_attr(&class, DW_AT_decl_line, &attribute), &line);
    return line <= INT_MAX ? (int)line : 0;
}

/* The innermost scope that is a function, then the callers into which it was inlined. */
static size_t inlined_places(struct symboliser *symboliser, Dwarf_Die *unit, uint64_t address,
                             struct source_place first, struct source_place *places)
{
    Dwarf_Die functions[PLACES_MAX];
    struct arena *arena = symboliser->arena;
    size_t count = functions_at(symboliser, address, functions, PLACES_MAX);
    Dwarf_Files *files = NULL;
    size_t nfiles = 0;
    dwarf_getsrcfiles(unit, &files, &nfiles);
    struct source_place place = first;
    for (size_t i = 0; i < count; i++) {
        const char *name = function_name(symboliser, &functions[i]);
        place.function = name ? name : first.function;
        place.declared = declared_line(symboliser, &functions[i]);
        places[i] = place;
        Dwarf_Attribute attribute;
        Dwarf_Word file = 0, line = 0;
        dwarf_formudata(dwarf_attr(&functions[i], DW_AT_call_file, &attribute), &file);
        dwarf_formudata(dwarf_attr(&functions[i], DW_AT_call_line, &attribute), &line);
        const char *path =
            files && file < nfiles ? dwarf_filesrc(files, file, NULL, NULL) : NULL;
        place =
            (struct source_place){.file = source_path(arena, unit, path), .line = (int)line};
        place.library = place.file && is_library_path(place.file);
    }
    return count;
}

/* Use the demangler of the C++ library, if it is installed: only C++ programs need it, and they
 * depend on the library. Without it names stay mangled. */
static char *demangle_name(const char *name)
{
    typedef char *demangler(const char *, char *, size_t *, int *);
    static demangler *function;
    static bool tried;
    if (!tried) {
        void *library = dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);
        tried = true;
        function = library ? (demangler *)(uintptr_t)dlsym(library, "__cxa_demangle") : NULL;
    }
    int status = -1;
    return function ? function(name, NULL, NULL, &status) : NULL;
}

char *symbolise_demangle(const char *name)
{
    return strncmp(name, "_Z", 2) == 0 ? demangle_name(name) : NULL;
}

/* Without the parameters, which begin at the last parenthesis outside template arguments. */
static size_t name_length(const char *name)
{
    size_t length = strlen(name);
    int open = 0;
    for (size_t i = length; i-- > 0;) {
        open += name[i] == ')' || name[i] == '>';
        open -= name[i] == '(' || name[i] == '<';
        if (name[i] == '(' && open == 0)
            return i;
    }
    return length;
}

/* Offsets in a library help its developers, but not the readers of a report, so they are left
 * out. */
static const char *symbol_name(struct arena *arena, Dwfl_Module *module, uint64_t address,
                               bool library)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name =
        dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    if (!name)
        return NULL;
    char *readable = symbolise_demangle(name);
    struct buffer text = {0};
    if (readable) {
        add_short_name(&text, readable);
        if (library)
            text.length = name_length(text.data);
    } else {
        buffer_text(&text, name);
        if (library) /* without the version */
            text.length = strcspn(text.data, "@");
    }
    const char *kept =
        arena_format(arena, "%.*s", (int)text.length, text.data ? text.data : "");
    if (offset && !library)
        kept = arena_format(arena, "%s+0x%llx", kept, (unsigned long long)offset);
    buffer_release(&text);
    free(readable);
    return kept;
}

const char *symbolise_type(struct symboliser *symboliser, const char *name)
{
    char *readable = demangle_name(name);
    const char *kept = arena_text(symboliser->arena, readable ? readable : name);
    free(readable);
    return kept;
}

static struct source_place plain_place(struct symboliser *symboliser, Dwfl_Module *module,
                                       uint64_t address)
{
    struct arena *arena = symboliser->arena;
    struct source_place place = {0};
    const struct board_module *mapped = module_at(symboliser, address);
    place.library = !mapped || is_library_path(mapped->path);
    place.function = module ? symbol_name(arena, module, address, place.library) : NULL;
    if (!place.function && mapped && place.library)
        place.function = arena_text(arena, base_name(mapped->path));
    else if (!place.function && mapped)
        place.function = arena_format(arena, "%s+0x%llx", base_name(mapped->path),
                                      (unsigned long long)(address - mapped->bias));
    if (!place.function)
        place.function = arena_format(arena, "0x%llx", (unsigned long long)address);
    return place;
}

const char *symbolise_nameless(struct symboliser *symboliser, const struct board_home *home,
                               uint64_t address)
{
    bool local = home->kind == HOME_STACK;
    const char *function = local ? function_of_home(symboliser, home) : NULL;
    const struct board_module *mapped = local ? NULL : module_at(symboliser, address);
    if (!function && !mapped)
        return arena_format(symboliser->arena, "0x%llx", (unsigned long long)address);
    unsigned *number = table_put(&symboliser->nameless, address, 0, NULL);
    if (!*number)
        *number = symboliser->nameless.count;
    return function ? arena_format(symboliser->arena, "unnamed #%u of %s()", *number, function)
                    : arena_format(symboliser->arena, "unnamed #%u of %s", *number,
                                   base_name(mapped->path));
}

/* The compilation unit of an address. clang writes no table of address ranges, which libdw's
 * own look-up needs; then the units are searched one by one. */
Dwarf_Die *unit_of_code(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);
    if (unit)
        return unit;
    while ((unit = dwfl_module_nextcu(module, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) == 1)
            return unit;
    return NULL;
}

/* A function that its unit's scopes do not lead to (gcc puts an unoptimised lambda inside a
 * type): use its symbol's name, without the offset, since the report has the line. */
static const char *function_of_symbol(struct arena *arena, const char *symbol)
{
    const char *offset = symbol ? strstr(symbol, "+0x") : NULL;
    if (symbol && strstr(symbol, "{lambda("))
        return "lambda";
    return offset ? arena_bytes(arena, symbol, (size_t)(offset - symbol)) : symbol;
}

static size_t code_places(struct symboliser *symboliser, uint64_t address,
                          struct source_place *places)
{
    Dwfl_Module *module = dwfl_addrmodule(symboliser->dwfl, address);
    struct source_place place = plain_place(symboliser, module, address);
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = module ? unit_of_code(module, address, &bias) : NULL;
    Dwarf_Line *line = unit ? dwarf_getsrc_die(unit, address - bias) : NULL;
    if (line) {
        int number = 0;
        const char *file = dwarf_linesrc(line, NULL, NULL);
        dwarf_lineno(line, &number);
        place.file = source_path(symboliser->arena, unit, file);
        place.line = number;
        place.library = place.library || (place.file && is_library_path(place.file));
        size_t used = inlined_places(symboliser, unit, address, place, places);
        if (used)
            return used;
        place.function = function_of_symbol(symboliser->arena, place.function);
    }
    places[0] = place;
    return 1;
}

static struct source_stack keep_places(struct arena *arena, const struct source_place *places,
                                       size_t count)
{
    struct source_stack stack = {.count = count};
    stack.place = arena_alloc(arena, count * sizeof *places);
    memcpy(stack.place, places, count * sizeof *places);
    return stack;
}

struct source_stack symbolise_code(struct symboliser *symboliser, uint64_t address,
                                   bool is_return)
{
    struct source_place places[PLACES_MAX];
    if (!address)
        return (struct source_stack){0};
    if (is_return)
        address--;
    bool fresh = false;
    struct source_stack *known = table_put(&symboliser->code, address, 0, &fresh);
    if (fresh)
        *known =
            keep_places(symboliser->arena, places, code_places(symboliser, address, places));
    return *known;
}

static bool is_main(const struct source_stack *stack)
{
    const char *function = stack->count ? stack->place[stack->count - 1].function : NULL;
    return function && strcmp(function, "main") == 0;
}

bool is_runtime(const struct symboliser *symboliser, uint64_t address)
{
    const struct board_module *module = module_at(symboliser, address);
    return module && strcmp(base_name(module->path), "libmazur.so") == 0;
}

struct source_stack symbolise_stack(struct symboliser *symboliser,
                                    const struct board_stack *stack, bool exact)
{
    struct source_place places[PLACES_MAX];
    size_t count = 0;
    for (uint32_t i = 0; i < stack->depth; i++) {
        if (is_runtime(symboliser, stack->pc[i]))
            continue;
        struct source_stack one = symbolise_code(symboliser, stack->pc[i], i > 0 || !exact);
        for (size_t j = 0; j < one.count && count < PLACES_MAX; j++)
            places[count++] = one.place[j];
        if (is_main(&one)) /* what calls main is the same for every program */
            break;
    }
    return keep_places(symboliser->arena, places, count);
}

const char *symbolise_data(struct symboliser *symboliser, uint64_t address, unsigned size)
{
    if (!address)
        return NULL;
    bool fresh = false;
    const char **known = table_put(&symboliser->data, address, size, &fresh);
    if (fresh)
        *known = variable_name(symboliser, address, size);
    return *known;
}
