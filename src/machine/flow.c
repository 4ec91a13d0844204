/* See flow.h. Each instruction is decoded once; blocks start at the targets of jumps and
 * switches.
 *
 * At the start of a block a register has the value that it has at the end of all preceding
 * blocks if that is the same, otherwise a new number of its own. This is a fixed point over all
 * blocks. Any fixed point will do, since a number stands for the same value wherever it
 * appears. */
#include "machine/flow.h"

#include <stdlib.h>
#include <string.h>

#include "host/buffer.h"

/* Rounds over all blocks: nested loops take a few. Registers that still change after PATIENCE
 * rounds become unknown, so that the iteration ends. */
#define ROUNDS   200
#define PATIENCE 12

struct way {
    uint32_t to;
    uint32_t from; /* blocks */
};

/* --- Instructions --- */

static bool is_relative_jump(const struct instruction *i)
{
    return i->transfer == TRANSFER_BRANCH || i->transfer == TRANSFER_JUMP;
}

static bool is_indirect_jump(const struct instruction *i)
{
    return i->transfer == TRANSFER_JUMP_INDIRECT;
}

/* Does control never reach the next instruction? */
static bool ends_way(const struct instruction *i)
{
    return i->transfer == TRANSFER_JUMP || i->transfer == TRANSFER_JUMP_INDIRECT ||
           i->transfer == TRANSFER_RETURN || i->transfer == TRANSFER_STOP;
}

uint64_t flow_address(const struct flow *flow, uint32_t number)
{
    return flow->start + flow->offset[number];
}

/* The target of a jump within the function, as an offset; otherwise NOWHERE. */
static uint32_t target_of(const struct flow *flow, uint32_t number)
{
    const struct instruction *i = &flow->instruction[number];
    uint64_t target =
        flow_address(flow, number) + i->site.length + (uint64_t)i->immediate - flow->start;
    return is_relative_jump(i) && target < flow->end - flow->start ? (uint32_t)target : NOWHERE;
}

bool flow_call(const struct flow *flow, uint32_t number, struct call *call)
{
    return module_call(flow->module, flow->start, flow->end, &flow->instruction[number],
                       flow_address(flow, number), call);
}

static void decode_all(struct flow *flow)
{
    size_t size = (size_t)(flow->end - flow->start);
    for (size_t at = 0; at < size;) {
        struct instruction instruction;
        struct call call;
        if (!decode_instruction(flow->code + at, size - at, &instruction)) {
            at++;
            continue;
        }
        flow->instruction = grow_array(flow->instruction, &flow->capacity, flow->count,
                                       sizeof *flow->instruction);
        flow->offset = grow_array(flow->offset, &flow->offsets_capacity, flow->count,
                                  sizeof *flow->offset);
        flow->instruction[flow->count] = instruction;
        flow->offset[flow->count] = (uint32_t)at;
        flow->hooks |= flow_call(flow, flow->count, &call) && is_hook(call.callee);
        at += instruction.site.length;
        flow->count++;
    }
}

/* The same, and also for the call of a function that does not return. */
static bool never_goes_on(const struct flow *flow, uint32_t number)
{
    struct call call;
    return ends_way(&flow->instruction[number]) ||
           (flow_call(flow, number, &call) && call.leaves);
}

/* --- Blocks --- */

/* The targets of a switch: distances from the table (as both compilers make them), or addresses
 * if the program is loaded at a fixed address. */
static void read_jump_table(struct flow *flow, uint64_t table, size_t width)
{
    uint64_t size = flow->end - flow->start;
    for (uint64_t at = table;; at += width) {
        const uint8_t *entry = image_bytes(&flow->module->image, at, width);
        int64_t value = 0;
        if (!entry)
            return;
        memcpy(&value, entry, width);
        uint64_t target = (width == 4 ? table + (uint64_t)(int64_t)(int32_t)value
                                      : (uint64_t)value + flow->module->image.bias) -
                          flow->start;
        if (target >= size)
            return;
        flow->leader[target] = 2;
    }
}

static void find_leaders(struct flow *flow)
{
    bool switches = false;
    for (uint32_t n = 0; n < flow->count; n++)
        switches |= is_indirect_jump(&flow->instruction[n]);
    for (uint32_t n = 0; n < flow->count; n++) {
        const struct instruction *i = &flow->instruction[n];
        const struct board_site *site = &i->site;
        uint32_t target = target_of(flow, n), after = flow->offset[n] + site->length;
        if (target != NOWHERE && flow->leader[target] == 0)
            flow->leader[target] = 1;
        if ((is_relative_jump(i) || never_goes_on(flow, n)) && flow->leader[after] == 0)
            flow->leader[after] = 1;
        if (switches && i->operation == OPERATION_ADDRESS && site->base == SITE_RIP)
            read_jump_table(flow, flow->start + after + (uint64_t)(int64_t)site->displacement,
                            4);
        else if (is_indirect_jump(i) && i->memory && site->base == SITE_NO_REGISTER)
            read_jump_table(flow, (uint64_t)(int64_t)site->displacement, 8);
    }
}

static uint32_t block_at(const struct flow *flow, uint32_t offset)
{
    uint32_t low = 0, high = flow->nblocks;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (flow->offset[flow->block[middle].first] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < flow->nblocks && flow->offset[flow->block[low].first] == offset;
    return found ? low : NOWHERE;
}

static void add_way(struct flow *flow, uint32_t from, uint32_t to)
{
    if (to == NOWHERE)
        return;
    flow->way = grow_array(flow->way, &flow->ways_capacity, flow->nways, sizeof *flow->way);
    flow->way[flow->nways++] = (struct way){to, from};
}

/* Every switch is connected to all cases in the function; a function rarely has more than one
 * switch. */
static void connect_switches(struct flow *flow)
{
    for (uint32_t from = 0; from < flow->nblocks; from++) {
        if (!is_indirect_jump(&flow->instruction[flow->block[from].end - 1]))
            continue;
        for (uint32_t to = 0; to < flow->nblocks; to++)
            if (flow->leader[flow->offset[flow->block[to].first]] == 2)
                add_way(flow, from, to);
    }
}

static int by_target(const void *left, const void *right)
{
    const struct way *a = left, *b = right;
    return a->to != b->to      ? (a->to < b->to ? -1 : 1)
           : a->from < b->from ? -1
                               : a->from > b->from;
}

/* Padding between blocks is unreachable. */
static bool is_filling(const struct instruction *i)
{
    return i->operation == OPERATION_NONE;
}

static void connect_blocks(struct flow *flow)
{
    for (uint32_t b = 0; b < flow->nblocks; b++) {
        uint32_t last = flow->block[b].end - 1, target = target_of(flow, last);
        uint32_t *next = flow->block[b].next;
        bool goes_on = !never_goes_on(flow, last) && b + 1 < flow->nblocks;
        next[0] = goes_on ? b + 1 : NOWHERE;
        next[1] = target != NOWHERE ? block_at(flow, target) : NOWHERE;
        add_way(flow, b, next[0]);
        add_way(flow, b, next[1]);
    }
    connect_switches(flow);
    if (flow->way)
        qsort(flow->way, flow->nways, sizeof *flow->way, by_target);
    for (uint32_t i = 0; i < flow->nways; i++) {
        struct flow_block *block = &flow->block[flow->way[i].to];
        if (block->ways++ == 0)
            block->way = i;
    }
    for (uint32_t b = 1; b < flow->nblocks; b++) {
        struct flow_block *block = &flow->block[b];
        block->handler = block->ways == 0 && !is_filling(&flow->instruction[block->first]);
    }
}

static void make_blocks(struct flow *flow)
{
    size_t capacity = 0;
    for (uint32_t n = 0; n < flow->count; n++) {
        if (n > 0 && !flow->leader[flow->offset[n]])
            continue;
        if (flow->nblocks)
            flow->block[flow->nblocks - 1].end = n;
        flow->block = grow_array(flow->block, &capacity, flow->nblocks, sizeof *flow->block);
        flow->block[flow->nblocks++] = (struct flow_block){.first = n};
    }
    flow->block[flow->nblocks - 1].end = flow->count;
    connect_blocks(flow);
}

/* --- What registers hold --- */

void flow_step(struct flow *flow, uint32_t number)
{
    struct call call;
    uint64_t address = flow_address(flow, number);
    if (flow_call(flow, number, &call))
        machine_call(&flow->machine, address);
    else
        machine_step(&flow->machine, flow->module, &flow->instruction[number], address);
}

static bool enter_from(struct machine *entry, bool entered, uint64_t address,
                       const struct machine *from)
{
    if (from && entered)
        machine_meet(entry, address, from);
    else if (from)
        *entry = *from;
    return entered || from;
}

/* Sets flow->machine to the registers at the start of a block. False: no path to it is
 * known. */
bool flow_enter(struct flow *flow, const struct flow_block *block)
{
    struct machine *entry = &flow->machine, start;
    uint64_t address = flow_address(flow, block->first);
    bool entered = false;
    if (block == flow->block) {
        machine_enter_function(&start, flow->start, flow->part == PART_OF_FRAME);
        entered = enter_from(entry, entered, address, &start);
    }
    if (block->handler && flow->strangers) {
        machine_enter_function(&start, address, false);
        entered = enter_from(entry, entered, address, &start);
    } else if (block->handler) {
        entered = enter_from(entry, entered, address, flow->at_call);
    }
    for (uint32_t i = 0; i < block->ways; i++)
        entered = enter_from(entry, entered, address,
                             flow->block[flow->way[block->way + i].from].left);
    return entered;
}

static bool keep_state(struct machine **kept, const struct machine *machine)
{
    if (*kept && memcmp(*kept, machine, sizeof *machine) == 0)
        return false;
    if (!*kept)
        *kept = allocate(sizeof **kept);
    **kept = *machine;
    return true;
}

/* Keeps only what is the same after all calls so far. */
static bool add_call(struct flow *flow)
{
    if (!flow->at_call)
        return keep_state(&flow->at_call, &flow->machine);
    return machine_meet(flow->at_call, flow->end, &flow->machine);
}

/* Makes registers that keep changing unknown at the end of the block. */
static void give_up(struct flow *flow, struct flow_block *block, bool now)
{
    bool registers = false;
    for (int i = 0; now && block->left && i < REGISTERS; i++)
        if (flow->machine.reg[i].value != block->left->reg[i].value ||
            flow->machine.reg[i].of != block->left->reg[i].of) {
            block->unsettled |= (uint16_t)(1u << i);
            registers = true;
        }
    if (now && block->left && !registers &&
        memcmp(block->left->cell, flow->machine.cell, sizeof flow->machine.cell) != 0)
        block->forgets_cells = true;
    machine_give_up(&flow->machine, flow_address(flow, block->end - 1), block->unsettled,
                    block->forgets_cells);
}

static bool follow_block(struct flow *flow, struct flow_block *block, bool patient)
{
    bool changed = false;
    for (uint32_t n = block->first; n < block->end; n++) {
        struct call call;
        flow_step(flow, n);
        if (!ends_way(&flow->instruction[n]) && flow_call(flow, n, &call))
            changed |= add_call(flow);
    }
    give_up(flow, block, !patient);
    return keep_state(&block->left, &flow->machine) || changed;
}

/* False: the iteration does not end. */
static bool settle_states(struct flow *flow)
{
    bool changed = true;
    for (int rounds = 0; changed && rounds < ROUNDS; rounds++) {
        changed = false;
        for (uint32_t b = 0; b < flow->nblocks; b++)
            if (flow_enter(flow, &flow->block[b]))
                changed |= follow_block(flow, &flow->block[b], rounds < PATIENCE);
    }
    return !changed;
}

static bool has_unknown_switch(const struct flow *flow)
{
    bool jumps = false;
    for (uint32_t b = 0; b < flow->nblocks; b++) {
        jumps |= is_indirect_jump(&flow->instruction[flow->block[b].end - 1]);
        if (flow->leader[flow->offset[flow->block[b].first]] == 2)
            return false;
    }
    return jumps;
}

/* Unreachable blocks are exception handlers, if there are calls that may throw. Otherwise
 * nothing is known at their start. */
static bool follow_registers(struct flow *flow)
{
    flow->strangers = flow->part == PART_UNBOUNDED || has_unknown_switch(flow);
    bool settled = settle_states(flow);
    if (settled && !flow->strangers && !flow->at_call) {
        flow->strangers = true;
        settled = settle_states(flow);
    }
    return settled;
}

/* --- A function --- */

bool flow_open(struct flow *flow, const struct module_code *module, uint64_t start,
               uint64_t end, enum function_part part)
{
    size_t size = (size_t)(end - start);
    *flow = (struct flow){.module = module,
                          .start = start,
                          .end = end,
                          .code = image_bytes(&module->image, start, size),
                          .part = part};
    if (flow->code)
        decode_all(flow);
    if (flow->count == 0)
        return true;
    flow->leader = allocate(size + 1);
    find_leaders(flow);
    make_blocks(flow);
    return follow_registers(flow);
}

void flow_close(struct flow *flow)
{
    for (uint32_t b = 0; b < flow->nblocks; b++)
        free(flow->block[b].left);
    free(flow->way);
    free(flow->at_call);
    free(flow->block);
    free(flow->leader);
    free(flow->instruction);
    free(flow->offset);
}

uint32_t flow_from(const struct flow *flow, uint32_t block, uint32_t n)
{
    return flow->way[flow->block[block].way + n].from;
}
