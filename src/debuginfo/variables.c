/* Data addresses: the variable that an address is in, and the path through its type.
 *
 *     0x4040a8 ─▶ variable `slots` (array of struct slot) + 0x28 ─▶ slots[2].seq
 *
 * Each module's variables are read once, when an address in it is first looked up, into one
 * array sorted by address. Internal members of a library (`_M_mutex` in std::mutex, `__data` in
 * pthread_mutex_t) are walked through but not shown. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

#define NESTING_MAX 64 /* of scopes and of types; a damaged file may nest endlessly */

struct variable {
    uint64_t start;
    uint64_t size;
    char *name;
    Dwarf_Die type;
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

/* --- Types --- */

bool variable_type(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    return dwarf_attr_integrate(die, DW_AT_type, &attribute) &&
           dwarf_formref_die(&attribute, type);
}

/* Synchronisation objects are shown as a whole, whatever members they have. */
static bool is_opaque(const char *name)
{
    static const char *const names[] = {"sem_t", "mtx_t", "cnd_t", "once_flag", "thrd_t", NULL};
    if (!name)
        return false;
    if (strncmp(name, "pthread_", 8) == 0)
        return true;
    for (const char *const *each = names; *each; each++)
        if (strcmp(name, *each) == 0)
            return true;
    return false;
}

bool peel_type(Dwarf_Die *type)
{
    for (int i = 0; i < NESTING_MAX; i++) {
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
            if (is_opaque(dwarf_diename(type)))
                return false;
            break;
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_atomic_type:
        case DW_TAG_restrict_type:
            break;
        default:
            return true;
        }
        Dwarf_Die inner;
        if (!variable_type(type, &inner))
            return false;
        *type = inner;
    }
    return false;
}

uint64_t variable_type_size(Dwarf_Die *type)
{
    Dwarf_Word size = 0;
    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

bool member_offset(Dwarf_Die *member, uint64_t *offset)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;
    if (dwarf_attr(member, DW_AT_data_member_location, &attribute)) {
        if (dwarf_formudata(&attribute, &value) != 0)
            return false;
    } else if (dwarf_attr(member, DW_AT_data_bit_offset, &attribute)) {
        if (dwarf_formudata(&attribute, &value) != 0)
            return false;
        value /= 8;
    } else if (dwarf_hasattr(member, DW_AT_external) ||
               dwarf_hasattr(member, DW_AT_declaration)) {
        return false; /* a static member */
    }
    *offset = value;
    return true;
}

static bool is_scalar(Dwarf_Die type)
{
    int tag = peel_type(&type) ? dwarf_tag(&type) : 0;
    return tag == DW_TAG_base_type || tag == DW_TAG_pointer_type ||
           tag == DW_TAG_enumeration_type;
}

/* The member (or base class) of `type` that holds [offset, offset + size). In a union the
 * first number or pointer of exactly that size is the best guess. An empty base class has a
 * byte, too. */
static bool find_member(Dwarf_Die *type, uint64_t offset, unsigned size, Dwarf_Die *found,
                        uint64_t *start)
{
    Dwarf_Die member, member_type;
    bool any = false, weak = false, open = false;
    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        uint64_t at, length;
        int tag = dwarf_tag(&member);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            !member_offset(&member, &at) || !variable_type(&member, &member_type))
            continue;
        length = variable_type_size(&member_type);
        if (!any && tag == DW_TAG_member && offset >= at) {
            /* clang may omit the definition of a library's class: up to the next member */
            open = !length;
            *found = member;
            *start = at;
        }
        if (offset < at || offset - at >= length || (size && offset - at + size > length))
            continue;
        bool exact = length == size && is_scalar(member_type);
        if (any && !exact && !weak)
            continue;
        weak = tag == DW_TAG_inheritance && length == 1; /* it may be empty */
        *found = member;
        *start = at;
        any = true;
        if (exact)
            return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return any || open;
}

/* Is it an internal name of the C++ library, such as `_M_start`, `__data` or
 * `_Sp_counted_base`? */
bool name_is_reserved(const char *name)
{
    return name && name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

/* gcc calls what a lambda captures `__total`, clang `total`. */
static bool is_lambda(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    return !name || strncmp(name, "<lambda", 7) == 0;
}

static void add_member_name(struct buffer *path, Dwarf_Die *owner, Dwarf_Die *member)
{
    const char *name = dwarf_diename(member);
    if (dwarf_tag(member) != DW_TAG_member || !name)
        return;
    if (strncmp(name, "__", 2) == 0 && name[2] != '_' &&
        dwarf_tag(owner) != DW_TAG_union_type && is_lambda(owner))
        name += 2;
    if (!name_is_reserved(name))
        buffer_printf(path, ".%s", name);
}

/* Elements in one row of an array below dimension `skip`: the product of later bounds. */
static uint64_t row_length(Dwarf_Die *array, int skip)
{
    Dwarf_Die range;
    uint64_t length = 1;
    int dimension = 0;
    if (dwarf_child(array, &range) != 0)
        return 1;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word value;
        if (dwarf_tag(&range) != DW_TAG_subrange_type || dimension++ <= skip)
            continue;
        if (dwarf_formudata(dwarf_attr(&range, DW_AT_count, &attribute), &value) == 0)
            length *= value;
        else if (dwarf_formudata(dwarf_attr(&range, DW_AT_upper_bound, &attribute), &value) ==
                 0)
            length *= value + 1;
    } while (dwarf_siblingof(&range, &range) == 0);
    return length ? length : 1;
}

static int count_dimensions(Dwarf_Die *array)
{
    Dwarf_Die range;
    int count = 0;
    if (dwarf_child(array, &range) != 0)
        return 0;
    do
        count += dwarf_tag(&range) == DW_TAG_subrange_type;
    while (dwarf_siblingof(&range, &range) == 0 && count < NESTING_MAX);
    return count;
}

/* Add "[2][5]" and leave the element type and the offset in it. */
static bool enter_element(struct buffer *path, Dwarf_Die *type, uint64_t *offset)
{
    Dwarf_Die element;
    if (!variable_type(type, &element))
        return false;
    uint64_t size = variable_type_size(&element);
    if (!size)
        return false;
    uint64_t index = *offset / size;
    int count = count_dimensions(type);
    for (int i = 0; i < count; i++) {
        uint64_t row = row_length(type, i);
        buffer_printf(path, "[%llu]", (unsigned long long)(index / row));
        index %= row;
    }
    *offset %= size;
    *type = element;
    return true;
}

/* libstdc++ keeps the contents of nodes and of make_shared's objects in arrays of bytes; only
 * the template argument says what these hold. */
static bool enter_storage(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    Dwarf_Die held;
    if (!name || strncmp(name, "__aligned_", 10) != 0 || !template_argument(type, &held))
        return false;
    *type = held;
    return true;
}

bool template_argument(Dwarf_Die *die, Dwarf_Die *argument)
{
    Dwarf_Die child;
    if (dwarf_child(die, &child) != 0)
        return false;
    do
        if (dwarf_tag(&child) == DW_TAG_template_type_parameter)
            return variable_type(&child, argument);
    while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool is_composed(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

struct variable_part variable_part(struct buffer *path, Dwarf_Die type, uint64_t offset,
                                   unsigned size)
{
    struct variable_part part = {.type = type};
    bool shown = true;
    for (int i = 0; i < NESTING_MAX && (shown = peel_type(&type)); i++) {
        Dwarf_Die member;
        uint64_t start = 0;
        if (dwarf_tag(&type) == DW_TAG_array_type && enter_element(path, &type, &offset))
            continue;
        if (!is_composed(&type) || is_opaque(dwarf_diename(&type)))
            break;
        if (enter_storage(&type)) {
            part.in_storage = !name_is_reserved(dwarf_diename(&type));
            continue;
        }
        if (!find_member(&type, offset, size, &member, &start))
            break;
        add_member_name(path, &type, &member);
        part.member = dwarf_diename(&member);
        offset -= start;
        if (!variable_type(&member, &type))
            break;
    }
    part.type = type;
    part.at_start = offset == 0 && is_composed(&type);
    part.found =
        shown && offset == 0 && !is_composed(&type) && dwarf_tag(&type) != DW_TAG_array_type;
    if (offset)
        buffer_printf(path, "+%llu", (unsigned long long)offset);
    return part;
}

void variable_path(struct buffer *path, Dwarf_Die type, uint64_t offset, unsigned size)
{
    variable_part(path, type, offset, size);
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

/* "Config::" of a static member that is defined outside its class; else the scope. */
static char *scope_of(const struct variable_index *index, Dwarf_Die *die, const char *scope)
{
    Dwarf_Attribute attribute;
    Dwarf_Die declaration, class;
    const Dwarf_Die *parent = NULL;
    const char *name = NULL;
    if (dwarf_attr(die, DW_AT_specification, &attribute) &&
        dwarf_formref_die(&attribute, &declaration))
        parent = table_get(&index->parent, (uintptr_t)declaration.addr, 0);
    if (parent) {
        class = *parent;
        name = is_composed(&class) ? dwarf_diename(&class) : NULL;
    }
    return name ? format_text("%s::", name) : copy_text(scope);
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
    char *whole = scope_of(index, die, scope);
    variable.name = format_text("%s%s", whole, name);
    free(whole);
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
    bool in_type = is_composed(parent);
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
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        read_scope(index, &die, bias, "", 0);
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
    variable_path(path, variable->type, STORAGE(number) + offset - variable->start, size);
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
    variable_path(&path, variable->type, address - variable->start, size);
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
        count_dimensions(type) != 1 || !variable_type(type, &element))
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
