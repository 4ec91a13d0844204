/* See machine.h. The instructions that compilers compute addresses with are executed; of every
 * other one only the registers that it may write are known, and these become unknown.
 *
 * Invariant: a register never keeps a value that an instruction may have changed. */
#include "machine/machine.h"

#include <string.h>

enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI };

/* --- Unknowns --- */

static uint64_t mix(uint64_t number)
{
    number = (number ^ (number >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    number = (number ^ (number >> 27)) * UINT64_C(0x94d049bb133111eb);
    return number ^ (number >> 31);
}

static void start_numbers(struct machine *machine, uint64_t address)
{
    machine->unknowns = address << 8;
}

static struct quantity unknown(struct machine *machine)
{
    return (struct quantity){mix(machine->unknowns++ * UINT64_C(0x9e3779b97f4a7c15)), 0};
}

static uint64_t cut_to(uint64_t value, uint8_t width)
{
    return width >= 8 ? value : value & ((UINT64_C(1) << (8 * width)) - 1);
}

/* The number of a register at the start of a block when it depends on the way there. */
static uint64_t number_at_start(uint64_t address, int reg)
{
    return mix(((address << 8) + 0x80 + (uint64_t)reg) * UINT64_C(0x9e3779b97f4a7c15));
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

/* The stack pointer is changed only by what is executed here. */
static void lose(struct machine *machine, uint8_t reg)
{
    if (reg < REGISTERS && reg != RSP)
        machine->reg[reg] = unknown(machine);
}

/* As the instruction names it: a byte of it may go by another number. */
static void lose_named(struct machine *machine, const struct instruction *i, uint8_t reg)
{
    lose(machine, i->high_bytes && reg >= 4 && reg < 8 ? reg - 4 : reg);
}

static void lose_all(struct machine *machine)
{
    for (uint8_t i = 0; i < REGISTERS; i++)
        lose(machine, i);
}

static void lose_scratch(struct machine *machine)
{
    static const uint8_t scratch[] = {RAX, RCX, RDX, RSI, RDI, 8, 9, 10, 11};
    for (size_t i = 0; i < sizeof scratch; i++)
        lose(machine, scratch[i]);
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

static void forget(struct machine *machine, uint64_t address, uint64_t size)
{
    for (int i = 0; i < MACHINE_CELLS; i++) {
        struct cell *cell = &machine->cell[i];
        if (cell->address - address < size || address - cell->address < cell->width)
            cell->width = 0;
    }
}

static void keep(struct machine *machine, uint64_t address, uint8_t width,
                 struct quantity content)
{
    forget(machine, address, width);
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

/* What slots of the linker hold is the same whenever it is read; what else is read is unknown,
 * but the function's own cells stay as they are until it writes them. */
static struct quantity load(struct machine *machine, const struct instruction *instruction,
                            struct quantity from, uint8_t width)
{
    if (instruction->elsewhere || !(from.of & OWN))
        return unknown(machine);
    if (instruction->site.base == SITE_RIP)
        return (struct quantity){mix(from.value), 0};
    const struct cell *cell = find_cell(machine, from.value);
    if (!cell || cell->width != width) {
        struct quantity content = unknown(machine);
        content.value = cut_to(content.value, width);
        keep(machine, from.value, width, content);
        return content;
    }
    return cell->content;
}

/* An address of the module that nobody can write. */
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
    return result;
}

/* --- Arithmetic --- */

static void assign(struct machine *machine, const struct instruction *i, uint8_t reg,
                   struct quantity value)
{
    if (i->width < 4) {
        lose_named(machine, i, reg); /* the rest of the register stays */
        return;
    }
    value.value = cut_to(value.value, i->width);
    machine->reg[reg] = value;
}

/* add or adc sbb and sub xor cmp, as opcodes and extensions number them */
static bool combine(int operation, struct quantity a, struct quantity b,
                    struct quantity *result)
{
    switch (operation) {
    case 0:
        *result = (struct quantity){a.value + b.value, a.of | b.of};
        return true;
    case 1:
        *result = (struct quantity){a.value | b.value, a.of};
        return true;
    case 4:
        *result = (struct quantity){a.value & b.value, a.of};
        return true;
    case 5:
        *result = (struct quantity){a.value - b.value, b.of ? 0 : a.of};
        return true;
    case 6:
        *result = (struct quantity){a.value ^ b.value, 0};
        return true;
    default:
        return false;
    }
}

/* The operand r/m: a register, or what is in memory. */
static struct quantity other_operand(struct machine *machine, const struct module_code *module,
                                     const struct instruction *i, uint64_t address)
{
    if (!i->memory)
        return machine->reg[i->rm];
    return load(machine, i, machine_operand(machine, module, i, address), i->width);
}

static void write_other(struct machine *machine, const struct module_code *module,
                        const struct instruction *i, uint64_t address, struct quantity value)
{
    if (!i->memory) {
        assign(machine, i, i->rm, value);
        return;
    }
    struct quantity to = machine_operand(machine, module, i, address);
    if ((to.of & OWN) && !i->elsewhere)
        keep(machine, to.value, i->width,
             (struct quantity){cut_to(value.value, i->width), value.of});
}

static void arithmetic(struct machine *machine, const struct module_code *module,
                       const struct instruction *i, uint64_t address)
{
    bool immediate = i->opcode >= 0x80 || (i->opcode & 7) >= 4;
    int operation = i->opcode >= 0x80 ? i->reg & 7 : i->opcode >> 3;
    bool to_reg = i->opcode < 0x80 && (i->opcode & 2) && !immediate;
    struct quantity value = {(uint64_t)i->immediate, 0}, other, result;
    if (operation == 7)
        return;
    if (i->opcode < 0x80 && immediate) { /* the accumulator */
        if (combine(operation, machine->reg[RAX], value, &result))
            assign(machine, i, RAX, result);
        else
            lose(machine, RAX);
        return;
    }
    other = other_operand(machine, module, i, address);
    if (!immediate)
        value = machine->reg[i->reg];
    bool known = to_reg ? combine(operation, value, other, &result)
                        : combine(operation, other, value, &result);
    if (!known)
        result = unknown(machine);
    if (to_reg)
        assign(machine, i, i->reg, result);
    else
        write_other(machine, module, i, address, result);
}

static uint64_t extend(uint64_t value, uint8_t from)
{
    uint64_t sign = UINT64_C(1) << (8 * from - 1);
    return from >= 8 ? value : (cut_to(value, from) ^ sign) - sign;
}

/* shl, shr, sar by a constant */
static void shift(struct machine *machine, const struct module_code *module,
                  const struct instruction *i, uint64_t address)
{
    bool constant = i->opcode == 0xc1 || i->opcode == 0xd1;
    uint64_t count = i->opcode == 0xd1 ? 1 : (uint64_t)i->immediate & (i->width == 8 ? 63 : 31);
    struct quantity value = other_operand(machine, module, i, address);
    uint64_t whole = cut_to(value.value, i->width);
    int operation = i->reg & 7;
    value.of = 0;
    if (operation == 4 || operation == 6)
        value.value = whole << count;
    else if (operation == 5)
        value.value = whole >> count;
    else if (operation == 7)
        value.value = (uint64_t)((int64_t)extend(whole, i->width) >> count);
    else
        constant = false;
    write_other(machine, module, i, address, constant ? value : unknown(machine));
}

static void push(struct machine *machine, struct quantity value)
{
    machine->reg[RSP].value -= 8;
    keep(machine, machine->reg[RSP].value, 8, value);
}

static struct quantity pop(struct machine *machine)
{
    const struct cell *cell = find_cell(machine, machine->reg[RSP].value);
    struct quantity value = cell && cell->width == 8 ? cell->content : unknown(machine);
    machine->reg[RSP].value += 8;
    return value;
}

/* --- Instructions --- */

static void not_executed(struct machine *machine, const struct instruction *i)
{
    bool is_group = i->opcode == 0xf6 || i->opcode == 0xf7 || i->opcode == 0xfe;
    bool in_place = is_group && (i->reg & 7) < 4; /* not, neg, inc, dec */
    if (!in_place) {
        lose(machine, RAX);
        lose(machine, RDX);
    }
    if (i->has_modrm && !is_group)
        lose_named(machine, i, i->reg);
    if (!i->memory)
        lose_named(machine, i, i->rm);
}

static void lose_string(struct machine *machine)
{
    lose(machine, RAX);
    lose(machine, RCX);
    lose(machine, RSI);
    lose(machine, RDI);
}

/* Group 5: inc, dec, push; calls and jumps are the caller's business. */
static void group_five(struct machine *machine, const struct module_code *module,
                       const struct instruction *i, uint64_t address)
{
    int operation = i->reg & 7;
    if (operation < 2) {
        struct quantity value = other_operand(machine, module, i, address);
        value.value += operation == 0 ? 1 : UINT64_MAX;
        write_other(machine, module, i, address, value);
    } else if (operation == 6) {
        push(machine, unknown(machine));
    }
}

static bool move(struct machine *machine, const struct module_code *module,
                 const struct instruction *i, uint64_t address)
{
    switch (i->opcode) {
    case 0x89:
    case 0x88:
        write_other(machine, module, i, address,
                    i->width == 1 ? unknown(machine) : machine->reg[i->reg]);
        return true;
    case 0x8b:
        assign(machine, i, i->reg, other_operand(machine, module, i, address));
        return true;
    case 0x8d:
        assign(machine, i, i->reg, machine_operand(machine, module, i, address));
        return true;
    case 0xc6:
    case 0xc7:
        write_other(machine, module, i, address, (struct quantity){(uint64_t)i->immediate, 0});
        return true;
    case 0x63: { /* movslq */
        struct quantity value = i->memory ? unknown(machine) : machine->reg[i->rm];
        if (i->memory) {
            struct quantity from = machine_operand(machine, module, i, address);
            value = load(machine, i, from, 4);
        }
        assign(machine, i, i->reg, (struct quantity){extend(value.value, 4), 0});
        return true;
    }
    case 0x98: /* cltq */
        if (i->width == 8)
            machine->reg[RAX] = (struct quantity){extend(machine->reg[RAX].value, 4), 0};
        else
            lose(machine, RAX);
        return true;
    default:
        if (i->opcode < 0xb8 || i->opcode > 0xbf)
            return false;
        assign(machine, i, i->rm,
               (struct quantity){(uint64_t)i->immediate,
                                 is_constant(module, (uint64_t)i->immediate) ? CONSTANT : 0});
        return true;
    }
}

static bool stack(struct machine *machine, const struct instruction *i)
{
    if (i->opcode >= 0x50 && i->opcode <= 0x57)
        push(machine, machine->reg[i->rm]);
    else if (i->opcode >= 0x58 && i->opcode <= 0x5f)
        machine->reg[i->rm] = pop(machine);
    else if (i->opcode == 0x68 || i->opcode == 0x6a)
        push(machine, (struct quantity){(uint64_t)i->immediate, 0});
    else if (i->opcode == 0xc9) { /* leave */
        machine->reg[RSP].value = machine->reg[RBP].value;
        machine->reg[RBP] = pop(machine);
    } else
        return false;
    return true;
}

static bool changes_no_register(uint8_t opcode)
{
    return (opcode >= 0x70 && opcode <= 0x7f) || opcode == 0x84 || opcode == 0x85 ||
           opcode == 0x90 || opcode == 0xa8 || opcode == 0xa9 || opcode == 0xcc ||
           (opcode >= 0xd8 && opcode <= 0xdf) || opcode == 0xe9 || opcode == 0xeb ||
           opcode == 0xc3 || opcode == 0xf4;
}

static void one_byte(struct machine *machine, const struct module_code *module,
                     const struct instruction *i, uint64_t address)
{
    uint8_t opcode = i->opcode;
    bool is_test = (opcode == 0xf6 || opcode == 0xf7) && (i->reg & 7) < 2;
    if (changes_no_register(opcode) || is_test || stack(machine, i) ||
        move(machine, module, i, address))
        return;
    if ((opcode < 0x40 && (opcode & 7) < 6) || (opcode >= 0x80 && opcode <= 0x83)) {
        arithmetic(machine, module, i, address);
    } else if (opcode == 0xc0 || opcode == 0xc1 || (opcode >= 0xd0 && opcode <= 0xd3)) {
        shift(machine, module, i, address);
    } else if (opcode == 0x69 || opcode == 0x6b) {
        struct quantity other = other_operand(machine, module, i, address);
        other = (struct quantity){other.value * (uint64_t)i->immediate, 0};
        assign(machine, i, i->reg, other);
    } else if (opcode == 0xff) {
        group_five(machine, module, i, address);
    } else if (opcode >= 0xa4 && opcode <= 0xaf) {
        lose_string(machine);
    } else {
        not_executed(machine, i);
    }
}

/* movzx, movsx */
static void widen(struct machine *machine, const struct module_code *module,
                  const struct instruction *i, uint64_t address)
{
    uint8_t from = i->opcode & 1 ? 2 : 1;
    struct quantity value;
    if (i->memory)
        value = load(machine, i, machine_operand(machine, module, i, address), from);
    else if (from == 1 && i->rm >= 4)
        value = unknown(machine); /* %ah and its like look the same here */
    else
        value = machine->reg[i->rm];
    value.value = i->opcode >= 0xbe ? extend(value.value, from) : cut_to(value.value, from);
    value.of = 0;
    assign(machine, i, i->reg, value);
}

/* Exchanges, and what the system and the processor's counters leave in registers. */
static void lose_special(struct machine *machine, const struct instruction *i)
{
    uint8_t opcode = i->opcode;
    if (opcode >= 0xc8 && opcode <= 0xcf) { /* bswap */
        lose(machine, i->rm);
    } else if (opcode == 0xb0 || opcode == 0xb1 || opcode == 0xc0 || opcode == 0xc1 ||
               opcode == 0xc7) { /* cmpxchg, xadd, cmpxchg16b, rdrand */
        not_executed(machine, i);
    } else if (opcode == 0xa2 || opcode == 0x31 || opcode == 0x05 || opcode == 0x01) {
        lose_scratch(machine); /* cpuid, rdtsc, syscall, xgetbv */
        lose(machine, RBX);
    }
}

/* Most of the two-byte opcodes are about vectors. */
static void two_byte(struct machine *machine, const struct module_code *module,
                     const struct instruction *i, uint64_t address)
{
    uint8_t opcode = i->opcode;
    bool to_reg = (opcode >= 0x40 && opcode <= 0x4f) || opcode == 0x2c || opcode == 0x2d ||
                  opcode == 0x50 || opcode == 0xaf || opcode == 0xb8 || opcode == 0xbc ||
                  opcode == 0xbd || opcode == 0xc5 || opcode == 0xd7;
    bool to_other = opcode == 0x7e || (opcode >= 0x90 && opcode <= 0x9f) ||
                    (opcode >= 0xa4 && opcode <= 0xa5) || (opcode >= 0xab && opcode <= 0xad) ||
                    opcode == 0xb3 || opcode == 0xba || opcode == 0xbb;
    if (!i->vector && (opcode == 0xb6 || opcode == 0xb7 || opcode == 0xbe || opcode == 0xbf))
        widen(machine, module, i, address);
    else if (i->vector && opcode >= 0x90 && opcode <= 0x9f)
        lose(machine, i->reg), lose(machine, i->rm);
    else if (to_reg)
        lose(machine, i->reg);
    else if (to_other && !i->memory)
        lose_named(machine, i, i->rm);
    else if (!i->vector)
        lose_special(machine, i);
}

void machine_step(struct machine *machine, const struct module_code *module,
                  const struct instruction *instruction, uint64_t address)
{
    const struct board_site *site = &instruction->site;
    start_numbers(machine, address);
    bool writes =
        site->kind == SITE_STORE || site->kind == SITE_UPDATE || site->kind == SITE_COMPARE;
    if (writes && instruction->memory && !instruction->elsewhere) {
        struct quantity to = machine_operand(machine, module, instruction, address);
        if (to.of & OWN)
            forget(machine, to.value, site->size);
    }
    if (instruction->map == 0)
        one_byte(machine, module, instruction, address);
    else if (instruction->map == 1)
        two_byte(machine, module, instruction, address);
    else if (instruction->opcode >= 0xf0 ||
             (instruction->map == 3 && instruction->opcode >= 0x14 &&
              instruction->opcode <= 0x17))
        lose_all(machine);
}
