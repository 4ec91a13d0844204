/* See units.h. */
#include "debuginfo/units.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "debuginfo/symbolise_private.h"

static Dwfl_Module *module_number(struct symboliser *symboliser, uint32_t module)
{
    const struct board *board = symboliser->board;
    return module < board->nmodules
               ? dwfl_addrmodule(symboliser->dwfl, board->module[module].start)
               : NULL;
}

static const char *text_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    const char *text = dwarf_formstring(dwarf_attr(die, name, &attribute));
    return text ? text : "";
}

static int by_start(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

struct unit_range *units_of_module(struct symboliser *symboliser, uint32_t module,
                                   size_t *count)
{
    Dwfl_Module *found = module_number(symboliser, module);
    Dwarf_Addr bias = 0, base = 0, start, end;
    Dwarf *dwarf = found ? dwfl_module_getdwarf(found, &bias) : NULL;
    struct unit_range *ranges = NULL;
    size_t capacity = 0;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    *count = 0;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        int language = dwarf_srclang(&die);
        for (ptrdiff_t at = 0; (at = dwarf_ranges(&die, at, &base, &start, &end)) > 0;) {
            ranges = grow_array(ranges, &capacity, *count, sizeof *ranges);
            ranges[(*count)++] = (struct unit_range){.start = start + bias,
                                                     .end = end + bias,
                                                     .unit = dwarf_dieoffset(&die),
                                                     .name = text_of(&die, DW_AT_name),
                                                     .language = language > 0 ? language : 0,
                                                     .producer = text_of(&die, DW_AT_producer)};
        }
    }
    if (ranges)
        qsort(ranges, *count, sizeof *ranges, by_start);
    return ranges;
}

const struct unit_range *unit_range_at(const struct unit_range *ranges, size_t count,
                                       uint64_t address)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ranges[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < ranges[low - 1].end ? &ranges[low - 1] : NULL;
}

struct function_range *functions_of_module(struct symboliser *symboliser, uint32_t module,
                                           size_t *count)
{
    Dwfl_Module *found = module_number(symboliser, module);
    int symbols = found ? dwfl_module_getsymtab(found) : 0;
    struct function_range *functions = NULL;
    size_t capacity = 0;
    *count = 0;
    for (int i = 0; i < symbols; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *name =
            dwfl_module_getsym_info(found, i, &symbol, &address, NULL, NULL, NULL);
        if (!name || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
            symbol.st_size == 0)
            continue;
        functions = grow_array(functions, &capacity, *count, sizeof *functions);
        functions[(*count)++] = (struct function_range){
            .start = address, .end = address + symbol.st_size, .symbol = name};
    }
    if (functions)
        qsort(functions, *count, sizeof *functions, by_start);
    return functions;
}
