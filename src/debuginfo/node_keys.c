/* What stands in the brackets in the name of a node of a container: the key in a map, as C++
 * writes it, or the number in a list.
 *
 *     channels["north"]   accounts[7]   pools[{"db", 5432}]   waiting[0] */
#include <dwarf.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

#define KEY_LONGEST 24 /* characters of a string that is a key */
#define KEY_MEMBERS 4  /* of a structure that is a key */

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

static const char *simple_key(struct symboliser *symboliser, Dwarf_Die *type, uint64_t address)
{
    const char *name = dwarf_diename(type);
    if (name && begins_with(name, "basic_string<char,"))
        return string_key(symboliser, address);
    return number_key(symboliser, type, address);
}

/* The members of a structure; those that can't be shown as `…`. NULL: that is all of them. */
static const char *structure_key(struct symboliser *symboliser, Dwarf_Die *type,
                                 uint64_t address)
{
    Dwarf_Die member, of;
    uint64_t offset;
    const char *text = "";
    unsigned count = 0;
    bool some = false;
    for (int more = dwarf_child(type, &member); more == 0;
         more = dwarf_siblingof(&member, &member)) {
        if (dwarf_tag(&member) != DW_TAG_member || !member_offset(&member, &offset) ||
            !variable_type(&member, &of) || !peel_type(&of))
            continue;
        const char *key =
            count < KEY_MEMBERS ? simple_key(symboliser, &of, address + offset) : NULL;
        some = some || key;
        if (count <= KEY_MEMBERS)
            text = arena_format(symboliser->arena, "%s%s%s", text, count ? ", " : "",
                                key ? key : "…");
        count++;
    }
    return some ? arena_format(symboliser->arena, "{%s}", text) : NULL;
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
    const char *text = simple_key(symboliser, &key, base + offset);
    int tag = dwarf_tag(&key);
    bool structure = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
    return text || !structure ? text : structure_key(symboliser, &key, base + offset);
}

/* Each node of a std::list holds the address of the one before it, and the first one that of
 * the list itself. */
const char *list_position(struct symboliser *symboliser, Dwarf_Die *node,
                          const struct board_block *block)
{
    const char *type = dwarf_diename(node);
    uint64_t size = block->size;
    if (!type || !begins_with(type, "_List_node<"))
        return NULL;
    for (unsigned position = 0; position < symboliser->board->nheap; position++) {
        uint64_t before;
        size_t count;
        const unsigned char *bytes = heap_bytes(symboliser, block->base + 8, &count);
        if (!bytes || count < sizeof before)
            return NULL;
        memcpy(&before, bytes, sizeof before);
        block = symbolise_live_block(symboliser, before);
        if (!block || block->base != before || block->size != size)
            return arena_format(symboliser->arena, "%u", position);
    }
    return NULL;
}
