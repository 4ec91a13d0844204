/* See machine.h. The instructions that compilers use to compute addresses are executed; every
 * other instruction makes the registers that it may write unknown.
 *
 * Invariant: a register never keeps a value that an instruction may have changed. */
#include "machine/machine.h"

#include <string.h>

#include "base/hash.h"

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* --- Unknowns --- */

static void start_numbers(struct machine *machine, uint64_t address)
{
    machine->unknowns = address << 8;
}

static struct quantity new_unknown(struct machine *machine)
{
    return (struct quantity){hash_mix(machine->unknowns++ * UINT64_C(0x9e3779b97f4a7c15)), 0};
}

static uint64_t cut_to(uint64_t value, uint8_t width)
{
    return width >= 8 ? value : value & ((UINT64_C(1) << (8 * width)) - 1);
}

/* The number for a register at the start of a block if its value depends on the path there. */
static uint64_t number_at_start(uint64_t address, int reg)
{
    return hash_mix(((address << 8) + 0x80 + (uint64_t)reg) * UINT64_C(0x9e3779b97f4a7c15));
}

void machine_enter_function(struct machine *machine, uint64_t address, bool in_frame)
{
    *machine = (struct machine){0};
    for (int i = 0; i < REGISTERS; i++)
        machine->reg[i].value = number_at_start(address, i);
    machine->reg[RSP].of = FRAME;
    machine->reg[RBP].of = in_frame ? FRAME : 0;
    machine->reg[RDI].of = in_frame ? 0 : RESULT; /* if it returns a structure in memory */
}

uint64_t machine_frame(uint64_t address, bool in_frame)
{
    return in_frame ? number_at_start(address, RBP) + 16 : number_at_start(address, RSP) + 8;
}

/* Only the instructions executed here change the stack pointer. */
static void lose_register(struct machine *machine, uint8_t reg)
{
    if (reg < REGISTERS && reg != RSP)
        machine->reg[reg] = new_unknown(machine);
}

static void lose_scratch(struct machine *machine)
{
    static const uint8_t scratch[] = {RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11};
    for (size_t i = 0; i < sizeof scratch; i++)
        lose_register(machine, scratch[i]);
}

void machine_call(struct machine *machine, uint64_t address)
{
    start_numbers(machine, address);
    lose_scratch(machine);
}

/* --- The frame --- */

static const struct cell *find_cell(const struct machine *machine, uint64_t address)
{
    for (int i = 0; i < MACHINE_CELLS; i++)
        if (machine->cell[i].width && machine->cell[i].address == address)
            return &machine->cell[i];
    return NULL;
}

static void forget_cells(struct machine *machine, uint64_t address, uint64_t size)
{
    for (int i = 0; i < MACHINE_CELLS; i++) {
        struct cell *cell = &machine->cell[i];
        if (cell->address - address < size || address - cell->address < cell->width)
            cell->width = 0;
    }
}

static void keep_cell(struct machine *machine, uint64_t address, uint8_t width,
                      struct quantity content)
{
    forget_cells(machine, address, width);
    machine->cell[machine->next_cell] = (struct cell){address, content, width};
    machine->next_cell = (machine->next_cell + 1) % MACHINE_CELLS;
}

bool machine_meet(struct machine *machine, uint64_t address, const struct machine *other)
{
    bool changed = false;
    for (int i = 0; i < REGISTERS; i++) {
        struct quantity *mine = &machine->reg[i], was = *mine;
        if (mine->value != other->reg[i].value)
            mine->value = number_at_start(address, i);
        mine->of &= other->reg[i].of;
        changed |= mine->value != was.value || mine->of != was.of;
    }
    for (int i = 0; i < MACHINE_CELLS; i++) {
        struct cell *mine = &machine->cell[i];
        const struct cell *same = mine->width ? find_cell(other, mine->address) : NULL;
        if (mine->width == 0 ||
            (same && same->width == mine->width && same->content.value == mine->content.value &&
             same->content.of == mine->content.of))
            continue;
        mine->width = 0;
        changed = true;
    }
    return changed;
}

void machine_give_up(struct machine *machine, uint64_t address, uint16_t registers, bool cells)
{
    for (int i = 0; i < REGISTERS; i++)
        if (registers >> i & 1)
            machine->reg[i] = (struct quantity){~number_at_start(address, i), 0};
    for (int i = 0; cells && i < MACHINE_CELLS; i++)
        machine->cell[i] = (struct cell){0};
    machine->next_cell = cells ? 0 : machine->next_cell;
}

/* Slots that the linker fills have the same contents whenever they are read. Other memory is
 * unknown, except that the function's own cells keep their contents until it writes them. */
static struct quantity load_cell(struct machine *machine, const struct instruction *instruction,
                                 struct quantity from, uint8_t width)
{
    if (instruction->elsewhere || !(from.of & OWN))
        return new_unknown(machine);
    if (instruction->site.base == SITE_RIP)
        return (struct quantity){hash_mix(from.value), 0};
    const struct cell *cell = find_cell(machine, from.value);
    if (!cell || cell->width != width) {
        struct quantity content = new_unknown(machine);
        content.value = cut_to(content.value, width);
        keep_cell(machine, from.value, width, content);
        return content;
    }
    return cell->content;
}

/* Is it an address of the module that can't be written? */
static bool is_constant(const struct module_code *module, uint64_t address)
{
    return module_holds(module, address) && !module_has_variable(module, address);
}

struct quantity machine_operand(const struct machine *machine, const struct module_code *module,
                                const struct instruction *instruction, uint64_t address)
{
    const struct board_site *site = &instruction->site;
    uint64_t displacement = (uint64_t)(int64_t)site->displacement;
    struct quantity result = {displacement, 0};
    if (site->base == SITE_RIP)
        result.value += address + site->length;
    if (site->base == SITE_RIP || site->base == SITE_NO_REGISTER) {
        result.of = is_constant(module, result.value) ? CONSTANT : 0;
    } else {
        result.value += machine->reg[site->base].value;
        result.of = machine->reg[site->base].of;
    }
    if (site->index != SITE_NO_REGISTER) {
        result.value += machine->reg[site->index].value << site->scale;
        result.of |= site->scale == 0 ? machine->reg[site->index].of : 0;
    }
    if (site->vector_index != SITE_NO_REGISTER)
        result.value = hash_mix(result.value + address); /* anywhere from there */
    return result;
}

/* --- Operands --- */

static struct quantity read_operand(struct machine *machine, const struct module_code *module,
                                    const struct instruction *i, uint64_t address,
                                    const struct operand *operand)
{
    switch (operand->kind) {
    case OPERAND_MEMORY:
        return load_cell(machine, i, machine_operand(machine, module, i, address),
                         operand->width);
    case OPERAND_IMMEDIATE:
        return (struct quantity){(uint64_t)i->immediate, 0};
    case OPERAND_REGISTER:
        if (operand->reg != SITE_NO_REGISTER && !operand->high)
            return machine->reg[operand->reg];
        return new_unknown(machine);
    default:
        return new_unknown(machine);
    }
}

/* A register becomes unknown as a whole if only a part of it is written. */
static void write_operand(struct machine *machine, const struct module_code *module,
                          const struct instruction *i, uint64_t address,
                          const struct operand *operand, struct quantity value)
{
    value.value = cut_to(value.value, operand->width);
    if (operand->kind == OPERAND_REGISTER && operand->width >= 4 &&
        operand->reg != SITE_NO_REGISTER) {
        machine->reg[operand->reg] = value;
    } else if (operand->kind == OPERAND_REGISTER) {
        lose_register(machine, operand->reg);
    } else if (operand->kind == OPERAND_MEMORY && !i->elsewhere) {
        struct quantity to = machine_operand(machine, module, i, address);
        if (to.of & OWN)
            keep_cell(machine, to.value, operand->width, value);
    }
}

/* --- Arithmetic --- */

static struct quantity combine_quantities(enum operation operation, struct quantity a,
                                          struct quantity b)
{
    switch (operation) {
    case OPERATION_ADD:
        return (struct quantity){a.value + b.value, a.of | b.of};
    case OPERATION_OR:
        return (struct quantity){a.value | b.value, a.of};
    case OPERATION_AND:
        return (struct quantity){a.value & b.value, a.of};
    case OPERATION_SUBTRACT:
        return (struct quantity){a.value - b.value, b.of ? 0 : a.of};
    default: /* exclusive or */
        return (struct quantity){a.value ^ b.value, 0};
    }
}

static uint64_t extend_sign(uint64_t value, uint8_t from)
{
    uint64_t sign = UINT64_C(1) << (8 * from - 1);
    return from >= 8 ? value : (cut_to(value, from) ^ sign) - sign;
}

/* shl, shr, sar by a constant; otherwise the result is unknown. */
static struct quantity shift_quantity(struct machine *machine, const struct instruction *i,
                                      struct quantity value)
{
    uint8_t width = i->operand[0].width;
    uint64_t count = (uint64_t)i->immediate & (width == 8 ? 63 : 31);
    uint64_t whole = cut_to(value.value, width);
    if (i->operand[1].kind != OPERAND_IMMEDIATE || count >= 8u * width)
        return new_unknown(machine);
    if (i->operation == OPERATION_SHIFT_LEFT)
        return (struct quantity){whole << count, 0};
    if (i->operation == OPERATION_SHIFT_RIGHT)
        return (struct quantity){whole >> count, 0};
    return (struct quantity){(uint64_t)((int64_t)extend_sign(whole, width) >> count), 0};
}

/* The result of an instruction whose first operand is its destination. */
static struct quantity compute_result(struct machine *machine, const struct module_code *module,
                                      const struct instruction *i, uint64_t address)
{
    const struct operand *to = &i->operand[0], *from = &i->operand[1];
    struct quantity value;
    switch (i->operation) {
    case OPERATION_MOVE:
        value = read_operand(machine, module, i, address, from);
        if (from->kind == OPERAND_IMMEDIATE && is_constant(module, value.value))
            value.of = CONSTANT;
        return value;
    case OPERATION_ADDRESS:
        return machine_operand(machine, module, i, address);
    case OPERATION_INCREMENT:
    case OPERATION_DECREMENT:
        value = read_operand(machine, module, i, address, to);
        value.value += i->operation == OPERATION_INCREMENT ? 1 : UINT64_MAX;
        return value;
    case OPERATION_SHIFT_LEFT:
    case OPERATION_SHIFT_RIGHT:
    case OPERATION_SHIFT_SIGNED:
        return shift_quantity(machine, i, read_operand(machine, module, i, address, to));
    case OPERATION_MULTIPLY:
        value = read_operand(machine, module, i, address, from);
        return (struct quantity){value.value * (uint64_t)i->immediate, 0};
    case OPERATION_ZERO_EXTEND:
        value = read_operand(machine, module, i, address, from);
        return (struct quantity){cut_to(value.value, from->width), 0};
    case OPERATION_SIGN_EXTEND:
        value = read_operand(machine, module, i, address, from);
        return (struct quantity){extend_sign(value.value, from->width), 0};
    default:
        value = read_operand(machine, module, i, address, to);
        return combine_quantities(i->operation, value,
                                  read_operand(machine, module, i, address, from));
    }
}

/* --- The stack --- */

static void push_quantity(struct machine *machine, uint64_t width, struct quantity value)
{
    machine->reg[RSP].value -= width;
    keep_cell(machine, machine->reg[RSP].value, (uint8_t)width, value);
}

static struct quantity pop_quantity(struct machine *machine, uint64_t width)
{
    const struct cell *cell = find_cell(machine, machine->reg[RSP].value);
    struct quantity value = cell && cell->width == width ? cell->content : new_unknown(machine);
    machine->reg[RSP].value += width;
    return value;
}

/* For pushes and pops of segment registers and flags only the effect on the stack matters. */
static void use_stack(struct machine *machine, const struct module_code *module,
                      const struct instruction *i, uint64_t address)
{
    const struct operand *operand = &i->operand[0];
    uint64_t width = operand->kind != OPERAND_NONE && operand->width == 2 ? 2 : 8;
    if (i->operation == OPERATION_PUSH) {
        push_quantity(machine, width, read_operand(machine, module, i, address, operand));
    } else if (i->operation == OPERATION_POP) {
        struct quantity value = pop_quantity(machine, width);
        write_operand(machine, module, i, address, operand, value);
    } else {
        machine->reg[RSP] = machine->reg[RBP];
        machine->reg[RBP] = pop_quantity(machine, 8);
    }
}

/* --- Instructions --- */

static void lose_written(struct machine *machine, const struct instruction *i)
{
    for (uint8_t reg = 0; reg < REGISTERS; reg++)
        if (i->writes >> reg & 1)
            lose_register(machine, reg);
}

static void forget_written(struct machine *machine, const struct module_code *module,
                           const struct instruction *i, uint64_t address)
{
    const struct board_site *site = &i->site;
    bool writes =
        site->kind == SITE_STORE || site->kind == SITE_UPDATE || site->kind == SITE_COMPARE;
    if (!writes || !i->memory || i->elsewhere)
        return;
    struct quantity to = machine_operand(machine, module, i, address);
    if (to.of & OWN)
        forget_cells(machine, to.value, site->lanes ? site->lanes * site->size : site->size);
}

void machine_step(struct machine *machine, const struct module_code *module,
                  const struct instruction *i, uint64_t address)
{
    start_numbers(machine, address);
    switch (i->operation) {
    case OPERATION_NONE:
        break;
    case OPERATION_OTHER:
        forget_written(machine, module, i, address);
        lose_written(machine, i);
        break;
    case OPERATION_PUSH:
    case OPERATION_POP:
    case OPERATION_LEAVE:
        use_stack(machine, module, i, address);
        break;
    case OPERATION_WIDEN_ACCUMULATOR:
        machine->reg[RAX] = (struct quantity){extend_sign(machine->reg[RAX].value, 4), 0};
        break;
    default: {
        struct quantity value = compute_result(machine, module, i, address);
        forget_written(machine, module, i, address);
        write_operand(machine, module, i, address, &i->operand[0], value);
    }
    }
}
