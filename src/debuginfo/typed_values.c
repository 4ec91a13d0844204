/* Values as their types show them: enumerators by name, true and false, 0.75, 'x', and pointers
 * by what they point to. Everything else is a number, which the report formats itself. Keys of
 * maps are shown the same way, as parts of names: channels["north"]. */
#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

#define ENUMERATORS_MAX 65536
#define KEY_LONGEST     24 /* characters of a string that is a key */

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

/* NULL: the report formats the number itself. */
static const char *scalar_text(struct arena *arena, Dwarf_Die *type, uint64_t value,
                               unsigned size)
{
    if (dwarf_tag(type) == DW_TAG_enumeration_type)
        return find_enumerator(arena, type, value, size);
    return dwarf_tag(type) == DW_TAG_base_type ? base_text(arena, type, value, size) : NULL;
}

static const char *pointer_text(struct symboliser *symboliser, uint64_t value, uint64_t held_at)
{
    if (!value)
        return NULL;
    const char *block = heap_pointer_text(symboliser, value, held_at);
    if (block)
        return block;
    const char *name = symbolise_data(symboliser, value, 0);
    return name ? arena_format(symboliser->arena, "&%s", name) : NULL;
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
    /* a pointer without a type may still point to a block */
    if (!part.found)
        return place->size == 8 ? heap_pointer_text(symboliser, value, place->address) : NULL;
    switch (dwarf_tag(&part.type)) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
        return pointer_text(symboliser, value, place->address);
    default:
        return scalar_text(symboliser->arena, &part.type, value, place->size);
    }
}

/* --- Keys of maps --- */

/* A std::string of libstdc++: the address of its text, the length, then the text itself if it
 * is short. Bytes that would confuse a report are shown as dots. */
static const char *string_key(struct symboliser *symboliser, uint64_t address)
{
    uint64_t word[2];
    size_t count, have;
    const unsigned char *bytes = heap_bytes(symboliser, address, &count);
    if (!bytes || count < sizeof word)
        return NULL;
    memcpy(word, bytes, sizeof word);
    bytes = heap_bytes(symboliser, word[0], &have);
    size_t length = word[1] < KEY_LONGEST ? (size_t)word[1] : KEY_LONGEST;
    if (!bytes || have < length)
        return NULL;
    char text[KEY_LONGEST + 1] = {0};
    for (size_t i = 0; i < length; i++)
        text[i] = bytes[i] >= ' ' && bytes[i] <= '~' && bytes[i] != '"' ? (char)bytes[i] : '.';
    return arena_format(symboliser->arena, "\"%s%s\"", text, word[1] > length ? "…" : "");
}

static const char *number_key(struct symboliser *symboliser, Dwarf_Die *type, uint64_t address)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;
    uint64_t value = 0, size = variable_type_size(type);
    size_t count;
    const unsigned char *bytes = heap_bytes(symboliser, address, &count);
    if (!bytes || !size || size > sizeof value || count < size)
        return NULL;
    memcpy(&value, bytes, size);
    const char *text = scalar_text(symboliser->arena, type, value, (unsigned)size);
    if (text || dwarf_tag(type) != DW_TAG_base_type)
        return text;
    unsigned unused = 64 - 8 * (unsigned)size;
    dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding);
    if (encoding == DW_ATE_signed || encoding == DW_ATE_signed_char)
        return arena_format(symboliser->arena, "%lld",
                            (long long)((int64_t)(value << unused) >> unused));
    return arena_format(symboliser->arena, "%llu", (unsigned long long)value);
}

/* The offset of the pair of key and value in a node; 0: there is none. */
static uint64_t find_pair(Dwarf_Die *node)
{
    for (uint64_t offset = 8; offset < BOARD_HEAP_HEAD; offset += 8) {
        struct buffer ignored = {0};
        bool found = variable_part(&ignored, *node, offset, 0).in_storage;
        buffer_release(&ignored);
        if (found)
            return offset;
    }
    return 0;
}

const char *node_key(struct symboliser *symboliser, Dwarf_Die *node, uint64_t base)
{
    Dwarf_Die type = *node, pair, key;
    if (!peel_type(&type) || !template_argument(&type, &pair) || !peel_type(&pair))
        return NULL;
    const char *name = dwarf_diename(&pair);
    uint64_t offset = find_pair(&type);
    if (!offset || !name || !begins_with(name, "pair<") || !template_argument(&pair, &key) ||
        !peel_type(&key))
        return NULL;
    name = dwarf_diename(&key);
    if (name && begins_with(name, "basic_string<char,"))
        return string_key(symboliser, base + offset);
    return number_key(symboliser, &key, base + offset);
}
