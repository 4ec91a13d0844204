/* See instruction.h. The structure of an instruction (Intel's manual, volume 2, chapter 2):
 *
 *     prefixes  REX or VEX or EVEX  opcode  ModRM  SIB  displacement  immediate
 *
 * What decides about lengths is complete for the instructions that compilers and people write
 * in 64-bit mode; what decides about accesses errs on the safe side: an instruction with a
 * memory operand that is not known to write is a read only where its whole group is.
 *
 * What calls, jumps and returns read or write is no access. */
#include "machine/instruction.h"

#define LONGEST 15

struct decoding {
    const uint8_t *code;
    size_t size;
    size_t at;
    bool operand_16; /* 66 */
    bool address_32; /* 67 */
    bool repeat;     /* f3 */
    bool repeat_not; /* f2 */
    bool lock;
    bool thread_local; /* fs or gs */
    bool has_rex;
    bool wide;        /* REX.W */
    bool vector;      /* VEX or EVEX */
    bool long_vector; /* … of 32 bytes or more */
    uint8_t rex;      /* R, X, B as bits 2, 1, 0 */
    int map;          /* 0: one byte, 1: 0f, 2: 0f 38, 3: 0f 3a */
    uint8_t opcode;
    uint8_t modrm;
    bool has_modrm;
    struct board_site *site;
};

static bool next_byte(struct decoding *d, uint8_t *byte)
{
    if (d->at >= d->size || d->at >= LONGEST)
        return false;
    *byte = d->code[d->at++];
    return true;
}

/* --- Prefixes and opcode --- */

static bool is_prefix(struct decoding *d, uint8_t byte)
{
    switch (byte) {
    case 0x66:
        return d->operand_16 = true;
    case 0x67:
        return d->address_32 = true;
    case 0xf0:
        return d->lock = true;
    case 0xf2:
        return d->repeat_not = true;
    case 0xf3:
        return d->repeat = true;
    case 0x64:
    case 0x65:
        return d->thread_local = true;
    case 0x26:
    case 0x2e:
    case 0x36:
    case 0x3e:
        return true;
    default:
        return false;
    }
}

/* VEX and EVEX hold inverted R, X, B, the map, W and the 66/f3/f2 prefix. */
static bool read_vector_prefix(struct decoding *d, uint8_t first)
{
    uint8_t a = 0, b = 0, c = 0;
    d->vector = true;
    if (!next_byte(d, &a))
        return false;
    if (first == 0xc5) {
        d->rex = a & 0x80 ? 0 : 4;
        d->map = 1;
        b = a & 0x7f;
        d->long_vector = b & 4;
    } else {
        if (!next_byte(d, &b) || (first == 0x62 && !next_byte(d, &c)))
            return false;
        d->rex = (uint8_t)(~a >> 5 & 7);
        d->map = a & (first == 0x62 ? 7 : 31);
        d->wide = b & 0x80;
        d->long_vector = first == 0x62 ? c & 0x60 : b & 4;
    }
    d->operand_16 = (b & 3) == 1;
    d->repeat = (b & 3) == 2;
    d->repeat_not = (b & 3) == 3;
    return d->map >= 1 && d->map <= 3 && next_byte(d, &d->opcode);
}

static bool read_opcode(struct decoding *d)
{
    uint8_t byte;
    do
        if (!next_byte(d, &byte))
            return false;
    while (is_prefix(d, byte));
    if ((byte & 0xf0) == 0x40) {
        d->has_rex = true;
        d->wide = byte & 8;
        d->rex = byte & 7;
        if (!next_byte(d, &byte))
            return false;
    }
    if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
        return read_vector_prefix(d, byte);
    if (byte == 0x0f) {
        d->map = 1;
        if (!next_byte(d, &byte))
            return false;
        if (byte == 0x38 || byte == 0x3a) {
            d->map = byte == 0x38 ? 2 : 3;
            if (!next_byte(d, &byte))
                return false;
        }
    }
    d->opcode = byte;
    return true;
}

/* --- Which opcodes have a ModRM byte and an immediate --- */

static bool one_byte_has_modrm(uint8_t opcode)
{
    if (opcode < 0x40)
        return (opcode & 7) < 4;
    return opcode == 0x63 || opcode == 0x69 || opcode == 0x6b ||
           (opcode >= 0x80 && opcode <= 0x8f) || opcode == 0xc0 || opcode == 0xc1 ||
           opcode == 0xc6 || opcode == 0xc7 || (opcode >= 0xd0 && opcode <= 0xd3) ||
           (opcode >= 0xd8 && opcode <= 0xdf) || opcode == 0xf6 || opcode == 0xf7 ||
           opcode >= 0xfe;
}

static bool two_byte_has_modrm(uint8_t opcode)
{
    return !((opcode >= 0x05 && opcode <= 0x0b) || opcode == 0x0e ||
             (opcode >= 0x30 && opcode <= 0x37) || opcode == 0x77 ||
             (opcode >= 0x80 && opcode <= 0x8f) || (opcode >= 0xa0 && opcode <= 0xa2) ||
             (opcode >= 0xa8 && opcode <= 0xaa) || (opcode >= 0xc8 && opcode <= 0xcf));
}

static size_t word_immediate(const struct decoding *d)
{
    return d->operand_16 && !d->wide ? 2 : 4;
}

static size_t one_byte_immediate(const struct decoding *d)
{
    uint8_t opcode = d->opcode;
    int extension = d->modrm >> 3 & 7;
    if (opcode < 0x40)
        return (opcode & 7) == 4 ? 1 : (opcode & 7) == 5 ? word_immediate(d) : 0;
    if ((opcode >= 0x70 && opcode <= 0x7f) || (opcode >= 0xb0 && opcode <= 0xb7) ||
        (opcode >= 0xe0 && opcode <= 0xe7))
        return 1;
    if (opcode >= 0xb8 && opcode <= 0xbf)
        return d->wide ? 8 : word_immediate(d);
    if (opcode >= 0xa0 && opcode <= 0xa3)
        return d->address_32 ? 4 : 8;
    switch (opcode) {
    case 0x6a:
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xa8:
    case 0xc0:
    case 0xc1:
    case 0xc6:
    case 0xcd:
    case 0xeb:
        return 1;
    case 0x68:
    case 0x69:
    case 0x81:
    case 0xa9:
    case 0xc7:
        return word_immediate(d);
    case 0xe8:
    case 0xe9:
        return 4;
    case 0xc2:
    case 0xca:
        return 2;
    case 0xc8:
        return 3;
    case 0xf6:
        return extension < 2 ? 1 : 0;
    case 0xf7:
        return extension < 2 ? word_immediate(d) : 0;
    default:
        return 0;
    }
}

static size_t immediate(const struct decoding *d)
{
    uint8_t opcode = d->opcode;
    if (d->map == 0)
        return one_byte_immediate(d);
    if (d->map == 3)
        return 1;
    if (d->map == 2)
        return 0;
    if (!d->vector && opcode >= 0x80 && opcode <= 0x8f)
        return 4;
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xa4 || opcode == 0xac ||
           opcode == 0xba || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
}

/* --- The memory operand --- */

static bool read_displacement(struct decoding *d, size_t bytes)
{
    uint32_t value = 0;
    d->site->displacement_at = (uint8_t)d->at;
    for (size_t i = 0; i < bytes; i++) {
        uint8_t byte;
        if (!next_byte(d, &byte))
            return false;
        value |= (uint32_t)byte << (8 * i);
    }
    d->site->displacement = bytes == 1 ? (int8_t)value : (int32_t)value;
    return true;
}

static bool read_memory_operand(struct decoding *d, bool *memory)
{
    int mod = d->modrm >> 6, rm = d->modrm & 7;
    struct board_site *site = d->site;
    site->base = site->index = SITE_NO_REGISTER;
    *memory = mod != 3;
    if (mod == 3)
        return true;
    uint8_t sib = 0;
    int base = rm;
    if (rm == 4) {
        if (!next_byte(d, &sib))
            return false;
        base = sib & 7;
        int index = (sib >> 3 & 7) | (d->rex & 2 ? 8 : 0);
        if (index != 4) {
            site->index = (uint8_t)index;
            site->scale = sib >> 6;
        }
    }
    bool no_base = mod == 0 && base == 5;
    if (!no_base)
        site->base = (uint8_t)(base | (d->rex & 1 ? 8 : 0));
    else if (rm != 4)
        site->base = SITE_RIP;
    return read_displacement(d, mod == 1 ? 1 : mod == 2 || no_base ? 4 : 0);
}

/* --- What it does there --- */

static uint8_t plain_size(const struct decoding *d, bool byte)
{
    return byte ? 1 : d->wide ? 8 : d->operand_16 ? 2 : 4;
}

static void set(struct decoding *d, enum site_kind kind, uint8_t size)
{
    d->site->kind = (uint8_t)kind;
    d->site->size = size;
}

/* The x87: loads, and stores of long double in the main. */
static void float_access(struct decoding *d, uint8_t opcode, int extension)
{
    static const uint8_t sizes[8] = {4, 4, 4, 4, 8, 8, 2, 2};
    uint8_t size = sizes[opcode - 0xd8];
    bool odd = opcode & 1;
    bool stores = odd && extension >= 1 && (extension <= 3 || extension >= 6);
    if (opcode == 0xdf && extension >= 5)
        size = extension == 6 ? 10 : 8;
    else if ((opcode == 0xdb && extension >= 5) || (opcode == 0xdf && extension == 4))
        size = 10;
    else if (odd && extension >= 5)
        size = 2; /* control and status word */
    if (opcode == 0xdf && extension == 5)
        stores = false;
    bool environment = (opcode == 0xd9 || opcode == 0xdd) && (extension == 4 || extension == 6);
    set(d, environment ? SITE_NONE : stores ? SITE_STORE : SITE_LOAD, environment ? 0 : size);
}

/* movs and stos, once or as often as a register says: (%rsi) to (%rdi), or a value there. */
static void string_access(struct decoding *d)
{
    bool copies = d->opcode == 0xa4 || d->opcode == 0xa5;
    if (!copies && d->opcode != 0xaa && d->opcode != 0xab)
        return;
    set(d, copies ? SITE_COPY : SITE_FILL, plain_size(d, !(d->opcode & 1)));
    d->site->base = SITE_DESTINATION;
    d->site->index = SITE_NO_REGISTER;
    d->site->repeated = d->repeat || d->repeat_not;
}

static void one_byte_access(struct decoding *d)
{
    uint8_t opcode = d->opcode;
    int extension = d->modrm >> 3 & 7;
    uint8_t size = plain_size(d, !(opcode & 1));
    if (opcode < 0x40) /* add or adc sbb and sub xor cmp; direction in bit 1 */
        set(d, (opcode & 2) || opcode >= 0x38 ? SITE_LOAD : SITE_UPDATE, size);
    else if (opcode >= 0x80 && opcode <= 0x83)
        set(d, extension == 7 ? SITE_LOAD : SITE_UPDATE, plain_size(d, opcode == 0x80));
    else if (opcode == 0x84 || opcode == 0x85)
        set(d, SITE_LOAD, size);
    else if (opcode == 0x86 || opcode == 0x87)
        set(d, SITE_UPDATE, size), d->site->locked = true;
    else if (opcode == 0x88 || opcode == 0x89 || opcode == 0xc6 || opcode == 0xc7)
        set(d, SITE_STORE, size);
    else if (opcode == 0x8a || opcode == 0x8b)
        set(d, SITE_LOAD, size);
    else if (opcode == 0x63)
        set(d, SITE_LOAD, 4);
    else if (opcode == 0x69 || opcode == 0x6b)
        set(d, SITE_LOAD, plain_size(d, false));
    else if (opcode == 0xc0 || opcode == 0xc1 || (opcode >= 0xd0 && opcode <= 0xd3))
        set(d, SITE_UPDATE, size);
    else if (opcode == 0xf6 || opcode == 0xf7)
        set(d, extension == 2 || extension == 3 ? SITE_UPDATE : SITE_LOAD, size);
    else if (opcode >= 0xfe && extension < 2)
        set(d, SITE_UPDATE, size);
    else if (opcode == 0xff && extension == 6)
        set(d, SITE_LOAD, 8); /* push */
    else if (opcode == 0x8f)
        set(d, SITE_STORE, 8); /* pop */
    else if (opcode >= 0xd8 && opcode <= 0xdf)
        float_access(d, opcode, extension);
}

/* The bit string instructions: a register says how far from the operand the word lies. */
static void bit_access(struct decoding *d, bool writes, bool by_register)
{
    set(d, writes ? SITE_UPDATE : SITE_LOAD, plain_size(d, false));
    if (by_register)
        d->site->bit_register = (uint8_t)((d->modrm >> 3 & 7) | (d->rex & 4 ? 8 : 0));
}

static uint8_t vector_size(const struct decoding *d)
{
    switch (d->opcode) {
    case 0x10: /* movss, movsd; else movups */
    case 0x11:
        return d->repeat ? 4 : d->repeat_not ? 8 : 16;
    case 0x6e:
        return d->wide ? 8 : 4;
    case 0x7e:
        return d->repeat || d->wide ? 8 : 4;
    case 0xd6:
    case 0x12:
    case 0x13:
    case 0x16:
    case 0x17:
        return 8;
    default:
        return d->long_vector ? 32 : 16;
    }
}

static bool is_vector_store(const struct decoding *d)
{
    switch (d->opcode) {
    case 0x11:
    case 0x13:
    case 0x17:
    case 0x29:
    case 0x2b:
    case 0x7f:
    case 0xd6:
    case 0xe7:
        return true;
    case 0x7e:
        return !d->repeat;
    default:
        return false;
    }
}

static void two_byte_access(struct decoding *d)
{
    uint8_t opcode = d->opcode, size = plain_size(d, !(opcode & 1));
    int extension = d->modrm >> 3 & 7;
    if (opcode == 0xb0 || opcode == 0xb1)
        set(d, SITE_COMPARE, size);
    else if (opcode == 0xc0 || opcode == 0xc1)
        set(d, SITE_UPDATE, size);
    else if (opcode == 0xc7)
        set(d, extension == 1 ? SITE_COMPARE : SITE_NONE, d->wide ? 16 : 8);
    else if (opcode == 0xa3 || opcode == 0xab || opcode == 0xb3 || opcode == 0xbb)
        bit_access(d, opcode != 0xa3, true);
    else if (opcode == 0xba)
        bit_access(d, extension != 4, false);
    else if (opcode == 0xb6 || opcode == 0xbe)
        set(d, SITE_LOAD, 1);
    else if (opcode == 0xb7 || opcode == 0xbf)
        set(d, SITE_LOAD, 2);
    else if (opcode >= 0x90 && opcode <= 0x9f)
        set(d, SITE_STORE, 1);
    else if (opcode == 0xc3)
        set(d, SITE_STORE, plain_size(d, false));
    else if ((opcode >= 0x40 && opcode <= 0x4f) || opcode == 0xaf || opcode == 0xbc ||
             opcode == 0xbd || opcode == 0xb8)
        set(d, SITE_LOAD, plain_size(d, false));
    else if (opcode == 0x0d || (opcode >= 0x18 && opcode <= 0x1f) || opcode == 0xae ||
             opcode <= 0x03)
        set(d, SITE_NONE, 0); /* prefetch, nop, fences, system */
    else
        set(d, is_vector_store(d) ? SITE_STORE : SITE_LOAD, vector_size(d));
}

static void classify(struct decoding *d, bool memory)
{
    struct board_site *site = d->site;
    site->bit_register = SITE_NO_REGISTER;
    if (d->map == 1 && d->opcode == 0x05 && !d->vector) {
        set(d, SITE_SYSCALL, 0);
        return;
    }
    if (d->map == 0 && !d->has_modrm)
        string_access(d);
    if (!memory)
        return;
    if (d->vector)
        set(d, d->map == 1 && is_vector_store(d) ? SITE_STORE : SITE_LOAD,
            d->map == 1      ? vector_size(d)
            : d->long_vector ? 32
                             : 16);
    else if (d->map == 0)
        one_byte_access(d);
    else if (d->map == 1)
        two_byte_access(d);
    else
        set(d, SITE_LOAD, 16);
    site->locked = site->locked || d->lock;
}

/* --- Registers --- */

static bool is_about_bytes(const struct decoding *d)
{
    uint8_t opcode = d->opcode;
    if (d->map == 1)
        return opcode == 0xb0 || opcode == 0xc0 || (opcode >= 0x90 && opcode <= 0x9f);
    if (opcode >= 0xb0 && opcode <= 0xb7)
        return true;
    bool by_last_bit = opcode < 0x40 || opcode == 0x80 || (opcode >= 0x84 && opcode <= 0x8b) ||
                       opcode == 0xc0 || opcode == 0xc6 || (opcode >= 0xd0 && opcode <= 0xd3) ||
                       opcode == 0xf6 || opcode == 0xfe;
    return d->map == 0 && by_last_bit && !(opcode & 1);
}

static int64_t signed_number(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value |= (uint64_t)bytes[i] << (8 * i);
    if (count == 0 || count == 8)
        return (int64_t)value;
    uint64_t sign = UINT64_C(1) << (8 * count - 1);
    return (int64_t)((value ^ sign) - sign);
}

static void note_registers(const struct decoding *d, bool memory,
                           struct instruction *instruction)
{
    instruction->map = (uint8_t)d->map;
    instruction->opcode = d->opcode;
    instruction->vector = d->vector;
    instruction->high_bytes = !d->has_rex && is_about_bytes(d);
    instruction->has_modrm = d->has_modrm;
    instruction->memory = memory;
    instruction->elsewhere = d->thread_local || d->address_32;
    instruction->width = plain_size(d, is_about_bytes(d));
    instruction->reg = (uint8_t)((d->modrm >> 3 & 7) | (d->rex & 4 ? 8 : 0));
    instruction->rm =
        (uint8_t)(((d->has_modrm ? d->modrm : d->opcode) & 7) | (d->rex & 1 ? 8 : 0));
}

bool decode_instruction(const uint8_t *code, size_t size, struct instruction *instruction)
{
    *instruction = (struct instruction){0};
    struct decoding d = {.code = code, .size = size, .site = &instruction->site};
    bool memory = false;
    if (!read_opcode(&d))
        return false;
    d.has_modrm = d.map == 0   ? one_byte_has_modrm(d.opcode)
                  : d.map == 1 ? two_byte_has_modrm(d.opcode)
                               : true;
    if (d.has_modrm && (!next_byte(&d, &d.modrm) || !read_memory_operand(&d, &memory)))
        return false;
    classify(&d, memory);
    size_t bytes = immediate(&d);
    if (d.at + bytes > size || d.at + bytes > LONGEST)
        return false;
    instruction->immediate = signed_number(code + d.at, bytes);
    instruction->site.length = (uint8_t)(d.at + bytes);
    note_registers(&d, memory, instruction);
    return true;
}

struct board_site instruction_site(const struct instruction *instruction)
{
    bool own = instruction->memory && instruction->site.base == SITE_STACK_POINTER;
    return own || instruction->elsewhere
               ? (struct board_site){.length = instruction->site.length}
               : instruction->site;
}
