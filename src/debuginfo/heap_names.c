/* What heap blocks hold and how reports name them.
 *
 *     pool (a local of main) ─▶ block ─▶ .connections_ (vector) ─▶ block ─▶ [1] ─▶ block
 *
 *     pool->connections_[1]->mutex
 *
 * A block is named by a path to it: from a variable, through typed pointers, as they were when
 * the execution ended (board.h, `pointer`). The cheapest path wins: few steps, globals before
 * locals, main before other threads. A block without such a path is named by its type and the
 * line of the program that allocated it.
 *
 * The type of a block follows from the code that allocated it (heap_types.c), or else from a
 * typed pointer to it. Pointers that operations read or wrote count as well, since the block
 * may have been freed. An optimised main keeps a pointer in a register, which can't be read
 * here; then the declaration that allocates the block is used (`Bank *bank = new Bank`).
 *
 * A pointer that led to several blocks in the execution, such as the head of a lock-free list,
 * would give names that are wrong half of the time, so it is not used.
 *
 * Two blocks never have the same name. Board and debug information are untrusted: paths have at
 * most HOPS_MAX steps, and each block is named once. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "debuginfo/cxx_names.h"
#include "debuginfo/heap_blocks.h"

#define HOPS_MAX        6
#define POINTERS_MAX    64 /* examined for one block */
#define PATH_MAX_LENGTH 60
#define COST_DECLARED   30 /* of a path that is only known from a declaration */

/* --- Types --- */

const char *type_in_words(struct symboliser *symboliser, Dwarf_Die type)
{
    struct buffer text = {0};
    Dwarf_Die held;
    const char *name = peel_type(&type) ? dwarf_diename(&type) : dwarf_diename(&type);
    for (int i = 0; i < HOPS_MAX && name_is_reserved(name) && template_argument(&type, &held);
         i++) { /* for a node of the library, show what it holds */
        type = held;
        name = dwarf_diename(&type);
    }
    if (!name)
        return dwarf_tag(&type) == DW_TAG_structure_type ? "lambda" : "object";
    add_elided_name(&text, name);
    const char *kept = arena_text(symboliser->arena, text.data ? text.data : "");
    buffer_release(&text);
    return kept;
}

/* --- The name of a part --- */

/* "push" of "Queue<Job>::push": the line number says which one it is. */
static const char *unqualified_name(const char *name)
{
    int open = 0;
    for (size_t i = strlen(name); i-- > 1;) {
        open += (name[i] == '>' || name[i] == ')') - (name[i] == '<' || name[i] == '(');
        if (open == 0 && name[i] == ':' && name[i - 1] == ':')
            return name + i + 1;
    }
    return name;
}

/* "push():23" */
static const char *site_of(struct symboliser *symboliser, struct heap_object *object)
{
    if (object->site)
        return object->site;
    struct heap_names *names = heap_names_of(symboliser);
    const struct board_block *block = object->block;
    struct source_stack stack = symbolise_stack(symboliser, &block->allocated, false);
    const struct source_place *place = stack_user_place(&stack);
    struct buffer text = {0};
    object->by_new = stack.count && stack.place[0].function &&
                     (begins_with(stack.place[0].function, "operator new") ||
                      strstr(stack.place[0].function, "allocator<"));
    const struct source_place *caller =
        object->by_new && stack.count > 1 ? &stack.place[1] : NULL;
    object->internal = caller && caller->library && caller->file;
    if (place && place->function) {
        add_elided_name(&text, unqualified_name(place->function));
        if (place->line)
            buffer_printf(&text, "():%d", place->line);
    } else {
        buffer_printf(&text, "%u.%u", block->tid, block->number);
    }
    uint64_t *same = table_put(&names->site, hash_of_text(text.data), 0, NULL);
    object->at_site = ++*same;
    object->site = arena_text(symboliser->arena, text.data);
    buffer_release(&text);
    return object->site;
}

/* "Node#2": unique, so that a report gives the place of the allocation only once. */
static const char *label_of(struct symboliser *symboliser, struct heap_object *object)
{
    if (object->label)
        return object->label;
    const char *type = type_in_words(symboliser, object->type);
    uint64_t *same = table_put(&heap_names_of(symboliser)->label, hash_of_text(type), 0, NULL);
    object->label =
        arena_format(symboliser->arena, "%s#%llu", type, (unsigned long long)++*same);
    return object->label;
}

/* "heap block of push():23", the second one there "heap block of push():23 #2". */
static void add_plain_block(struct symboliser *symboliser, struct buffer *out,
                            struct heap_object *object)
{
    buffer_printf(out, "heap block of %s", site_of(symboliser, object));
    if (object->at_site > 1)
        buffer_printf(out, " #%llu", (unsigned long long)object->at_site);
}

/* The pointer, followed: "acc->balance", "slots[2].seq", "*total". */
static void add_followed(struct buffer *out, const struct heap_object *object, const char *part,
                         uint64_t index, bool several)
{
    switch (object->join) {
    case JOIN_NODE: /* the brackets already stand for the value */
        if (object->key && begins_with(part, ".second"))
            part += strlen(".second");
        buffer_printf(out, "%s%s", object->path, part);
        return;
    case JOIN_DOT:
        buffer_printf(out, "%s%s", object->path, part);
        return;
    case JOIN_COUNTS:
    case JOIN_ARROW:
        if (several)
            break;
        if (*part == '.')
            buffer_printf(out, "%s->%s", object->path, part + 1);
        else
            buffer_printf(out, "%s%s%s", *part ? "" : "*", object->path, part);
        return;
    case JOIN_INDEX:
        break;
    }
    buffer_printf(out, "%s[%llu]%s", object->path, (unsigned long long)index, part);
}

static void add_unknown_part(struct symboliser *symboliser, struct buffer *out,
                             struct heap_object *object, uint64_t offset)
{
    if (object->path)
        buffer_printf(out, "*%s", object->path);
    else
        add_plain_block(symboliser, out, object);
    if (offset)
        buffer_printf(out, " (+%llu)", (unsigned long long)offset);
}

static bool is_count(const char *member)
{
    return member &&
           (strcmp(member, "_M_use_count") == 0 || strcmp(member, "_M_weak_count") == 0);
}

static struct variable_part add_part(struct symboliser *symboliser, struct buffer *out,
                                     struct heap_object *object, uint64_t offset, unsigned size)
{
    uint64_t whole = object->typed ? variable_type_size(&object->type) : 0;
    struct variable_part part = {.found = false};
    uint64_t index = whole ? offset / whole : 0;
    bool several = object->block->size >= 2 * whole;
    if (!whole || (index && !several)) { /* or of a derived class, or past the block's end */
        add_unknown_part(symboliser, out, object, offset);
        part.internal = !whole && object->internal;
        return part;
    }
    struct buffer path = {0};
    part = variable_part(&path, object->type, offset % whole, size);
    const char *text = path.data ? path.data : "";
    Dwarf_Die type = object->type;
    peel_type(&type);
    part.internal = name_is_reserved(dwarf_diename(&type)) && !part.in_storage;
    if (object->path && is_count(part.member))
        buffer_printf(out, "%s.%s()", object->path, part.member + strlen("_M_"));
    else if (object->path)
        add_followed(out, object, text, index, several);
    else if (site_of(symboliser, object) && object->by_new) {
        buffer_text(out, label_of(symboliser, object));
        if (several)
            buffer_printf(out, "[%llu]", (unsigned long long)index);
        if (is_count(part.member))
            buffer_printf(out, " %s", strstr(part.member, "use") ? "use count" : "weak count");
        buffer_printf(out, "%s (new at %s)", text, object->site);
    } else {
        add_plain_block(symboliser, out, object);
        if (several && index)
            buffer_printf(out, "[%llu]", (unsigned long long)index);
        buffer_text(out, text);
    }
    buffer_release(&path);
    return part;
}

/* --- Ways to a block --- */

struct heap_way {
    struct buffer path;
    const char *container; /* what is linked by the pointer; NULL: it is no link */
    struct variable_part part;
    unsigned cost;
};

static void name_object(struct symboliser *symboliser, struct heap_object *object, int hops);

/* Only variables of main are used: they live as long as the threads do. Those of other
 * functions come and go, and the names would, too. */
static void take_local_way(struct symboliser *symboliser, const struct board_pointer *pointer,
                           struct heap_way *way)
{
    const struct board_home *home = &pointer->home;
    const char *function = home->tid == 0 ? function_of_home(symboliser, home) : NULL;
    if (!function || strcmp(function, "main") != 0)
        return;
    way->part = local_at_address(symboliser, home, pointer->address, 8, &way->path);
    if (way->path.length && strcmp(way->path.data, "this") == 0) /* of an inlined function */
        way->part.found = false;
    way->cost = 10 + (way->part.current ? 0 : 20);
}

static void take_heap_way(struct symboliser *symboliser, const struct board_block *holder,
                          const struct heap_object *object, const struct board_pointer *pointer,
                          int hops, struct heap_way *way)
{
    struct heap_object *inner = heap_object_of(symboliser, holder);
    if (inner == object)
        return;
    name_object(symboliser, inner, hops + 1);
    if (!inner->path || !inner->typed)
        return;
    way->part = add_part(symboliser, &way->path, inner, pointer->address - holder->base, 8);
    way->cost = inner->cost + 10;
    bool link = inner->join == JOIN_NODE && !way->part.in_storage; /* to the next node */
    way->container = link ? inner->container : NULL;
}

/* Is it a member of the library that does not lead to the object that its name suggests? */
static bool is_misleading(const char *member)
{
    static const char *const members[] = {"_M_finish", "_M_end_of_storage", "_M_last",
                                          "_M_cur",    "_M_node",           NULL};
    for (const char *const *each = members; member && *each; each++)
        if (strcmp(member, *each) == 0)
            return true;
    return false;
}

static enum join join_of(const struct variable_part *part, Dwarf_Die *pointer)
{
    static const struct {
        const char *member;
        enum join join;
    } joins[] = {
        {"_M_start", JOIN_INDEX},      {"_M_map", JOIN_INDEX},   {"_M_first", JOIN_NODE},
        {"_M_next", JOIN_NODE},        {"_M_prev", JOIN_NODE},   {"_M_left", JOIN_NODE},
        {"_M_right", JOIN_NODE},       {"_M_parent", JOIN_NODE}, {"_M_nxt", JOIN_NODE},
        {"_M_buckets", JOIN_NODE},     {"_M_pi", JOIN_COUNTS},   {"_M_object", JOIN_DOT},
        {"_M_const_object", JOIN_DOT},
    };
    for (size_t i = 0; part->member && i < sizeof joins / sizeof *joins; i++)
        if (strcmp(part->member, joins[i].member) == 0)
            return joins[i].join;
    return dwarf_tag(pointer) == DW_TAG_pointer_type ? JOIN_ARROW : JOIN_DOT;
}

static bool is_pointer(Dwarf_Die *type)
{
    int tag = dwarf_tag(type);
    return tag == DW_TAG_pointer_type || tag == DW_TAG_reference_type ||
           tag == DW_TAG_rvalue_reference_type;
}

/* Names a node "accounts[7]" if it has a key, or is in a list, otherwise "nodes[…]". */
static void name_node(struct symboliser *symboliser, struct heap_object *object)
{
    if (!object->key && object->typed)
        object->key = node_key(symboliser, &object->type, object->block->base);
    if (!object->key && object->typed)
        object->key = list_position(symboliser, &object->type, object->block);
    object->path = arena_format(symboliser->arena, "%s[%s]", object->container,
                                object->key ? object->key : "…");
}

/* Take the path if it is the cheapest so far. */
static void consider_way(struct symboliser *symboliser, struct heap_object *object,
                         const struct board_pointer *pointer, struct heap_way *way)
{
    Dwarf_Die target;
    const struct held_values *held =
        table_get(&heap_names_of(symboliser)->held, pointer->address, 0);
    if (!way->part.found || (held && held->several) || !is_pointer(&way->part.type) ||
        !way->path.length || name_is_reserved(way->path.data) ||
        way->path.length > PATH_MAX_LENGTH || is_misleading(way->part.member))
        return;
    bool points = variable_type(&way->part.type, &target) && variable_type_size(&target) > 0;
    /* also from the array of buckets of a hash table, which has no members */
    enum join join = way->container ? JOIN_NODE : join_of(&way->part, &way->part.type);
    unsigned cost = way->cost + (join == JOIN_COUNTS ? 40 : 0);
    if ((object->path && object->cost <= cost) || (!points && !object->typed))
        return;
    object->cost = cost;
    object->path = arena_text(symboliser->arena, way->path.data);
    object->container = way->container ? way->container : object->path;
    object->pointer_at = pointer->address;
    object->join = join;
    if (join == JOIN_NODE)
        name_node(symboliser, object);
}

static void learn_type(struct heap_object *object, const struct variable_part *part,
                       uint64_t value)
{
    Dwarf_Die target;
    if (object->typed || value != object->block->base || !part->found ||
        !is_pointer((Dwarf_Die *)&part->type) ||
        !variable_type((Dwarf_Die *)&part->type, &target) || !variable_type_size(&target) ||
        variable_type_size(&target) > object->block->size)
        return;
    object->typed = true;
    object->type = target;
}

static void follow_pointer(struct symboliser *symboliser, struct heap_object *object,
                           const struct board_pointer *pointer, int hops)
{
    struct heap_way way = {.cost = 0};
    const struct board_block *holder = live_block(heap_names_of(symboliser), pointer->address);
    if (pointer->home.kind == HOME_STACK)
        take_local_way(symboliser, pointer, &way);
    else if (holder)
        take_heap_way(symboliser, holder, object, pointer, hops, &way);
    else
        way.part = variable_at_address(symboliser, pointer->address, 8, &way.path);
    if (!is_misleading(way.part.member))
        learn_type(object, &way.part, pointer->value);
    consider_way(symboliser, object, pointer, &way);
    buffer_release(&way.path);
}

/* If another block already has this path, nodes of a container are numbered, and other blocks
 * are named by their type. */
static void make_path_unique(struct symboliser *symboliser, struct heap_object *object)
{
    if (!object->path)
        return;
    bool node = object->join == JOIN_NODE; /* not what the pointer in the node leads to */
    uint64_t *same =
        table_put(&heap_names_of(symboliser)->path, hash_of_text(object->path), node, NULL);
    if (++*same > 1)
        object->path =
            node ? arena_format(symboliser->arena, "%s[%s #%llu]", object->container,
                                object->key ? object->key : "…", (unsigned long long)*same)
                 : NULL;
}

static void name_object(struct symboliser *symboliser, struct heap_object *object, int hops)
{
    const struct heap_names *names = heap_names_of(symboliser);
    const struct board_block *block = object->block;
    if (object->named || hops > HOPS_MAX)
        return;
    object->named = true; /* a path that leads back here does not count */
    const char *declared = find_allocated_type(symboliser, block, &object->type);
    object->typed = declared != NULL;
    if (declared && *declared) {
        object->path = object->container = declared;
        object->cost = COST_DECLARED;
    }
    if (live_block(names, block->base) &&
        live_block(names, block->base)->number == block->number)
        for (size_t i = first_pointer(names, block->base), seen = 0;
             i < names->npointers && names->pointer[i]->value - block->base < block->size &&
             seen < POINTERS_MAX;
             i++, seen++)
            follow_pointer(symboliser, object, names->pointer[i], hops);
    make_path_unique(symboliser, object);
}

/* --- For reports --- */

void symbolise_pointer(struct symboliser *symboliser, uint64_t address,
                       const struct board_home *home, const struct board_block *inside,
                       const struct board_block *block, uint64_t value)
{
    struct buffer ignored = {0};
    struct heap_object *object = heap_object_of(symboliser, block);
    struct variable_part part = {.found = false};
    name_object(symboliser, object, 0);
    if (!object->typed && inside) {
        struct heap_object *holder = heap_object_of(symboliser, inside);
        name_object(symboliser, holder, 0);
        if (holder->typed)
            part = add_part(symboliser, &ignored, holder, address - inside->base, 8);
    } else if (!object->typed && home->kind == HOME_STACK) {
        part = local_at_address(symboliser, home, address, 8, &ignored);
    } else if (!object->typed) {
        part = variable_at_address(symboliser, address, 8, &ignored);
    }
    learn_type(object, &part, value);
    buffer_release(&ignored);
}

const char *symbolise_heap(struct symboliser *symboliser, const struct board_block *block,
                           uint64_t address, unsigned size, bool *internal)
{
    struct buffer text = {0};
    struct heap_object *object = heap_object_of(symboliser, block);
    struct heap_object **last =
        table_put(&heap_names_of(symboliser)->last, block->base, 0, NULL);
    *last = object;
    name_object(symboliser, object, 0);
    struct variable_part part =
        add_part(symboliser, &text, object, address - block->base, size);
    *internal = part.internal;
    const char *name = arena_text(symboliser->arena, text.data);
    buffer_release(&text);
    return name;
}

struct variable_part heap_part(struct symboliser *symboliser, const struct board_block *block,
                               uint64_t address, unsigned size)
{
    struct buffer ignored = {0};
    struct heap_object *object = heap_object_of(symboliser, block);
    name_object(symboliser, object, 0);
    struct variable_part part = {.found = false};
    if (object->typed)
        part = add_part(symboliser, &ignored, object, address - block->base, size);
    buffer_release(&ignored);
    return part;
}

static const char *pointer_text(struct symboliser *symboliser, struct heap_object *object,
                                uint64_t held_at)
{
    name_object(symboliser, object, 0);
    if (object->path && object->pointer_at != held_at && object->join != JOIN_NODE)
        return object->path;
    const char *site = site_of(symboliser, object);
    if (object->typed && object->by_new)
        return arena_format(symboliser->arena, "%s (new at %s)", label_of(symboliser, object),
                            site);
    struct buffer text = {0};
    add_plain_block(symboliser, &text, object);
    const char *name = arena_text(symboliser->arena, text.data);
    buffer_release(&text);
    return name;
}

const char *symbolise_block(struct symboliser *symboliser, const struct board_block *block)
{
    return pointer_text(symboliser, heap_object_of(symboliser, block), 0);
}

const char *heap_pointer_text(struct symboliser *symboliser, uint64_t value, uint64_t held_at)
{
    struct heap_names *names = heap_names_of(symboliser);
    struct heap_object **last = table_get(&names->last, value, 0);
    const struct board_block *block = block_around(names->mentioned, names->nmentioned, value);
    if (!block)
        block = live_block(names, value);
    struct heap_object *object = last    ? *last
                                 : block ? heap_object_of(symboliser, block)
                                         : NULL;
    if (!object)
        return NULL;
    uint64_t offset = value - object->block->base;
    if (offset == 0)
        return pointer_text(symboliser, object, held_at);
    struct buffer text = {0};
    name_object(symboliser, object, 0);
    add_part(symboliser, &text, object, offset, 0);
    const char *kept = arena_format(symboliser->arena, "&%s", text.data);
    buffer_release(&text);
    return kept;
}

const char *symbolise_beside(struct symboliser *symboliser, const struct board_block *block,
                             uint64_t address)
{
    struct heap_object *object = heap_object_of(symboliser, block);
    const char *name = pointer_text(symboliser, object, 0);
    bool before = address < block->base;
    uint64_t distance = before ? block->base - address : address - block->base - block->size;
    const char *plain = begins_with(name, "heap block") ? "" : "block of ";
    struct arena *arena = symboliser->arena;
    const char *far = distance == 0
                          ? "just"
                          : arena_format(arena, "%llu byte%s", (unsigned long long)distance,
                                         distance == 1 ? "" : "s");
    return arena_format(arena, "%s %s the %llu-byte %s%s", far, before ? "before" : "behind",
                        (unsigned long long)block->size, plain, name);
}
