/* See trap_operands.h.
 *
 * Most operands are base + index * scale + displacement. The others:
 *
 *  - String instructions: %rcx rounds, up or down by the direction flag. cmps and scas end at
 *    the round that decides the comparison; this code makes the same comparison to find it.
 *  - Vectors with a mask: only the lanes that the mask selects. Gather and scatter: an address
 *    for each lane. The registers are in the signal frame (Intel's manual, volume 1, chapter
 *    13: the standard format of XSAVE); a component that is not marked as in use is all zeros.
 *
 * Invariant: the reported accesses are exactly those that the processor makes when it executes
 * the instruction with these registers. */
#define _GNU_SOURCE
#include "runtime/arch/trap_operands.h"

#include <cpuid.h>
#include <string.h>

#define VECTOR_BYTES   64
#define DIRECTION_FLAG 0x400
#define LEGACY_AREA    512 /* then the header of the extended part */

enum { STATE_HIGH_YMM = 2, STATE_MASKS = 5, STATE_HIGH_ZMM = 6, STATE_MORE_ZMM = 7, STATES };

static uint32_t state_offset[STATES]; /* 0: this processor has none */

void trap_operands_init(void)
{
    unsigned a, b, c, d;
    for (unsigned i = STATE_HIGH_YMM; i < STATES; i++)
        if (__get_cpuid_count(0xd, i, &a, &b, &c, &d) && a != 0)
            state_offset[i] = b;
}

/* --- Registers --- */

static const uint8_t register_order[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                           REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                           REG_R12, REG_R13, REG_R14, REG_R15};

uint64_t trap_register(const ucontext_t *context, uint8_t number)
{
    return (uint64_t)context->uc_mcontext.gregs[register_order[number & 15]];
}

void trap_set_register(ucontext_t *context, uint8_t number, uint64_t value)
{
    context->uc_mcontext.gregs[register_order[number & 15]] = (greg_t)value;
}

/* A component of the extended state. NULL means that it is all zeros. */
static const uint8_t *extended_state(const ucontext_t *context, unsigned state)
{
    const uint8_t *area = (const uint8_t *)context->uc_mcontext.fpregs;
    uint64_t used;
    if (!area || state_offset[state] == 0)
        return NULL;
    memcpy(&used, area + LEGACY_AREA, sizeof used);
    return used >> state & 1 ? area + state_offset[state] : NULL;
}

static void read_part(uint8_t *to, const uint8_t *from, size_t offset, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = from ? from[offset + i] : 0;
}

static void read_vector(const ucontext_t *context, unsigned number, uint8_t out[VECTOR_BYTES])
{
    if (number >= 16) {
        read_part(out, extended_state(context, STATE_MORE_ZMM), (number - 16) * 64u, 64);
        return;
    }
    const uint8_t *low = context->uc_mcontext.fpregs
                             ? (const uint8_t *)&context->uc_mcontext.fpregs->_xmm[number]
                             : NULL;
    read_part(out, low, 0, 16);
    read_part(out + 16, extended_state(context, STATE_HIGH_YMM), number * 16u, 16);
    read_part(out + 32, extended_state(context, STATE_HIGH_ZMM), number * 32u, 32);
}

static uint64_t read_mask(const ucontext_t *context, unsigned number)
{
    uint64_t mask;
    read_part((uint8_t *)&mask, extended_state(context, STATE_MASKS), (number & 7) * 8u, 8);
    return mask;
}

/* --- Addresses --- */

/* bt and similar instructions: the bit number may select another word, before or after the
 * operand. */
static uint64_t bit_distance(const struct board_site *site, const ucontext_t *context)
{
    int64_t bit = (int64_t)trap_register(context, site->bit_register);
    int shift = site->size == 8 ? 6 : site->size == 4 ? 5 : 4;
    if (site->size < 8)
        bit = site->size == 2 ? (int16_t)bit : (int32_t)bit;
    return (uint64_t)((bit >> shift) * site->size);
}

uint64_t trap_operand(const struct board_site *site, const ucontext_t *context)
{
    uint64_t address = (uint64_t)(int64_t)site->displacement;
    if (site->base == SITE_RIP)
        address += site->address + site->length;
    else if (site->base != SITE_NO_REGISTER)
        address += trap_register(context, site->base);
    if (site->index != SITE_NO_REGISTER) {
        uint64_t index = trap_register(context, site->index);
        address += (site->byte_index ? index & 0xff : index) << site->scale;
    }
    if (site->bit_register != SITE_NO_REGISTER)
        address += bit_distance(site, context);
    return address;
}

/* --- Lanes --- */

static uint64_t selected_lanes(const struct board_site *site, const ucontext_t *context)
{
    uint64_t all = site->lanes >= 64 ? UINT64_MAX : (UINT64_C(1) << site->lanes) - 1;
    uint64_t selected = 0;
    uint8_t vector[VECTOR_BYTES];
    if (site->mask_kind == MASK_NONE)
        return all;
    if (site->mask_kind != MASK_SIGNS)
        return read_mask(context, site->mask) & all;
    read_vector(context, site->mask, vector);
    for (unsigned lane = 0; lane < site->lanes && (lane + 1u) * site->size <= sizeof vector;
         lane++)
        if (vector[(lane + 1u) * site->size - 1] & 0x80)
            selected |= UINT64_C(1) << lane;
    return selected;
}

static int64_t lane_index(const struct board_site *site, const uint8_t *indices, unsigned lane)
{
    int32_t narrow;
    int64_t wide;
    if (site->index_size == 4) {
        memcpy(&narrow, indices + lane * 4u, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, indices + lane * 8u, sizeof wide);
    return wide;
}

static void each_lane(const struct board_site *site, const ucontext_t *context, uint64_t pc,
                      trap_access *found)
{
    uint64_t address = trap_operand(site, context), selected = selected_lanes(site, context);
    uint8_t indices[VECTOR_BYTES];
    if (site->mask_kind == MASK_PACKED) {
        uint64_t bytes = (uint64_t)__builtin_popcountll(selected) * site->size;
        if (bytes > 0)
            found(address, bytes, pc);
        return;
    }
    if (site->vector_index != SITE_NO_REGISTER)
        read_vector(context, site->vector_index, indices);
    for (unsigned lane = 0; lane < site->lanes; lane++) {
        uint64_t distance = (uint64_t)lane * site->size;
        if (!(selected >> lane & 1))
            continue;
        if (site->vector_index != SITE_NO_REGISTER)
            distance = (uint64_t)lane_index(site, indices, lane) << site->scale;
        found(address + distance, site->size, pc);
    }
}

/* --- Strings --- */

static bool is_down(const ucontext_t *context)
{
    return context->uc_mcontext.gregs[REG_EFL] & DIRECTION_FLAG;
}

/* Reports the bytes of `rounds` elements, starting where the register points. */
static void tell_stretch(const struct board_site *site, const ucontext_t *context, uint8_t from,
                         uint64_t rounds, uint64_t pc, trap_access *found)
{
    uint64_t start = trap_register(context, from);
    if (rounds == 0)
        return;
    if (is_down(context))
        start -= (rounds - 1) * site->size;
    found(start, rounds * site->size, pc);
}

/* How many rounds cmps or scas makes before it ends: rep continues while elements are equal,
 * repne while they differ. */
static uint64_t compared_rounds(const struct board_site *site, const ucontext_t *context,
                                uint64_t most)
{
    uint64_t step = is_down(context) ? (uint64_t) - (int64_t)site->size : site->size;
    uint64_t right = trap_register(context, SITE_DESTINATION);
    uint64_t left = trap_register(context, SITE_SOURCE);
    uint64_t accumulator = trap_register(context, SITE_ACCUMULATOR);
    for (uint64_t rounds = 1; rounds <= most; rounds++) {
        const void *with = site->kind == SITE_SCAN ? (const void *)&accumulator
                                                   : (const void *)(uintptr_t)left;
        bool equal = memcmp((const void *)(uintptr_t)right, with, site->size) == 0;
        if (!site->repeated || equal == site->until_not)
            return rounds;
        left += step;
        right += step;
    }
    return most;
}

static void each_string(const struct board_site *site, const ucontext_t *context, uint64_t pc,
                        trap_access *read, trap_access *write)
{
    uint64_t rounds = site->repeated ? trap_register(context, SITE_COUNT) : 1;
    bool compares = site->kind == SITE_MATCH || site->kind == SITE_SCAN;
    if (compares)
        rounds = compared_rounds(site, context, rounds);
    if (site->kind == SITE_COPY || site->kind == SITE_MATCH || site->kind == SITE_LOAD)
        tell_stretch(site, context, SITE_SOURCE, rounds, pc, read);
    if (compares)
        tell_stretch(site, context, SITE_DESTINATION, rounds, pc, read);
    if (site->kind == SITE_COPY || site->kind == SITE_FILL)
        tell_stretch(site, context, SITE_DESTINATION, rounds, pc, write);
}

/* --- An instruction --- */

void trap_each_access(const struct board_site *site, const ucontext_t *context,
                      trap_access *read, trap_access *write)
{
    uint64_t pc = site->address + site->length;
    bool is_string = site->kind == SITE_COPY || site->kind == SITE_FILL ||
                     site->kind == SITE_MATCH || site->kind == SITE_SCAN || site->repeated;
    if (is_string) {
        each_string(site, context, pc, read, write);
    } else if (site->lanes > 0) {
        each_lane(site, context, pc, site->kind == SITE_LOAD ? read : write);
    } else {
        if (site->kind != SITE_STORE)
            read(trap_operand(site, context), site->size, pc);
        if (site->kind != SITE_LOAD)
            write(trap_operand(site, context), site->size, pc);
    }
}
