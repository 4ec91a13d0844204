/* Values that are addresses, by what they point to, since an address says nothing and differs
 * from run to run:
 *
 *     cache.all_[1]                    a heap block
 *     &head, &node of enter() in T2    a variable
 *     flush                            a function
 *     "north"                          a literal
 *     Node #1                          an object about which nothing else is known; the number
 *                                      only says which values are the same
 *
 * What the program stores is untrusted: any number may look like an address. */
#include <dwarf.h>
#include <gelf.h>
#include <string.h>

#include "debuginfo/languages.h"
#include "debuginfo/symbolise_private.h"

#define ADDRESS_LEAST   UINT64_C(0x10000)        /* less is a number that marks something */
#define ADDRESS_MOST    UINT64_C(0x7fffffffffff) /* of user space */
#define LITERAL_LONGEST 24
#define MARKS           UINT64_C(7) /* the bits of an aligned address that programs use */

/* A literal in memory that can't change, in quotes; NULL: there is none. */
static const char *literal_at(struct symboliser *symboliser, uint64_t address)
{
    Dwarf_Addr offset = address, bias;
    GElf_Shdr header;
    char text[LITERAL_LONGEST + 1];
    Dwfl_Module *module = dwfl_addrmodule(symboliser->dwfl, address);
    Elf_Scn *section = module ? dwfl_module_address_section(module, &offset, &bias) : NULL;
    Elf_Data *data = section && gelf_getshdr(section, &header) &&
                             !(header.sh_flags & (SHF_WRITE | SHF_EXECINSTR)) &&
                             header.sh_type == SHT_PROGBITS
                         ? elf_rawdata(section, NULL)
                         : NULL;
    size_t length = 0;
    if (!data || !data->d_buf || offset >= data->d_size)
        return NULL;
    const char *from = (const char *)data->d_buf + offset;
    for (; length < LITERAL_LONGEST && offset + length < data->d_size && from[length];
         length++) {
        if (from[length] < ' ' || from[length] > '~' || from[length] == '"')
            return NULL;
        text[length] = from[length];
    }
    text[length] = 0;
    bool more = offset + length < data->d_size && from[length];
    return arena_format(symboliser->arena, "\"%s%s\"", text, more ? "…" : "");
}

/* A variable on a stack, or a thread's own, that an operation was about. */
static const char *local_at(struct symboliser *symboliser, uint64_t address, uint64_t size)
{
    const struct board *board = symboliser->board;
    for (uint32_t i = 0; i < board->nevents; i++) {
        const struct board_event *event = &board->event[i];
        if (event->home.kind == HOME_NONE || event->address < address ||
            event->address - address >= (size ? size : 1))
            continue;
        const char *name = symbolise_home(symboliser, &event->home, address, (unsigned)size);
        return name ? arena_format(symboliser->arena, "&%s", name) : NULL;
    }
    return NULL;
}

/* "Node #1": the objects are numbered in the order in which pointers to them appear. */
static const char *unnamed_object(struct symboliser *symboliser, Dwarf_Die *target)
{
    int tag = target ? dwarf_tag(target) : 0;
    bool composed = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
    return arena_format(symboliser->arena, "%s #%u",
                        composed ? type_in_words(symboliser, *target) : "object",
                        ++symboliser->unnamed);
}

/* What is not in the heap: `target` NULL: a void *. */
static const char *name_pointee(struct symboliser *symboliser, Dwarf_Die *target,
                                uint64_t value)
{
    int tag = target ? dwarf_tag(target) : 0;
    if (tag == DW_TAG_subroutine_type) {
        struct source_stack places = symbolise_code(symboliser, value, false);
        const char *function = places.count ? places.place[places.count - 1].function : NULL;
        if (function)
            return function;
    }
    uint64_t size = target ? variable_type_size(target) : 0;
    const char *name = symbolise_data(symboliser, value, (unsigned)size);
    if (name)
        return arena_format(symboliser->arena, "&%s", name);
    name = tag == DW_TAG_base_type && size == 1 ? literal_at(symboliser, value) : NULL;
    name = name ? name : local_at(symboliser, value, size);
    return name ? name : unnamed_object(symboliser, target);
}

static bool is_cplusplus(Dwarf_Die *die)
{
    Dwarf_Die unit;
    int language = dwarf_diecu(die, &unit, NULL, NULL) ? dwarf_srclang(&unit) : -1;
    return language > 0 && !language_is_c(language);
}

const char *pointer_value(struct symboliser *symboliser, Dwarf_Die *pointer, uint64_t value,
                          uint64_t held_at)
{
    if (value == 0)
        return is_cplusplus(pointer) ? "nullptr" : NULL;
    if (value < ADDRESS_LEAST || value > ADDRESS_MOST)
        return NULL;
    const char *block = heap_pointer_text(symboliser, value, held_at);
    if (block)
        return block;
    Dwarf_Die target;
    bool typed = variable_type(pointer, &target) && peel_type(&target);
    bool fresh = false;
    const char **text = table_put(&symboliser->pointee, value, 0, &fresh);
    if (fresh)
        *text = name_pointee(symboliser, typed ? &target : NULL, value);
    return *text;
}

const char *address_value(struct symboliser *symboliser, uint64_t value)
{
    uint64_t marks = value & MARKS;
    if (value < ADDRESS_LEAST || value > ADDRESS_MOST)
        return NULL;
    const char *block = heap_pointer_text(symboliser, value - marks, 0);
    if (!block || !marks)
        return block;
    return arena_format(symboliser->arena, "%s | %llu", block, (unsigned long long)marks);
}

const char *handle_value(struct symboliser *symboliser, uint64_t handle)
{
    const struct board *board = symboliser->board;
    if (!handle)
        return "none";
    for (uint32_t i = 0; i < board->nthreads; i++)
        if (board->thread[i].handle == handle)
            return i ? arena_format(symboliser->arena, "T%u", i) : "main";
    return NULL;
}
