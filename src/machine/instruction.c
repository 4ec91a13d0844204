/* See instruction.h. The decoder is Zydis; this file reduces its result to the few facts that
 * the analysis and the runtime need. tests/unit/test_instruction.c lets the processor itself
 * execute what is decoded here, with memory protected around the operand.
 *
 * Zydis leaves some facts to its user: the registers that string instructions and system calls
 * change, the index of xlat, and which lanes of a vector a mask selects.
 *
 * Reads and writes of calls, jumps and returns do not count as accesses.
 *
 * Invariant: an instruction that accesses memory other than the stack has a site that says
 * where, or one of kind SITE_UNTOLD. */
#include "machine/instruction.h"

#include <Zydis/Zydis.h>

#define LARGEST_AREA 512 /* bytes that fxsave writes; xsave has no fixed size */

struct decoding {
    ZydisDecodedInstruction all;
    ZydisDecodedOperand operand[ZYDIS_MAX_OPERAND_COUNT];
    const ZydisDecodedOperand *memory; /* the operand in memory, or NULL */
    struct instruction *instruction;
    struct board_site *site;
};

/* --- Registers --- */

/* The general register that contains this one, by the processor's numbering. */
static uint8_t register_number(ZydisRegister reg)
{
    ZydisRegister whole = ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);
    return whole >= ZYDIS_REGISTER_RAX && whole <= ZYDIS_REGISTER_R15
               ? (uint8_t)(whole - ZYDIS_REGISTER_RAX)
               : SITE_NO_REGISTER;
}

static uint8_t vector_number(ZydisRegister reg)
{
    return (uint8_t)ZydisRegisterGetId(reg);
}

static bool is_high_byte(ZydisRegister reg)
{
    return reg >= ZYDIS_REGISTER_AH && reg <= ZYDIS_REGISTER_BH;
}

/* Zydis does not report all registers that string instructions and system calls change. */
static uint16_t written_registers(const struct decoding *d)
{
    uint16_t written = 0;
    for (ZyanU8 i = 0; i < d->all.operand_count; i++) {
        const ZydisDecodedOperand *operand = &d->operand[i];
        if (operand->type != ZYDIS_OPERAND_TYPE_REGISTER ||
            !(operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
            continue;
        uint8_t number = register_number(operand->reg.value);
        if (number != SITE_NO_REGISTER)
            written |= (uint16_t)(1u << number);
    }
    if (d->all.meta.category == ZYDIS_CATEGORY_STRINGOP)
        written |= 1u << SITE_ACCUMULATOR | 1u << SITE_COUNT | 1u << SITE_SOURCE |
                   1u << SITE_DESTINATION;
    if (d->all.meta.category == ZYDIS_CATEGORY_SYSCALL ||
        d->all.meta.category == ZYDIS_CATEGORY_INTERRUPT)
        written |= 1u << SITE_ACCUMULATOR;
    return written;
}

static void note_operands(struct decoding *d)
{
    struct instruction *i = d->instruction;
    for (ZyanU8 n = 0, kept = 0; n < d->all.operand_count_visible; n++) {
        const ZydisDecodedOperand *from = &d->operand[n];
        struct operand to = {.reg = SITE_NO_REGISTER, .width = (uint8_t)(from->size / 8)};
        if (from->type == ZYDIS_OPERAND_TYPE_REGISTER) {
            to.kind = OPERAND_REGISTER;
            to.reg = register_number(from->reg.value);
            to.high = is_high_byte(from->reg.value);
        } else if (from->type == ZYDIS_OPERAND_TYPE_MEMORY) {
            to.kind = OPERAND_MEMORY;
        } else if (from->type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
            to.kind = OPERAND_IMMEDIATE;
            i->immediate = from->imm.value.s;
        }
        if (kept < OPERANDS_KEPT)
            i->operand[kept++] = to;
    }
    i->writes = written_registers(d);
}

/* --- Operations --- */

static enum operation operation_of(const struct decoding *d)
{
    switch (d->all.mnemonic) {
    case ZYDIS_MNEMONIC_NOP:
        return OPERATION_NONE;
    case ZYDIS_MNEMONIC_MOV:
        return OPERATION_MOVE;
    case ZYDIS_MNEMONIC_LEA:
        return OPERATION_ADDRESS;
    case ZYDIS_MNEMONIC_ADD:
        return OPERATION_ADD;
    case ZYDIS_MNEMONIC_OR:
        return OPERATION_OR;
    case ZYDIS_MNEMONIC_AND:
        return OPERATION_AND;
    case ZYDIS_MNEMONIC_SUB:
        return OPERATION_SUBTRACT;
    case ZYDIS_MNEMONIC_XOR:
        return OPERATION_XOR;
    case ZYDIS_MNEMONIC_INC:
        return OPERATION_INCREMENT;
    case ZYDIS_MNEMONIC_DEC:
        return OPERATION_DECREMENT;
    case ZYDIS_MNEMONIC_SHL:
        return OPERATION_SHIFT_LEFT;
    case ZYDIS_MNEMONIC_SHR:
        return OPERATION_SHIFT_RIGHT;
    case ZYDIS_MNEMONIC_SAR:
        return OPERATION_SHIFT_SIGNED;
    case ZYDIS_MNEMONIC_IMUL:
        return d->all.operand_count_visible == 3 ? OPERATION_MULTIPLY : OPERATION_OTHER;
    case ZYDIS_MNEMONIC_MOVZX:
        return OPERATION_ZERO_EXTEND;
    case ZYDIS_MNEMONIC_MOVSX:
    case ZYDIS_MNEMONIC_MOVSXD:
        return OPERATION_SIGN_EXTEND;
    case ZYDIS_MNEMONIC_CDQE:
        return OPERATION_WIDEN_ACCUMULATOR;
    case ZYDIS_MNEMONIC_PUSH:
    case ZYDIS_MNEMONIC_PUSHFQ:
        return OPERATION_PUSH;
    case ZYDIS_MNEMONIC_POP:
    case ZYDIS_MNEMONIC_POPFQ:
        return OPERATION_POP;
    case ZYDIS_MNEMONIC_LEAVE:
        return OPERATION_LEAVE;
    default:
        return OPERATION_OTHER;
    }
}

static enum transfer transfer_of(const struct decoding *d)
{
    bool direct = d->operand[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    switch (d->all.meta.category) {
    case ZYDIS_CATEGORY_COND_BR:
        return direct ? TRANSFER_BRANCH : TRANSFER_NONE;
    case ZYDIS_CATEGORY_UNCOND_BR:
        return direct ? TRANSFER_JUMP : TRANSFER_JUMP_INDIRECT;
    case ZYDIS_CATEGORY_CALL:
        return direct ? TRANSFER_CALL : TRANSFER_CALL_INDIRECT;
    case ZYDIS_CATEGORY_RET:
        return TRANSFER_RETURN;
    default:
        break;
    }
    switch (d->all.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_HLT:
        return TRANSFER_STOP;
    default:
        return TRANSFER_NONE;
    }
}

static bool only_moves(const struct decoding *d)
{
    switch (d->all.meta.category) {
    case ZYDIS_CATEGORY_DATAXFER:
    case ZYDIS_CATEGORY_PUSH:
    case ZYDIS_CATEGORY_POP:
        return d->all.mnemonic != ZYDIS_MNEMONIC_XCHG;
    default:
        break;
    }
    switch (d->all.mnemonic) {
    case ZYDIS_MNEMONIC_LEA:
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSD:
    case ZYDIS_MNEMONIC_MOVSQ:
    case ZYDIS_MNEMONIC_FLD:
    case ZYDIS_MNEMONIC_FSTP:
        return true;
    case ZYDIS_MNEMONIC_ADD:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_AND:
        return d->operand[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;
    default:
        return false;
    }
}

/* --- The operand in memory --- */

static bool is_stack_access(const ZydisDecodedOperand *operand)
{
    return operand->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
           operand->mem.segment == ZYDIS_REGISTER_SS;
}

/* Returns the number of operands in memory, without the stack accesses of push, pop and similar
 * instructions. */
static int find_memory_operand(struct decoding *d)
{
    int count = 0;
    for (ZyanU8 i = 0; i < d->all.operand_count; i++) {
        const ZydisDecodedOperand *operand = &d->operand[i];
        if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY || is_stack_access(operand))
            continue;
        if (count++ == 0)
            d->memory = operand;
    }
    return count;
}

static bool is_wide_register(ZydisRegister reg)
{
    return reg == ZYDIS_REGISTER_NONE || reg == ZYDIS_REGISTER_RIP ||
           ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, reg) >= 64;
}

static bool is_thread_local(const ZydisDecodedOperandMem *memory)
{
    return memory->segment == ZYDIS_REGISTER_FS || memory->segment == ZYDIS_REGISTER_GS;
}

/* Addressed by 32-bit registers, or by a 64-bit address inside the instruction. */
static bool is_unusual(const ZydisDecodedOperandMem *memory)
{
    return !is_wide_register(memory->base) || !is_wide_register(memory->index) ||
           memory->disp.value != (int32_t)memory->disp.value;
}

static void set_address(struct decoding *d, const ZydisDecodedOperandMem *memory)
{
    struct board_site *site = d->site;
    bool by_vector = memory->type == ZYDIS_MEMOP_TYPE_VSIB;
    if (memory->base == ZYDIS_REGISTER_RIP)
        site->base = SITE_RIP;
    else if (memory->base != ZYDIS_REGISTER_NONE)
        site->base = register_number(memory->base);
    if (by_vector)
        site->vector_index = vector_number(memory->index);
    else if (memory->index != ZYDIS_REGISTER_NONE && memory->type != ZYDIS_MEMOP_TYPE_MIB)
        site->index = register_number(memory->index);
    while (1u << site->scale < memory->scale)
        site->scale++;
    site->displacement = (int32_t)memory->disp.value;
    site->displacement_at = d->all.raw.disp.offset;
    d->instruction->memory = true;
    d->instruction->elsewhere = is_thread_local(memory) || is_unusual(memory);
}

/* --- What it does there --- */

static bool accesses_nothing(const struct decoding *d)
{
    switch (d->all.meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_PREFETCHWT1:
    case ZYDIS_CATEGORY_CLFLUSHOPT:
    case ZYDIS_CATEGORY_CLWB:
    case ZYDIS_CATEGORY_CLDEMOTE:
    case ZYDIS_CATEGORY_CET:
    case ZYDIS_CATEGORY_MPX: /* does nothing since Linux 5.6 */
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_RET:
        return true;
    default:
        return d->all.mnemonic == ZYDIS_MNEMONIC_CLFLUSH ||
               d->memory->mem.type == ZYDIS_MEMOP_TYPE_AGEN;
    }
}

static enum site_kind kind_of(const struct decoding *d)
{
    bool reads = d->memory->actions & ZYDIS_OPERAND_ACTION_MASK_READ;
    bool writes = d->memory->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
    switch (d->all.mnemonic) {
    case ZYDIS_MNEMONIC_CMPXCHG:
    case ZYDIS_MNEMONIC_CMPXCHG8B:
    case ZYDIS_MNEMONIC_CMPXCHG16B:
        return SITE_COMPARE;
    default:
        return reads && writes ? SITE_UPDATE : writes ? SITE_STORE : SITE_LOAD;
    }
}

static enum site_kind string_kind(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_MOVSB:
    case ZYDIS_MNEMONIC_MOVSW:
    case ZYDIS_MNEMONIC_MOVSD:
    case ZYDIS_MNEMONIC_MOVSQ:
        return SITE_COPY;
    case ZYDIS_MNEMONIC_STOSB:
    case ZYDIS_MNEMONIC_STOSW:
    case ZYDIS_MNEMONIC_STOSD:
    case ZYDIS_MNEMONIC_STOSQ:
        return SITE_FILL;
    case ZYDIS_MNEMONIC_CMPSB:
    case ZYDIS_MNEMONIC_CMPSW:
    case ZYDIS_MNEMONIC_CMPSD:
    case ZYDIS_MNEMONIC_CMPSQ:
        return SITE_MATCH;
    case ZYDIS_MNEMONIC_SCASB:
    case ZYDIS_MNEMONIC_SCASW:
    case ZYDIS_MNEMONIC_SCASD:
    case ZYDIS_MNEMONIC_SCASQ:
        return SITE_SCAN;
    case ZYDIS_MNEMONIC_LODSB:
    case ZYDIS_MNEMONIC_LODSW:
    case ZYDIS_MNEMONIC_LODSD:
    case ZYDIS_MNEMONIC_LODSQ:
        return SITE_LOAD;
    default:
        return SITE_UNTOLD;
    }
}

static void set_string(struct decoding *d)
{
    struct board_site *site = d->site;
    ZyanU64 repeats = ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE;
    site->kind = (uint8_t)string_kind(d->all.mnemonic);
    site->base = site->kind == SITE_LOAD ? SITE_SOURCE : SITE_DESTINATION;
    site->repeated = d->all.attributes & repeats;
    site->until_not = d->all.attributes & ZYDIS_ATTRIB_HAS_REPNE;
    for (ZyanU8 i = 0; i < d->all.operand_count; i++)
        if (d->operand[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
            (is_thread_local(&d->operand[i].mem) || is_unusual(&d->operand[i].mem)))
            site->kind = SITE_UNTOLD;
    d->instruction->memory = false; /* it has no explicit operand */
    d->instruction->assembly = site->kind == SITE_LOAD;
}

/* Does each bit of the mask select one lane of the operand? Not if lanes are permuted, or one
 * is broadcast to many. */
static bool masks_lanes(const struct decoding *d)
{
    switch (d->all.meta.exception_class) {
    case ZYDIS_EXCEPTION_CLASS_E4NF:
    case ZYDIS_EXCEPTION_CLASS_E5NF:
    case ZYDIS_EXCEPTION_CLASS_E6NF:
    case ZYDIS_EXCEPTION_CLASS_E9NF:
    case ZYDIS_EXCEPTION_CLASS_E10NF:
        return false;
    default:
        return d->all.avx.broadcast.mode == ZYDIS_BROADCAST_MODE_INVALID;
    }
}

static void set_lanes(struct decoding *d, enum site_mask kind, ZydisRegister mask,
                      unsigned lanes, unsigned size)
{
    struct board_site *site = d->site;
    site->mask_kind = (uint8_t)kind;
    site->mask = vector_number(mask);
    site->lanes = (uint8_t)lanes;
    site->size = (uint16_t)size;
}

static unsigned vector_bytes(ZydisRegister reg)
{
    return ZydisRegisterGetWidth(ZYDIS_MACHINE_MODE_LONG_64, reg) / 8u;
}

/* The name gives the size of an index: vpgatherdq has indices of four bytes for elements of
 * eight. There are as many lanes as there are both indices and places for elements. */
static void set_gather(struct decoding *d, bool scatters)
{
    const ZydisDecodedOperand *vector = &d->operand[scatters ? 2 : 0];
    bool by_opmask = d->all.encoding == ZYDIS_INSTRUCTION_ENCODING_EVEX;
    ZydisRegister mask = by_opmask ? d->all.avx.mask.reg : d->operand[2].reg.value;
    unsigned size = d->memory->size / 8u;
    switch (d->all.mnemonic) {
    case ZYDIS_MNEMONIC_VGATHERDPS:
    case ZYDIS_MNEMONIC_VGATHERDPD:
    case ZYDIS_MNEMONIC_VPGATHERDD:
    case ZYDIS_MNEMONIC_VPGATHERDQ:
    case ZYDIS_MNEMONIC_VSCATTERDPS:
    case ZYDIS_MNEMONIC_VSCATTERDPD:
    case ZYDIS_MNEMONIC_VPSCATTERDD:
    case ZYDIS_MNEMONIC_VPSCATTERDQ:
        d->site->index_size = 4;
        break;
    case ZYDIS_MNEMONIC_VGATHERQPS:
    case ZYDIS_MNEMONIC_VGATHERQPD:
    case ZYDIS_MNEMONIC_VPGATHERQD:
    case ZYDIS_MNEMONIC_VPGATHERQQ:
    case ZYDIS_MNEMONIC_VSCATTERQPS:
    case ZYDIS_MNEMONIC_VSCATTERQPD:
    case ZYDIS_MNEMONIC_VPSCATTERQD:
    case ZYDIS_MNEMONIC_VPSCATTERQQ:
        d->site->index_size = 8;
        break;
    default:
        d->site->kind = SITE_UNTOLD;
        return;
    }
    unsigned elements = vector_bytes(vector->reg.value) / size;
    unsigned indices = vector_bytes(d->memory->mem.index) / d->site->index_size;
    set_lanes(d, by_opmask ? MASK_BITS : MASK_SIGNS, mask,
              elements < indices ? elements : indices, size);
}

static void set_masked(struct decoding *d)
{
    unsigned size = d->memory->size / 8u, lanes = d->memory->element_count;
    bool masked =
        d->all.avx.mask.reg > ZYDIS_REGISTER_K0 && d->all.avx.mask.reg <= ZYDIS_REGISTER_K7;
    bool packed = d->all.meta.category == ZYDIS_CATEGORY_COMPRESS ||
                  d->all.meta.category == ZYDIS_CATEGORY_EXPAND;
    switch (d->all.mnemonic) {
    case ZYDIS_MNEMONIC_VMASKMOVPS:
    case ZYDIS_MNEMONIC_VMASKMOVPD:
    case ZYDIS_MNEMONIC_VPMASKMOVD:
    case ZYDIS_MNEMONIC_VPMASKMOVQ:
        set_lanes(d, MASK_SIGNS, d->operand[1].reg.value, lanes, size / lanes);
        break;
    case ZYDIS_MNEMONIC_MASKMOVDQU:
    case ZYDIS_MNEMONIC_VMASKMOVDQU:
        set_lanes(d, MASK_SIGNS, d->operand[1].reg.value, size, 1);
        break;
    case ZYDIS_MNEMONIC_MASKMOVQ: /* the mask is in an MMX register */
        d->site->kind = SITE_UNTOLD;
        break;
    default:
        if (masked && lanes > 0 && size > 0 && (packed || masks_lanes(d)))
            set_lanes(d, packed ? MASK_PACKED : MASK_BITS, d->all.avx.mask.reg, lanes,
                      size / lanes);
    }
}

static bool has_no_fixed_size(const struct decoding *d)
{
    switch (d->all.meta.category) {
    case ZYDIS_CATEGORY_XSAVE:
    case ZYDIS_CATEGORY_XSAVEOPT:
    case ZYDIS_CATEGORY_AMX_TILE:
    case ZYDIS_CATEGORY_KEYLOCKER:
    case ZYDIS_CATEGORY_KEYLOCKER_WIDE:
        return true;
    default:
        return d->memory->size == 0 || d->memory->size / 8u > LARGEST_AREA;
    }
}

static void set_access(struct decoding *d, int operands)
{
    struct board_site *site = d->site;
    const ZydisDecodedOperand *second = &d->operand[1];
    site->size = (uint16_t)(d->memory->size / 8u);
    site->kind = (uint8_t)kind_of(d);
    site->locked =
        (d->all.attributes & ZYDIS_ATTRIB_HAS_LOCK) || d->all.mnemonic == ZYDIS_MNEMONIC_XCHG;
    if (d->all.meta.category == ZYDIS_CATEGORY_STRINGOP) {
        set_string(d);
    } else if (operands > 1 || has_no_fixed_size(d) ||
               (is_unusual(&d->memory->mem) && !is_thread_local(&d->memory->mem))) {
        site->kind = SITE_UNTOLD;
    } else if (d->memory->mem.type == ZYDIS_MEMOP_TYPE_VSIB) {
        set_gather(d, site->kind == SITE_STORE);
    } else if (d->all.mnemonic == ZYDIS_MNEMONIC_XLAT) {
        site->index = SITE_ACCUMULATOR;
        site->byte_index = true;
    } else if (d->all.meta.category == ZYDIS_CATEGORY_BITBYTE &&
               second->type == ZYDIS_OPERAND_TYPE_REGISTER && d->memory == &d->operand[0]) {
        site->bit_register = register_number(second->reg.value);
    } else {
        set_masked(d);
    }
}

/* Instructions without an operand in memory that still matter. */
static enum site_kind special_kind(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_SYSCALL:
    case ZYDIS_MNEMONIC_SYSENTER:
    case ZYDIS_MNEMONIC_INT:
        return SITE_SYSCALL;
    case ZYDIS_MNEMONIC_RDTSC:
    case ZYDIS_MNEMONIC_RDTSCP:
    case ZYDIS_MNEMONIC_RDPMC:
        return SITE_CLOCK;
    case ZYDIS_MNEMONIC_RDRAND:
    case ZYDIS_MNEMONIC_RDSEED:
        return SITE_CHANCE;
    case ZYDIS_MNEMONIC_CPUID:
    case ZYDIS_MNEMONIC_RDPID:
        return SITE_PROCESSOR;
    case ZYDIS_MNEMONIC_CLZERO: /* %rax contains the address, but is not an operand */
        return SITE_UNTOLD;
    default:
        return SITE_NONE;
    }
}

static void set_special(struct decoding *d)
{
    const ZydisDecodedOperand *first = &d->operand[0];
    struct board_site *site = d->site;
    site->kind = (uint8_t)special_kind(d->all.mnemonic);
    if (site->kind != SITE_NONE && site->kind != SITE_UNTOLD)
        d->instruction->outside = ZydisMnemonicGetString(d->all.mnemonic);
    if (d->all.mnemonic == ZYDIS_MNEMONIC_INT || d->all.mnemonic == ZYDIS_MNEMONIC_SYSENTER)
        site->kind = SITE_UNTOLD; /* system calls of a kind that the runtime does not know */
    if (d->all.mnemonic == ZYDIS_MNEMONIC_RDTSCP)
        site->index = SITE_COUNT; /* the register for the processor's number */
    if (d->all.operand_count_visible > 0 && first->type == ZYDIS_OPERAND_TYPE_REGISTER &&
        d->instruction->outside) {
        site->base = register_number(first->reg.value);
        site->size = (uint16_t)(first->size / 8u);
    }
}

bool decode_instruction(const uint8_t *code, size_t size, struct instruction *instruction)
{
    ZydisDecoder decoder;
    struct decoding d = {.instruction = instruction, .site = &instruction->site};
    *instruction = (struct instruction){.site = {.base = SITE_NO_REGISTER,
                                                 .index = SITE_NO_REGISTER,
                                                 .bit_register = SITE_NO_REGISTER,
                                                 .vector_index = SITE_NO_REGISTER}};
    ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
    if (!ZYAN_SUCCESS(ZydisDecoderDecodeFull(&decoder, code, size, &d.all, d.operand)))
        return false;
    instruction->site.length = d.all.length;
    instruction->operation = operation_of(&d);
    instruction->transfer = transfer_of(&d);
    instruction->moves = only_moves(&d);
    note_operands(&d);
    int operands = find_memory_operand(&d);
    if (operands > 0)
        set_address(&d, &d.memory->mem);
    if (operands > 0 && !accesses_nothing(&d))
        set_access(&d, operands);
    else
        set_special(&d);
    return true;
}

/* --- Questions --- */

bool instruction_accesses(const struct instruction *instruction)
{
    return instruction->site.kind != SITE_NONE && !instruction->outside;
}

struct board_site instruction_site(const struct instruction *instruction)
{
    bool own = instruction->memory && instruction->site.base == SITE_STACK_POINTER;
    bool thread_local = instruction->elsewhere && instruction->site.kind != SITE_UNTOLD;
    return own || thread_local ? (struct board_site){.length = instruction->site.length}
                               : instruction->site;
}
