/* Data addresses: the variable that an address is in, and the path through its type
 * (type_parts.c).
 *
 *     0x4040a8 ─▶ variable `slots` (array of struct slot) + 0x28 ─▶ slots[2].seq
 *
 * Each module's variables are read once, when an address in it is first looked up, into one
 * array sorted by address. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

struct variable {
    uint64_t start;
    uint64_t size;
    char *name;
    Dwarf_Die type;
    const void *declaration; /* of a static member, inside its class; else NULL */
};

/* Code of a function that is not inlined, without the module's bias. */
struct function_code {
    Dwfl_Module *module;
    uint64_t start;
    uint64_t end;
    Dwarf_Die die;
};

struct variable_index {
    struct variable *variable;
    size_t count;
    size_t capacity;
    struct table parent; /* address of an entry → the entry that it is part of */
    struct function_code *function;
    size_t nfunctions;
    size_t functions_capacity;
    bool read[BOARD_MODULES];
    uint32_t reading;    /* the number of the module that is being read, */
    Dwfl_Module *module; /* and the module */
};

void variables_free(struct symboliser *symboliser)
{
    struct variable_index *index = symboliser->variables;
    if (!index)
        return;
    for (size_t i = 0; i < index->count; i++)
        free(index->variable[i].name);
    free(index->variable);
    free(index->function);
    free(index);
    symboliser->variables = NULL;
}

/* --- Reading a module's variables --- */

/* Thread-local variables are stored under addresses that no variable can have: this bit, the
 * module's number and the offset in its storage. */
#define STORAGE(module) (UINT64_C(1) << 62 | (uint64_t)(module) << 40)

static bool is_storage(const Dwarf_Op *expression, size_t length)
{
    return length == 2 && (expression[1].atom == DW_OP_form_tls_address ||
                           expression[1].atom == DW_OP_GNU_push_tls_address);
}

/* The address without the module's bias, or the offset in its thread-local storage. */
static bool variable_address(Dwarf_Die *die, Dwarf_Addr *address, bool *storage)
{
    Dwarf_Attribute attribute, result;
    Dwarf_Op *expression;
    size_t length;
    if (!dwarf_attr(die, DW_AT_location, &attribute) ||
        dwarf_getlocation(&attribute, &expression, &length) != 0)
        return false;
    *storage = is_storage(expression, length);
    if (*storage && expression->atom != DW_OP_addrx && expression->atom != DW_OP_constx) {
        *address = expression->number;
        return true;
    }
    if (length != 1 && !*storage)
        return false;
    if (expression->atom == DW_OP_addr) {
        *address = expression->number;
        return true;
    }
    return (expression->atom == DW_OP_addrx || expression->atom == DW_OP_constx) &&
           dwarf_getlocation_attr(&attribute, expression, &result) == 0 &&
           dwarf_formaddr(&result, address) == 0;
}

/* The declaration of a static member that is defined outside its class, or of a variable that
 * is defined outside its namespace. */
static const void *find_declaration(Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Die declaration;
    return dwarf_attr(die, DW_AT_specification, &attribute) &&
                   dwarf_formref_die(&attribute, &declaration)
               ? declaration.addr
               : NULL;
}

/* "Config::count" for a static member that is defined outside its class. clang writes the
 * definition before the class, so this waits until the module has been read. */
static void name_class(const struct variable_index *index, struct variable *variable)
{
    const Dwarf_Die *parent = table_get(&index->parent, (uintptr_t)variable->declaration, 0);
    Dwarf_Die class;
    if (!parent)
        return;
    class = *parent;
    const char *name = type_is_composed(&class) ? dwarf_diename(&class) : NULL;
    if (!name)
        return;
    char *plain = variable->name, *last = strrchr(plain, ':');
    variable->name = format_text("%s::%s", name, last ? last + 1 : plain);
    free(plain);
}

static void add_variable(struct variable_index *index, Dwarf_Die *die, Dwarf_Addr bias,
                         const char *scope)
{
    bool storage;
    Dwarf_Attribute attribute;
    Dwarf_Addr address;
    struct variable variable;
    const char *name = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_name, &attribute));
    if (!name || !variable_address(die, &address, &storage) ||
        !variable_type(die, &variable.type))
        return;
    variable.start = address + (storage ? STORAGE(index->reading) : bias);
    variable.size = variable_type_size(&variable.type);
    if (!variable.size)
        return;
    variable.name = format_text("%s%s", scope, name);
    variable.declaration = find_declaration(die);
    index->variable =
        grow_array(index->variable, &index->capacity, index->count, sizeof variable);
    index->variable[index->count++] = variable;
}

/* libdw searches a whole unit for each function, and does not find functions inside types,
 * where gcc puts the code of a lambda. */
static void add_function(struct variable_index *index, Dwarf_Die *die)
{
    struct function_code code = {.module = index->module, .die = *die};
    if (dwarf_lowpc(die, &code.start) != 0 || dwarf_highpc(die, &code.end) != 0)
        return;
    index->function =
        grow_array(index->function, &index->functions_capacity, index->nfunctions, sizeof code);
    index->function[index->nfunctions++] = code;
}

/* libdw does not record the parent of an entry. We record it for functions, scopes and static
 * members. */
static void note_parent(struct variable_index *index, Dwarf_Die *die, const Dwarf_Die *parent,
                        bool in_type)
{
    switch (dwarf_tag(die)) {
    case DW_TAG_variable:
    case DW_TAG_member:
        if (!in_type || !dwarf_hasattr(die, DW_AT_external))
            return;
        break;
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_namespace:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
        break;
    default:
        return;
    }
    *(Dwarf_Die *)table_put(&index->parent, (uintptr_t)die->addr, 0, NULL) = *parent;
}

/* Every variable below `parent`, including static ones inside functions, which are shown by
 * their plain name; the names of others include namespaces and classes. */
static void read_scope(struct variable_index *index, Dwarf_Die *parent, Dwarf_Addr bias,
                       const char *scope, int nesting)
{
    Dwarf_Die die;
    if (nesting > NESTING_MAX || dwarf_child(parent, &die) != 0)
        return;
    bool in_type = type_is_composed(parent);
    do {
        note_parent(index, &die, parent, in_type);
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            add_variable(index, &die, bias, scope);
            break;
        case DW_TAG_subprogram:
            add_function(index, &die);
            /* fall through */
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
            read_scope(index, &die, bias, "", nesting + 1);
            break;
        case DW_TAG_namespace:
        case DW_TAG_structure_type:
        case DW_TAG_class_type: {
            const char *name = dwarf_diename(&die);
            char *inner = format_text("%s%s%s", scope, name ? name : "", name ? "::" : "");
            read_scope(index, &die, bias, inner, nesting + 1);
            free(inner);
            break;
        }
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_start(const void *left, const void *right)
{
    const struct variable *a = left, *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

static void read_module(struct variable_index *index, Dwfl_Module *module)
{
    Dwarf_Addr bias = 0;
    Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    size_t before = index->count;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        read_scope(index, &die, bias, "", 0);
    for (size_t i = before; i < index->count; i++)
        if (index->variable[i].declaration)
            name_class(index, &index->variable[i]);
    if (index->count)
        qsort(index->variable, index->count, sizeof *index->variable, by_start);
}

static const struct variable *find_variable(const struct variable_index *index,
                                            uint64_t address)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (index->variable[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    /* several units may declare the same variable; any that contains the address will do */
    while (low-- > 0) {
        const struct variable *variable = &index->variable[low];
        if (address - variable->start < variable->size)
            return variable;
        if (address - variable->start > UINT64_C(1) << 32)
            break;
    }
    return NULL;
}

static struct variable_index *read_variables(struct symboliser *symboliser, uint32_t number,
                                             Dwfl_Module *module)
{
    if (!symboliser->variables) {
        symboliser->variables = allocate(sizeof *symboliser->variables);
        table_init(&symboliser->variables->parent, symboliser->pool, sizeof(Dwarf_Die));
    }
    struct variable_index *index = symboliser->variables;
    if (!index->read[number]) {
        index->read[number] = true;
        index->reading = number;
        index->module = module;
        read_module(index, module);
    }
    return index;
}

static const struct variable *variable_at(struct symboliser *symboliser, Dwfl_Module *module,
                                          uint64_t address)
{
    const struct board *board = symboliser->board;
    for (uint32_t i = 0; i < board->nmodules; i++)
        if (address >= board->module[i].start && address < board->module[i].end)
            return find_variable(read_variables(symboliser, i, module), address);
    return NULL;
}

bool find_function_code(struct symboliser *symboliser, Dwfl_Module *module, uint64_t pc,
                        Dwarf_Die *function)
{
    const struct variable_index *index = symboliser->variables;
    for (size_t i = 0; index && i < index->nfunctions; i++) {
        const struct function_code *code = &index->function[i];
        if (code->module != module || pc < code->start || pc >= code->end)
            continue;
        *function = code->die;
        return true;
    }
    return false;
}

size_t scopes_of(struct symboliser *symboliser, Dwarf_Die die, Dwarf_Die *scopes,
                 size_t capacity)
{
    const struct variable_index *index = symboliser->variables;
    const Dwarf_Die *parent = index ? table_get(&index->parent, (uintptr_t)die.addr, 0) : NULL;
    size_t count = 0;
    Dwarf_Die *found = NULL;
    if (!parent) { /* in a module that was not read */
        int all = dwarf_getscopes_die(&die, &found);
        for (; all > 0 && count < (size_t)all && count < capacity; count++)
            scopes[count] = found[count];
        free(found);
        return count;
    }
    scopes[count++] = die;
    for (; parent && count < capacity; count++) {
        scopes[count] = *parent;
        parent = table_get(&index->parent, (uintptr_t)parent->addr, 0);
    }
    return count;
}

void read_module_of(struct symboliser *symboliser, uint64_t address)
{
    Dwfl_Module *module = dwfl_addrmodule(symboliser->dwfl, address);
    if (module)
        variable_at(symboliser, module, address);
}

struct variable_part variable_at_address(struct symboliser *symboliser, uint64_t address,
                                         unsigned size, struct buffer *path)
{
    Dwfl_Module *module = dwfl_addrmodule(symboliser->dwfl, address);
    const struct variable *variable = module ? variable_at(symboliser, module, address) : NULL;
    if (!variable)
        return (struct variable_part){.found = false};
    buffer_text(path, variable->name);
    return variable_part(path, variable->type, address - variable->start, size);
}

bool storage_path(struct symboliser *symboliser, uint32_t number, uint64_t offset,
                  unsigned size, struct buffer *path)
{
    const struct board *board = symboliser->board;
    if (number >= board->nmodules)
        return false;
    Dwfl_Module *module = dwfl_addrmodule(symboliser->dwfl, board->module[number].start);
    const struct variable *variable =
        module ? find_variable(read_variables(symboliser, number, module),
                               STORAGE(number) + offset)
               : NULL;
    if (!variable)
        return false;
    buffer_text(path, variable->name);
    variable_part(path, variable->type, STORAGE(number) + offset - variable->start, size);
    return true;
}

bool variable_is_global(struct symboliser *symboliser, const char *name)
{
    const struct variable_index *index = symboliser->variables;
    for (size_t i = 0; index && i < index->count; i++)
        if (strcmp(index->variable[i].name, name) == 0 &&
            !is_runtime(symboliser, index->variable[i].start))
            return true;
    return false;
}

/* --- Names --- */

static char *given_name(const struct board *board, struct arena *arena, uint64_t address)
{
    /* the last one given wins: memory may have been named again */
    for (uint32_t i = board->nnames; i-- > 0;) {
        const struct board_name *name = &board->name[i];
        uint64_t offset = address - name->address;
        if (address < name->address || offset >= (name->size ? name->size : 1))
            continue;
        return offset ? arena_format(arena, "%s+%llu", name->text, (unsigned long long)offset)
                      : arena_text(arena, name->text);
    }
    return NULL;
}

static char *object_symbol(struct arena *arena, Dwfl_Module *module, uint64_t address)
{
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char *name =
        dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    if (!name || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT ||
        (symbol.st_size && offset >= symbol.st_size))
        return NULL;
    char *plain = copy_bytes(name, strcspn(name, "@")); /* without the library's version */
    char *readable = symbolise_demangle(plain);
    const char *shown = readable ? readable : plain;
    char *kept = offset ? arena_format(arena, "%s+%llu", shown, (unsigned long long)offset)
                        : arena_text(arena, shown);
    free(readable);
    free(plain);
    return kept;
}

char *variable_name(struct symboliser *symboliser, uint64_t address, unsigned size)
{
    struct arena *arena = symboliser->arena;
    char *given = given_name(symboliser->board, arena, address);
    if (given)
        return given;
    Dwfl_Module *module = dwfl_addrmodule(symboliser->dwfl, address);
    if (!module)
        return NULL;
    const struct variable *variable = variable_at(symboliser, module, address);
    if (!variable)
        return object_symbol(arena, module, address);
    struct buffer path = {0};
    buffer_text(&path, variable->name);
    variable_part(&path, variable->type, address - variable->start, size);
    char *name = arena_bytes(arena, path.data, path.length);
    buffer_release(&path);
    return name;
}

/* --- From names to addresses --- */

/* Enter the member that `path` begins with ("head.next" begins with head); false: none. */
static bool enter_member(Dwarf_Die *type, const char **path, uint64_t *offset)
{
    Dwarf_Die member;
    size_t length = strcspn(*path, ".[");
    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        const char *name = dwarf_diename(&member);
        uint64_t at;
        if (dwarf_tag(&member) != DW_TAG_member || !name || strlen(name) != length ||
            strncmp(name, *path, length) != 0 || !member_offset(&member, &at))
            continue;
        *path += length;
        *offset += at;
        return variable_type(&member, type);
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

/* "[2]…": the element of an array with one dimension. */
static bool enter_index(Dwarf_Die *type, const char **path, uint64_t *offset)
{
    char *end;
    Dwarf_Die element;
    unsigned long long index = strtoull(*path + 1, &end, 10);
    if (end == *path + 1 || *end != ']' || dwarf_tag(type) != DW_TAG_array_type ||
        array_dimensions(type) != 1 || !variable_type(type, &element))
        return false;
    *path = end + 1;
    *offset += index * variable_type_size(&element);
    *type = element;
    return true;
}

/* The part of the variable that the path leads to. */
static bool follow_path(const struct variable *variable, const char *path, uint64_t *start,
                        uint64_t *end)
{
    Dwarf_Die type = variable->type;
    uint64_t offset = 0;
    for (int i = 0; i < NESTING_MAX && *path; i++) {
        if (!peel_type(&type))
            return false;
        if (*path == '.')
            path++;
        bool good = *path == '[' ? enter_index(&type, &path, &offset)
                                 : enter_member(&type, &path, &offset);
        if (!good)
            return false;
    }
    *start = variable->start + offset;
    *end = *start + variable_type_size(&type);
    return *path == 0 && *end > *start && *end <= variable->start + variable->size;
}

bool variable_find(struct symboliser *symboliser, Dwfl_Module *module, const char *name,
                   uint64_t *start, uint64_t *end)
{
    Dwarf_Addr low = 0;
    size_t length = strcspn(name, ".[");
    dwfl_module_info(module, NULL, &low, NULL, NULL, NULL, NULL, NULL);
    variable_at(symboliser, module, low); /* reads the module's variables */
    const struct variable_index *index = symboliser->variables;
    for (size_t i = 0; i < index->count; i++) {
        const struct variable *variable = &index->variable[i];
        if (dwfl_addrmodule(symboliser->dwfl, variable->start) == module &&
            strlen(variable->name) == length && strncmp(variable->name, name, length) == 0 &&
            follow_path(variable, name + length, start, end))
            return true;
    }
    return false;
}
