/* Types and their parts: from an offset in an object to the path through its members.
 *
 *     struct { int count; struct slot slot[4]; } + 0x28 ─▶ .slot[2].seq
 *
 * Internal members of a library (`_M_mutex` in std::mutex, `__data` in pthread_mutex_t) are
 * passed through but not shown. */
#include <dwarf.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

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

int array_dimensions(Dwarf_Die *array)
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
    int count = array_dimensions(type);
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

bool type_is_composed(Dwarf_Die *type)
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
        if (!type_is_composed(&type) || is_opaque(dwarf_diename(&type)))
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
    part.at_start = offset == 0 && type_is_composed(&type);
    part.found = shown && offset == 0 && !type_is_composed(&type) &&
                 dwarf_tag(&type) != DW_TAG_array_type;
    if (offset)
        buffer_printf(path, "+%llu", (unsigned long long)offset);
    return part;
}
