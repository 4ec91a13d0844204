/* The types of heap blocks. Debug information does not say what malloc() was called for, but
 * the pointers that the program keeps do: if `head` is declared as a pointer to a node and held
 * the address of this block, the block is a node, and the pointer at its offset 8 is `next`.
 *
 * Only pointers that visible operations read or wrote are known, and the first pointer to a
 * block decides. Parts of a block that nothing points to are shown by their offsets. */
#include <dwarf.h>
#include <stdlib.h>

#include "debuginfo/symbolise_private.h"

struct pointee {
    uint64_t block;
    Dwarf_Die type;
};

struct pointees {
    struct pointee *item;
    size_t count;
    size_t capacity;
};

void pointees_free(struct symboliser *symboliser)
{
    if (symboliser->pointees)
        free(symboliser->pointees->item);
    free(symboliser->pointees);
    symboliser->pointees = NULL;
}

static const struct pointee *find_pointee(const struct symboliser *symboliser, uint64_t block)
{
    const struct pointees *pointees = symboliser->pointees;
    for (size_t i = 0; pointees && i < pointees->count; i++)
        if (pointees->item[i].block == block)
            return &pointees->item[i];
    return NULL;
}

static void add_pointee(struct symboliser *symboliser, uint64_t block, Dwarf_Die type)
{
    if (!symboliser->pointees)
        symboliser->pointees = allocate(sizeof *symboliser->pointees);
    struct pointees *pointees = symboliser->pointees;
    pointees->item = grow_array(pointees->item, &pointees->capacity, pointees->count,
                                sizeof *pointees->item);
    pointees->item[pointees->count++] = (struct pointee){block, type};
}

static bool pointer_type(struct symboliser *symboliser, uint64_t address,
                         const struct board_home *home, uint64_t inside, Dwarf_Die *type)
{
    const struct pointee *owner = inside ? find_pointee(symboliser, inside) : NULL;
    uint64_t size = owner ? variable_type_size((Dwarf_Die *)&owner->type) : 0;
    if (inside)
        return size && variable_part(owner->type, (address - inside) % size, 8, type);
    return variable_type_at(symboliser, address, 8, type) ||
           local_type_at(symboliser, home, address, 8, type);
}

bool symbolise_pointer(struct symboliser *symboliser, uint64_t address,
                       const struct board_home *home, uint64_t inside, uint64_t block)
{
    Dwarf_Die type, target;
    if (find_pointee(symboliser, block) ||
        !pointer_type(symboliser, address, home, inside, &type) ||
        dwarf_tag(&type) != DW_TAG_pointer_type || !variable_type(&type, &target) ||
        variable_type_size(&target) == 0)
        return false;
    add_pointee(symboliser, block, target);
    return true;
}

const char *symbolise_heap(struct symboliser *symboliser, uint64_t block, uint64_t offset,
                           unsigned size)
{
    const struct pointee *pointee = find_pointee(symboliser, block);
    uint64_t whole = pointee ? variable_type_size((Dwarf_Die *)&pointee->type) : 0;
    struct buffer path = {0};
    if (!whole)
        return NULL;
    if (offset >= whole) /* several of them in one block */
        buffer_printf(&path, "[%llu]", (unsigned long long)(offset / whole));
    variable_path(&path, pointee->type, offset % whole, size);
    const char *name = arena_bytes(symboliser->arena, path.data ? path.data : "", path.length);
    buffer_release(&path);
    return name;
}
