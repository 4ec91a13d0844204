/* Values as their types show them: enumerators by name, true and false, 0.75, 'x', and pointers
 * by what they point to (pointer_values.c). Everything else is a number, which the report
 * formats itself. */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

#define ENUMERATORS_MAX 65536
#define MEMBERS_MOST    4 /* of a structure whose value is shown */

static const char *find_enumerator(struct arena *arena, Dwarf_Die *type, uint64_t value,
                                   unsigned size)
{
    uint64_t mask = size < 8 ? (UINT64_C(1) << (size * 8)) - 1 : UINT64_MAX;
    Dwarf_Die child;
    int left = ENUMERATORS_MAX;
    if (dwarf_child(type, &child) != 0)
        return NULL;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word number;
        Dwarf_Sword with_sign;
        if (dwarf_tag(&child) != DW_TAG_enumerator ||
            !dwarf_attr(&child, DW_AT_const_value, &attribute))
            continue;
        if (dwarf_formsdata(&attribute, &with_sign) == 0)
            number = (Dwarf_Word)with_sign;
        else if (dwarf_formudata(&attribute, &number) != 0)
            continue;
        const char *name = dwarf_diename(&child);
        if (name && (number & mask) == (value & mask))
            return arena_text(arena, name);
    } while (left-- > 0 && dwarf_siblingof(&child, &child) == 0);
    return NULL;
}

static const char *float_text(struct arena *arena, uint64_t value, unsigned size)
{
    double number;
    float single;
    uint32_t half = (uint32_t)value;
    memcpy(&number, &value, sizeof number);
    memcpy(&single, &half, sizeof single);
    if (size != sizeof number && size != sizeof single)
        return NULL;
    char text[32];
    snprintf(text, sizeof text, "%.15g", size == sizeof number ? number : (double)single);
    return arena_text(arena, text);
}

static const char *base_text(struct arena *arena, Dwarf_Die *type, uint64_t value,
                             unsigned size)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    const char *name = dwarf_diename(type);
    dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding);
    if (encoding == DW_ATE_boolean && value <= 1)
        return value ? "true" : "false";
    if (encoding == DW_ATE_float)
        return float_text(arena, value, size);
    bool character = size == 1 && name && strcmp(name, "char") == 0;
    if (character && value >= ' ' && value <= '~')
        return arena_format(arena, "'%c'", (char)value);
    return NULL;
}

const char *scalar_text(struct arena *arena, Dwarf_Die *type, uint64_t value, unsigned size)
{
    if (dwarf_tag(type) == DW_TAG_enumeration_type)
        return find_enumerator(arena, type, value, size);
    return dwarf_tag(type) == DW_TAG_base_type ? base_text(arena, type, value, size) : NULL;
}

/* A pthread_t, however many names its type has. */
static bool is_handle(Dwarf_Die *type)
{
    const char *name = dwarf_tag(type) == DW_TAG_typedef ? dwarf_diename(type) : NULL;
    return name && (strcmp(name, "pthread_t") == 0 || strcmp(name, "thrd_t") == 0);
}

/* The value of a number, pointer or enumerator; NULL: as a plain number. */
static const char *simple_text(struct symboliser *symboliser, Dwarf_Die *type, uint64_t value,
                               const struct value_place *place)
{
    const char *text = NULL;
    if (is_handle(type))
        return handle_value(symboliser, value);
    if (dwarf_tag(type) == DW_TAG_pointer_type || dwarf_tag(type) == DW_TAG_reference_type)
        return pointer_value(symboliser, type, value, place->address);
    text = scalar_text(symboliser->arena, type, value, place->size);
    return text || place->size != 8 ? text : address_value(symboliser, value);
}

/* "1, b=…" of a member; the part of the value that was not recorded is shown as "…". */
static void add_member_text(struct symboliser *symboliser, struct buffer *out,
                            const struct value_place *whole, Dwarf_Die *type, uint64_t offset,
                            uint64_t value)
{
    struct value_place place = {.address = whole->address + offset};
    bool handle = peel_type(type) ? false : is_handle(type);
    uint64_t size = variable_type_size(type);
    int tag = dwarf_tag(type);
    bool simple = handle || tag == DW_TAG_base_type || tag == DW_TAG_enumeration_type ||
                  tag == DW_TAG_pointer_type;
    if (!simple || !size || offset + size > sizeof value) {
        buffer_text(out, "…");
        return;
    }
    unsigned unused = 64 - 8 * (unsigned)size;
    uint64_t bits = value >> (8 * offset) << unused;
    place.size = (unsigned)size;
    const char *text = simple_text(symboliser, type, bits >> unused, &place);
    if (text)
        buffer_text(out, text);
    else
        buffer_printf(out, "%lld", (long long)((int64_t)bits >> unused));
}

/* "{major=2, minor=0}": a structure that is read and written as a whole. */
static const char *structure_text(struct symboliser *symboliser, Dwarf_Die *structure,
                                  const struct value_place *place, uint64_t value)
{
    struct buffer out = {0};
    Dwarf_Die member, type;
    int left = MEMBERS_MOST;
    if (dwarf_tag(structure) == DW_TAG_union_type || dwarf_child(structure, &member) != 0)
        return NULL;
    do {
        uint64_t offset;
        const char *name = dwarf_diename(&member);
        if (dwarf_tag(&member) != DW_TAG_member || !member_offset(&member, &offset))
            continue;
        if (!name || name_is_reserved(name) || !variable_type(&member, &type) ||
            dwarf_hasattr(&member, DW_AT_bit_size) || offset >= place->size || left-- == 0) {
            buffer_release(&out); /* not one to be shown */
            return NULL;
        }
        buffer_printf(&out, "%s%s=", out.length ? ", " : "{", name);
        add_member_text(symboliser, &out, place, &type, offset, value);
    } while (dwarf_siblingof(&member, &member) == 0);
    const char *text = out.length ? arena_format(symboliser->arena, "%s}", out.data) : NULL;
    buffer_release(&out);
    return text;
}

const char *symbolise_value(struct symboliser *symboliser, const struct value_place *place,
                            uint64_t value)
{
    struct buffer ignored = {0};
    struct variable_part part =
        place->block ? heap_part(symboliser, place->block, place->address, place->size)
        : place->home
            ? local_at_address(symboliser, place->home, place->address, place->size, &ignored)
            : variable_at_address(symboliser, place->address, place->size, &ignored);
    buffer_release(&ignored);
    if (part.found || (part.type.addr && is_handle(&part.type)))
        return simple_text(symboliser, &part.type, value, place);
    if (part.at_start && variable_type_size(&part.type) == place->size) {
        const char *text = structure_text(symboliser, &part.type, place, value);
        return text || place->size <= 8 ? text : "…";
    }
    /* a pointer without a type may still point to a block */
    return place->size == 8 ? heap_pointer_text(symboliser, value, place->address) : NULL;
}
