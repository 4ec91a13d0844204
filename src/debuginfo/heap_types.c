/* What a heap block was allocated for, as far as the code that allocated it shows.
 *
 *     std::make_unique<Logger>()       the template was made for Logger
 *     vector.push_back(…)              std::allocator<T>::allocate
 *     Bank *bank = new Bank(8);        a pointer that is declared in the line, to a type of the
 *                                      block's size; it also names the block
 *     auto log = make_shared<Log>();   so does a smart pointer to the type
 *
 * Debug information says nothing else about a plain `new` or malloc(). */
#include <dwarf.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

#define FRAMES_MAX 12 /* of an allocation that are searched for the type */

/* What the C++ library allocates for: the argument of its template. */
static bool type_of_allocation(struct symboliser *symboliser, Dwarf_Die *function,
                               Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die class, origin = *function, next;
    const char *name = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_name, &attribute));
    if (!name)
        return false;
    if (strcmp(name, "allocate") == 0 || begins_with(name, "_M_create")) {
        const char *owner =
            function_class(symboliser, function, &class) ? dwarf_diename(&class) : NULL;
        bool known =
            owner && (strstr(owner, "new_allocator<") || begins_with(owner, "_Base_manager<"));
        return known && template_argument(&class, type);
    }
    if (!begins_with(name, "make_unique<"))
        return false;
    if (dwarf_attr(function, DW_AT_abstract_origin, &attribute) &&
        dwarf_formref_die(&attribute, &next))
        origin = next;
    return template_argument(&origin, type);
}

/* The type of the template that allocates, in the innermost frames. */
static bool find_template_type(struct symboliser *symboliser, const struct board_stack *stack,
                               Dwarf_Die *type)
{
    Dwarf_Die function[FRAMES_MAX];
    size_t left = FRAMES_MAX;
    for (uint32_t i = 0; i < stack->depth && left > 0; i++) {
        size_t count = functions_at(symboliser, stack->pc[i] - 1, function, left);
        for (size_t j = 0; j < count; j++)
            if (type_of_allocation(symboliser, &function[j], type))
                return variable_type_size(type) > 0;
        left -= count ? count : 1;
    }
    return false;
}

/* Pointers that a function declares in a line. */
struct declaration {
    int line;
    uint64_t size;     /* of what they point to, */
    const char *holds; /* or the name of that type, if it is known */
    size_t count;
    const char *name; /* of the last one */
    Dwarf_Die type;   /* of what it points to */
};

static bool is_smart_pointer(Dwarf_Die *type)
{
    const char *name = dwarf_diename(type);
    return name && (begins_with(name, "shared_ptr<") || begins_with(name, "unique_ptr<"));
}

/* Does the declared type lead to an object of the block's type? `target`: what it leads to. */
static bool leads_to_block(const struct declaration *declaration, Dwarf_Die *type,
                           Dwarf_Die *target)
{
    if (is_smart_pointer(type)) {
        if (!template_argument(type, target))
            return false;
    } else if (dwarf_tag(type) != DW_TAG_pointer_type || !variable_type(type, target)) {
        return false;
    }
    if (!declaration->holds)
        return variable_type_size(target) == declaration->size;
    Dwarf_Die held = *target;
    const char *name = peel_type(&held) ? dwarf_diename(&held) : NULL;
    return name && strcmp(name, declaration->holds) == 0;
}

static void note_declaration(struct declaration *declaration, Dwarf_Die *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type, target;
    Dwarf_Word line = 0;
    const char *name = dwarf_formstring(dwarf_attr_integrate(variable, DW_AT_name, &attribute));
    if (!name ||
        dwarf_formudata(dwarf_attr_integrate(variable, DW_AT_decl_line, &attribute), &line) !=
            0 ||
        line != (Dwarf_Word)declaration->line || !variable_type(variable, &type))
        return;
    peel_type(&type);
    if (!leads_to_block(declaration, &type, &target))
        return;
    declaration->count++;
    declaration->name = name;
    declaration->type = target;
}

/* Blocks of a function, not the functions that were inlined into it. */
static void search_declarations(struct declaration *declaration, Dwarf_Die *scope, int depth)
{
    Dwarf_Die child;
    if (depth == FRAMES_MAX || dwarf_child(scope, &child) != 0)
        return;
    do {
        if (dwarf_tag(&child) == DW_TAG_variable)
            note_declaration(declaration, &child);
        else if (dwarf_tag(&child) == DW_TAG_lexical_block)
            search_declarations(declaration, &child, depth + 1);
    } while (dwarf_siblingof(&child, &child) == 0);
}

/* The only pointer to such a type that is declared where the program allocates the block. */
static bool find_declaration(struct symboliser *symboliser, const struct board_block *block,
                             struct declaration *declaration, bool *in_main)
{
    struct source_stack stack = symbolise_stack(symboliser, &block->allocated, false);
    const struct source_place *place = stack_user_place(&stack);
    Dwarf_Die function[FRAMES_MAX];
    if (!place || !place->function || !place->line)
        return false;
    declaration->line = place->line;
    for (uint32_t i = 0; i < block->allocated.depth; i++) {
        size_t count =
            functions_at(symboliser, block->allocated.pc[i] - 1, function, FRAMES_MAX);
        for (size_t j = 0; j < count; j++) {
            const char *name = symbolise_function(symboliser, &function[j]);
            if (!name || strcmp(name, place->function) != 0)
                continue;
            search_declarations(declaration, &function[j], 0);
            *in_main = strcmp(name, "main") == 0;
            return declaration->count == 1;
        }
    }
    return false;
}

/* The name of the type that the program asked for. */
static const char *name_of_content(Dwarf_Die type)
{
    Dwarf_Die held;
    const char *name = peel_type(&type) ? dwarf_diename(&type) : NULL;
    if (!name || !begins_with(name, "_Sp_counted_"))
        return name;
    return template_argument(&type, &held) && peel_type(&held) ? dwarf_diename(&held) : NULL;
}

const char *find_allocated_type(struct symboliser *symboliser, const struct board_block *block,
                                Dwarf_Die *type)
{
    bool known = find_template_type(symboliser, &block->allocated, type), in_main = false;
    struct declaration declaration = {.size = block->size,
                                      .holds = known ? name_of_content(*type) : NULL};
    if (known && !declaration.holds)
        return "";
    if (!find_declaration(symboliser, block, &declaration, &in_main))
        return known ? "" : NULL;
    if (!known)
        *type = declaration.type;
    /* kept after the debug information is closed */
    return in_main ? arena_text(symboliser->arena, declaration.name) : "";
}
