/* Variables on a thread's stack, and thread-local ones: from where an address lives
 * (board_home) to "total of main()" and "errors in T2".
 *
 *     home: pc, sp, bp ── call frame information ──▶ canonical frame address
 *                     └── function at pc ── its variables' locations ──▶ the one around address
 *
 * A location counts if the debug information gives it for any part of the function: a variable
 * whose address is known elsewhere does not move, although its range may begin after the entry.
 * If variables of several blocks share a place, the result is the one whose block the function
 * is in now. */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "debuginfo/languages.h"
#include "debuginfo/symbolise_private.h"

#define NESTING_MAX       64
#define USE_FRAME_ADDRESS (UINT64_C(1) << 40)
#define USE_STEPS         1024 /* variables, or bytes of none, in one use */

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
            /* the function is in a call, so the return address may be just past the end of the
             * block */
            bool inside = dwarf_haspc(&die, frame->home->at - frame->bias - 1) > 0;
            search_scope(frame, &die, current && inside, address, local, nesting + 1);
            break;
        }
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

/* The function, not inlined, that contains the code. Above an inlined function dwarf_getscopes
 * continues where that function was written, so the search starts again from the innermost
 * scope. */
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

/* Does a global variable have the name that the path of a local one begins with? */
static bool is_ambiguous(struct symboliser *symboliser, const char *path)
{
    char *name = copy_bytes(path, strcspn(path, ".[+"));
    unsigned char *known =
        table_put(&symboliser->globals, hash_of_text(name), strlen(name), NULL);
    if (!*known)
        *known = variable_is_global(symboliser, name) ? 2 : 1;
    free(name);
    return *known == 2;
}

/* To tell variables apart, the name includes the function, and the thread unless it is main.
 * The variables of main live as long as the threads do, and are known as well as global ones.
 */
static void add_owner(struct symboliser *symboliser, struct buffer *path, const char *function,
                      int tid)
{
    if (function && tid == 0 && strcmp(function, "main") == 0 &&
        !is_ambiguous(symboliser, path->data))
        return;
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

/* Does the variable stay in one place in memory? */
static bool keeps_place(Dwarf_Die *variable)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr base, start, end;
    Dwarf_Op *expression;
    size_t count;
    if (!dwarf_attr(variable, DW_AT_location, &attribute))
        return dwarf_hasattr(variable, DW_AT_const_value) ||
               dwarf_hasattr_integrate(variable, DW_AT_declaration);
    return dwarf_getlocations(&attribute, 0, &base, &start, &end, &expression, &count) > 0 &&
           start == 0 && end == (Dwarf_Addr)-1 && count > 0 &&
           !(expression->atom >= DW_OP_reg0 && expression->atom <= DW_OP_reg31);
}

/* Do all variables of the function keep their places, as without optimisation? */
static bool all_keep_places(Dwarf_Die *scope, int nesting)
{
    Dwarf_Die die;
    if (nesting > NESTING_MAX)
        return false;
    if (dwarf_child(scope, &die) != 0)
        return true;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            if (!keeps_place(&die))
                return false;
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
            if (!all_keep_places(&die, nesting + 1))
                return false;
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
    return true;
}

/* Of a use, only the canonical frame address is known. Code built for Mazur keeps its frame
 * pointer two words below it. */
static struct board_home home_of_use(const struct board_use *use)
{
    return (struct board_home){
        .kind = HOME_STACK, .pc = use->pc - 1, .bp = USE_FRAME_ADDRESS - 16, .at = use->pc};
}

/* Does a call outside the block of a variable happen after the end of that block? Not
 * necessarily in C++ compiled by clang, which counts the destructors at the end of a block as
 * part of the code after it. And optimised code puts temporary objects, which have no name,
 * where the variables of ended blocks were; C has almost no temporary objects. */
static bool blocks_can_be_told(Dwarf_Die *function)
{
    Dwarf_Die unit;
    if (!dwarf_diecu(function, &unit, NULL, NULL))
        return false;
    return language_is_c(dwarf_srclang(&unit)) ||
           (unit_is_from_gcc(&unit) && all_keep_places(function, 0));
}

const char *symbolise_ended_block(struct symboliser *symboliser, const struct board_use *use)
{
    struct board_home home = home_of_use(use);
    struct unwound_frame frame = {.home = &home};
    Dwarf_Die function;
    Dwfl_Module *module = dwfl_addrmodule(symboliser->dwfl, home.pc);
    if (!module || !find_function(symboliser, module, &frame, &function) ||
        !blocks_can_be_told(&function))
        return NULL;
    uint64_t address = USE_FRAME_ADDRESS + (uint64_t)use->low;
    uint64_t end = USE_FRAME_ADDRESS + (uint64_t)use->high;
    for (int steps = 0; address < end && steps < USE_STEPS; steps++) {
        struct found_local local = find_local(symboliser, &home, address);
        if (local.found && !local.current) {
            struct buffer path = {0};
            buffer_text(&path, local.name);
            add_owner(symboliser, &path, function_of_home(symboliser, &home), 0);
            char *name = arena_bytes(symboliser->arena, path.data, path.length);
            buffer_release(&path);
            return name;
        }
        uint64_t size = local.found ? variable_type_size(&local.type) : 0;
        address = size ? local.start + size : address + 1;
    }
    return NULL;
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
    add_owner(symboliser, &path, owner, home->tid);
    char *name = arena_bytes(symboliser->arena, path.data, path.length);
    buffer_release(&path);
    return name;
}
