/* See frames.h. */
#include "debuginfo/frames.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"
#include "host/buffer.h"

#define FRAME_POINTER_REGISTER 6   /* as DWARF numbers %rbp */
#define FRAME_POINTER_OFFSET   -16 /* it points to the caller's, below the return address */

struct function_frame {
    uint64_t start;
    size_t first; /* objects */
    size_t count;
};

struct frames {
    struct symboliser *symboliser;
    struct frame_object *object;
    size_t nobjects;
    size_t objects_capacity;
    struct function_frame *function;
    size_t nfunctions;
    size_t functions_capacity;
    struct frames_unit {
        uint64_t name; /* what identifies it */
        bool from_gcc;
    } * unit; /* that have been read */
    size_t nunits;
    size_t units_capacity;
    bool from_gcc; /* the unit that is being read, or was requested */
};

struct frames *frames_new(struct symboliser *symboliser)
{
    struct frames *frames = allocate(sizeof *frames);
    frames->symboliser = symboliser;
    return frames;
}

void frames_free(struct frames *frames)
{
    free(frames->object);
    free(frames->function);
    free(frames->unit);
    free(frames);
}

/* --- Variables --- */

/* Its size, or 0 if that is not constant; and whether it is a structure, union, class or array.
 */
static uint64_t variable_size(Dwarf_Die *variable, bool *aggregate)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    Dwarf_Word size = 0;
    if (!dwarf_attr_integrate(variable, DW_AT_type, &attribute) ||
        !dwarf_formref_die(&attribute, &type) || dwarf_peel_type(&type, &type) != 0)
        return 0;
    int tag = dwarf_tag(&type);
    *aggregate = tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
                 tag == DW_TAG_union_type || tag == DW_TAG_array_type;
    return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

struct code_span {
    uint64_t start;
    uint64_t end;
};

/* From the first to the last instruction of the scope. */
static struct code_span span_of(Dwarf_Die *scope, uint64_t bias, struct code_span outer)
{
    Dwarf_Addr base, start, end;
    struct code_span span = {UINT64_MAX, 0};
    for (ptrdiff_t at = 0; (at = dwarf_ranges(scope, at, &base, &start, &end)) > 0;) {
        span.start = start + bias < span.start ? start + bias : span.start;
        span.end = end + bias > span.end ? end + bias : span.end;
    }
    return span.end ? span : outer;
}

/* What DW_OP_fbreg is relative to, as an offset from the canonical frame address. */
struct frame_base {
    int64_t offset;
    bool is_pointer; /* the frame pointer: clang also uses its register */
};

static bool is_in_frame(const Dwarf_Op *operation, struct frame_base frame_base,
                        int64_t *offset)
{
    bool by_register =
        frame_base.is_pointer && operation->atom == DW_OP_breg0 + FRAME_POINTER_REGISTER;
    if (operation->atom != DW_OP_fbreg && !by_register)
        return false;
    *offset =
        (by_register ? FRAME_POINTER_OFFSET : frame_base.offset) + (int64_t)operation->number;
    return true;
}

/* Where it is in the frame, while it is live. */
static void add_variable(struct frames *frames, Dwarf_Die *variable,
                         struct frame_base frame_base, uint64_t bias, struct code_span scope)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr base, start, end;
    Dwarf_Op *operations;
    size_t count;
    bool aggregate = false;
    uint64_t size = variable_size(variable, &aggregate);
    if (size == 0 || !dwarf_attr_integrate(variable, DW_AT_location, &attribute))
        return;
    for (ptrdiff_t at = 0; (at = dwarf_getlocations(&attribute, at, &base, &start, &end,
                                                    &operations, &count)) > 0;) {
        bool always = start == 0 && end == (Dwarf_Addr)-1;
        int64_t offset;
        if (count != 1 || !is_in_frame(&operations[0], frame_base, &offset))
            continue;
        frames->object = grow_array(frames->object, &frames->objects_capacity, frames->nobjects,
                                    sizeof *frames->object);
        frames->object[frames->nobjects++] =
            (struct frame_object){.offset = offset,
                                  .size = size,
                                  .aggregate = aggregate,
                                  .start = always ? scope.start : start + bias,
                                  .end = always ? scope.end : end + bias,
                                  .scope_start = scope.start,
                                  .scope_end = scope.end};
    }
}

static void add_variables(struct frames *frames, Dwarf_Die *scope, struct frame_base frame_base,
                          uint64_t bias, struct code_span span)
{
    Dwarf_Die die;
    if (dwarf_child(scope, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
            add_variable(frames, &die, frame_base, bias, span);
        else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
                 tag == DW_TAG_try_block || tag == DW_TAG_catch_block)
            add_variables(frames, &die, frame_base, bias, span_of(&die, bias, span));
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* --- Functions --- */

/* gcc: the canonical frame address itself; clang: the frame pointer. */
static bool frame_base_of(Dwarf_Die *function, struct frame_base *base)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t count;
    if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
        dwarf_getlocation(&attribute, &operations, &count) != 0 || count != 1)
        return false;
    if (operations[0].atom == DW_OP_call_frame_cfa)
        *base = (struct frame_base){0, false};
    else if (operations[0].atom == DW_OP_reg0 + FRAME_POINTER_REGISTER)
        *base = (struct frame_base){FRAME_POINTER_OFFSET, true};
    else if (operations[0].atom == DW_OP_breg0 + FRAME_POINTER_REGISTER)
        *base = (struct frame_base){FRAME_POINTER_OFFSET + (int64_t)operations[0].number, true};
    else
        return false;
    return true;
}

static void add_functions(struct frames *frames, Dwarf_Die *scope, uint64_t bias);

/* gcc puts a lambda that it has not optimised inside its type, inside the function. */
static void add_local_functions(struct frames *frames, Dwarf_Die *scope, uint64_t bias)
{
    Dwarf_Die die;
    if (dwarf_child(scope, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type)
            add_functions(frames, &die, bias);
        else if (tag == DW_TAG_lexical_block)
            add_local_functions(frames, &die, bias);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static void add_function(struct frames *frames, Dwarf_Die *function, uint64_t bias)
{
    Dwarf_Addr base, start, end;
    struct frame_base frame_base;
    size_t first = frames->nobjects;
    if (!frame_base_of(function, &frame_base))
        return;
    add_variables(frames, function, frame_base, bias,
                  span_of(function, bias, (struct code_span){0, UINT64_MAX}));
    size_t count = frames->nobjects - first;
    add_local_functions(frames, function, bias);
    for (ptrdiff_t at = 0;
         count > 0 && (at = dwarf_ranges(function, at, &base, &start, &end)) > 0;) {
        frames->function = grow_array(frames->function, &frames->functions_capacity,
                                      frames->nfunctions, sizeof *frames->function);
        frames->function[frames->nfunctions++] =
            (struct function_frame){start + bias, first, count};
    }
}

/* Functions are defined in a unit or in its namespaces; classes only declare theirs. */
static void add_functions(struct frames *frames, Dwarf_Die *scope, uint64_t bias)
{
    Dwarf_Die die;
    if (dwarf_child(scope, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_subprogram)
            add_function(frames, &die, bias);
        else if (tag == DW_TAG_namespace)
            add_functions(frames, &die, bias);
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* --- Units --- */

static int by_start(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

bool unit_is_from_gcc(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    const char *producer = dwarf_formstring(dwarf_attr(unit, DW_AT_producer, &attribute));
    return producer && strncmp(producer, "GNU ", 4) == 0;
}

/* False: no unit has the address. */
static bool read_unit_at(struct frames *frames, uint64_t address)
{
    Dwarf_Addr bias = 0;
    Dwfl *dwfl = frames->symboliser->dwfl;
    Dwfl_Module *module = dwfl ? dwfl_addrmodule(dwfl, address) : NULL;
    Dwarf_Die *unit = module ? unit_of_code(module, address, &bias) : NULL;
    if (!unit)
        return false;
    uint64_t name = dwarf_dieoffset(unit) + bias; /* unique, since modules do not overlap */
    for (size_t i = 0; i < frames->nunits; i++)
        if (frames->unit[i].name == name) {
            frames->from_gcc = frames->unit[i].from_gcc;
            return true;
        }
    frames->unit =
        grow_array(frames->unit, &frames->units_capacity, frames->nunits, sizeof *frames->unit);
    frames->from_gcc = unit_is_from_gcc(unit);
    frames->unit[frames->nunits++] = (struct frames_unit){name, frames->from_gcc};
    add_functions(frames, unit, bias);
    if (frames->function)
        qsort(frames->function, frames->nfunctions, sizeof *frames->function, by_start);
    return true;
}

bool frames_of_function(struct frames *frames, uint64_t start,
                        const struct frame_object **objects, size_t *count, bool *from_gcc)
{
    *count = 0;
    if (!read_unit_at(frames, start))
        return false;
    *from_gcc = frames->from_gcc;
    const struct function_frame *found =
        frames->function ? bsearch(&start, frames->function, frames->nfunctions,
                                   sizeof *frames->function, by_start)
                         : NULL;
    if (found) {
        *count = found->count;
        *objects = &frames->object[found->first];
    }
    return true;
}
