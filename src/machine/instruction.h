/* One machine instruction: how long it is, which memory it reads or writes, and what is needed
 * to follow addresses through registers. For --visible, which makes the accesses of a function
 * visible whatever made them (assembly, a compiler without instrumentation), and for accesses
 * that instrumented code does not announce (announce.h). x86-64 only, like the fibers. */
#ifndef MAZUR_MACHINE_INSTRUCTION_H
#define MAZUR_MACHINE_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/board.h"

struct instruction {
    struct board_site site; /* without its address; the stack and thread-local storage, too */
    uint8_t map;            /* opcode map: 0: one byte, 1: 0f, 2: 0f 38, 3: 0f 3a */
    uint8_t opcode;
    bool vector;     /* VEX or EVEX */
    bool high_bytes; /* byte registers 4 to 7 are %ah to %bh: there is no REX prefix */
    bool has_modrm;
    bool memory;    /* one operand is in memory: site says where, whatever its kind is */
    bool elsewhere; /* through fs or gs, or by 32-bit addresses */
    uint8_t reg;    /* ModRM's register, or its extension of the opcode */
    uint8_t rm;     /* the other register, also the one in an opcode, unless `memory` */
    uint8_t width;  /* bytes of a general operand */
    int64_t immediate;
};

/* Decode the instruction at code[0 … size). False: not an instruction that is known, or cut
 * off. */
bool decode_instruction(const uint8_t *code, size_t size, struct instruction *instruction);
/* What of it can be made visible: of kind SITE_NONE where it accesses no memory, or memory that
 * is the function's own by the looks of it. */
struct board_site instruction_site(const struct instruction *instruction);

#endif
