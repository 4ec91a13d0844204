/* Variables on a thread's stack, and thread-local ones: from where an address lives
 * (board_home) to "total of main()" and "errors in T2".
 *
 *     home: pc, sp, bp ── call frame information ──▶ canonical frame address
 *                     └── function at pc ── its variables' locations ──▶ the one around address
 *
 * A location counts if the debug information gives it for any part of the function: a variable
 * whose address others know does not move, though its range may begin after the entry. If
 * variables of several blocks share a place, the result is the one whose block the function is
 * in now. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/symbolise_private.h"

#define NESTING_MAX 64

#define REGISTER_BP 6 /* DWARF numbers of the x86-64 psABI */
#define REGISTER_SP 7

struct unwound_frame {
    const struct board_home *home;
    Dwarf_Addr bias;
    uint64_t cfa;  /* 0: not known */
    uint64_t base; /* what DW_OP_fbreg counts from */
};

/* The variable that was found. */
struct found_local {
    bool found;
    bool current; /* its block is the one that the function is in */
    const char *name;
    Dwarf_Die type;
    uint64_t start;
};

static bool from_register(const struct unwound_frame *frame, unsigned number, uint64_t *value)
{
    if (number != REGISTER_BP && number != REGISTER_SP)
        return false;
    *value = number == REGISTER_BP ? frame->home->bp : frame->home->sp;
    return true;
}

/* Evaluates a single operation that gives an address; longer expressions are not supported. */
static bool evaluate_location(const struct unwound_frame *frame, const Dwarf_Op *op,
                              size_t count, uint64_t *value)
{
    if (count != 1)
        return false;
    if (op->atom == DW_OP_fbreg) {
        *value = frame->base + op->number;
        return frame->base != 0;
    }
    if (op->atom == DW_OP_call_frame_cfa) {
        *value = frame->cfa;
        return frame->cfa != 0;
    }
    if (op->atom == DW_OP_bregx) {
        bool known = from_register(frame, (unsigned)op->number, value);
        *value += known ? op->number2 : 0;
        return known;
    }
    if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31)
        return from_register(frame, op->atom - DW_OP_reg0, value);
    if (op->atom < DW_OP_breg0 || op->atom > DW_OP_breg31 ||
        !from_register(frame, op->atom - DW_OP_breg0, value))
        return false;
    *value += op->number;
    return true;
}

static void find_frame_address(struct unwound_frame *frame, Dwfl_Module *module)
{
    Dwarf_Addr bias = 0;
    Dwarf_CFI *rules = dwfl_module_eh_cfi(module, &bias);
    Dwarf_Frame *row = NULL;
    Dwarf_Op *expression;
    size_t count;
    if (!rules || dwarf_cfi_addrframe(rules, frame->home->pc - bias, &row) != 0)
        return;
    if (dwarf_frame_cfa(row, &expression, &count) == 0 &&
        !evaluate_location(frame, expression, count, &frame->cfa))
        frame->cfa = 0;
    free(row);
}

static void find_frame_base(struct unwound_frame *frame, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *expression;
    size_t count;
    if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) ||
        dwarf_getlocation_addr(&attribute, frame->home->pc - frame->bias, &expression, &count,
                               1) != 1 ||
        !evaluate_location(frame, expression, count, &frame->base))
        frame->base = 0;
}

/* Does the variable contain the address, according to any entry of its location list? */
static bool is_around(const struct unwound_frame *frame, Dwarf_Die *variable, uint64_t size,
                      uint64_t address, uint64_t *start)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr base, from, to;
    Dwarf_Op *expression;
    size_t count;
    ptrdiff_t offset = 0;
    if (!dwarf_attr(variable, DW_AT_location, &attribute))
        return false;
    while ((offset = dwarf_getlocations(&attribute, offset, &base, &from, &to, &expression,
                                        &count)) > 0)
        if (count == 1 &&
            !(expression->atom >= DW_OP_reg0 && expression->atom <= DW_OP_reg31) &&
            evaluate_location(frame, expression, count, start) && address - *start < size)
            return true;
    return false;
}

static void consider_variable(const struct unwound_frame *frame, Dwarf_Die *variable,
                              bool current, uint64_t address, struct found_local *local)
{
    Dwarf_Attribute attribute;
    Dwarf_Die type;
    uint64_t start = 0;
    const char *name = dwarf_formstring(dwarf_attr_integrate(variable, DW_AT_name, &attribute));
    if (!name || !variable_type(variable, &type) || (local->found && local->current >= current))
        return;
    uint64_t size =
        variable_type_size(&type); /* 0: clang may omit the definition of a library's class */
    if (is_around(frame, variable, size ? size : 1, address, &start))
        *local = (struct found_local){true, current, name, type, start};
}

static void search_scope(const struct unwound_frame *frame, Dwarf_Die *scope, bool current,
                         uint64_t address, struct found_local *local, int nesting)
{
    Dwarf_Die die;
    if (nesting > NESTING_MAX || dwarf_child(scope, &die) != 0)
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            consider_variable(frame, &die, current, address, local);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine: {
            /* the function is in a call: the return address may be just behind the block */
            bool inside = dwarf_haspc(&die, frame->home->at - frame->bias - 1) > 0;
            search_scope(frame, &die, current && inside, address, local, nesting + 1);
            break;
        }
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* The function, not inlined, that has the code. Above an inlined function dwarf_getscopes goes
 * on where that one was written, so the way up starts again from the innermost scope. */
static bool find_function(struct symboliser *symboliser, Dwfl_Module *module,
                          struct unwound_frame *frame, Dwarf_Die *function)
{
    Dwarf_Die *unit = unit_of_code(module, frame->home->pc, &frame->bias);
    Dwarf_Die *innermost = NULL, *scopes = NULL;
    uint64_t pc = frame->home->pc - frame->bias;
    if (!unit || find_function_code(symboliser, module, pc, function))
        return unit;
    int count = dwarf_getscopes(unit, pc, &innermost);
    if (count > 0)
        count = dwarf_getscopes_die(&innermost[0], &scopes);
    bool found = false;
    for (int i = 0; i < count && !found; i++)
        if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) {
            *function = scopes[i];
            found = true;
        }
    free(innermost);
    free(scopes);
    return found;
}

static struct found_local find_local(struct symboliser *symboliser,
                                     const struct board_home *home, uint64_t address)
{
    struct unwound_frame frame = {.home = home};
    struct found_local local = {0};
    Dwarf_Die function;
    Dwfl_Module *module =
        home->kind == HOME_STACK ? dwfl_addrmodule(symboliser->dwfl, home->pc) : NULL;
    if (module && find_function(symboliser, module, &frame, &function)) {
        find_frame_address(&frame, module);
        find_frame_base(&frame, &function);
        search_scope(&frame, &function, true, address, &local, 0);
    }
    return local;
}

/* To tell variables apart, the name includes the function, and the thread unless it is main. */
static void add_owner(struct buffer *path, const char *function, int tid)
{
    if (function)
        buffer_printf(path, " of %s()", function);
    if (tid > 0 || !function)
        buffer_printf(path, tid > 0 ? " in T%d" : " in main", tid);
}

const char *function_of_home(struct symboliser *symboliser, const struct board_home *home)
{
    struct source_stack places = symbolise_code(symboliser, home->pc, true);
    return places.count ? places.place[places.count - 1].function : NULL;
}

struct variable_part local_at_address(struct symboliser *symboliser,
                                      const struct board_home *home, uint64_t address,
                                      unsigned size, struct buffer *path)
{
    struct found_local local = find_local(symboliser, home, address);
    if (!local.found)
        return (struct variable_part){.found = false};
    buffer_text(path, local.name);
    struct variable_part part = variable_part(path, local.type, address - local.start, size);
    part.current = local.current;
    return part;
}

const char *symbolise_home(struct symboliser *symboliser, const struct board_home *home,
                           uint64_t address, unsigned size)
{
    struct buffer path = {0};
    const char *owner = NULL;
    if (home->kind == HOME_STACK) {
        local_at_address(symboliser, home, address, size, &path);
        owner = function_of_home(symboliser, home);
    } else if (home->kind == HOME_STORAGE) {
        storage_path(symboliser, home->module, home->offset, size, &path);
    }
    if (!path.length)
        return NULL;
    add_owner(&path, owner, home->tid);
    char *name = arena_bytes(symboliser->arena, path.data, path.length);
    buffer_release(&path);
    return name;
}
