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

/* What machine.c executes; of all others only the registers that they write matter. */
enum operation {
    OPERATION_OTHER,
    OPERATION_NONE, /* fills up space */
    OPERATION_MOVE,
    OPERATION_ADDRESS, /* lea */
    OPERATION_ADD,
    OPERATION_OR,
    OPERATION_AND,
    OPERATION_SUBTRACT,
    OPERATION_XOR,
    OPERATION_INCREMENT,
    OPERATION_DECREMENT,
    OPERATION_SHIFT_LEFT,
    OPERATION_SHIFT_RIGHT,
    OPERATION_SHIFT_SIGNED,
    OPERATION_MULTIPLY, /* by a constant, to another register */
    OPERATION_ZERO_EXTEND,
    OPERATION_SIGN_EXTEND,
    OPERATION_WIDEN_ACCUMULATOR, /* cdqe */
    OPERATION_PUSH,
    OPERATION_POP,
    OPERATION_LEAVE,
};

enum transfer {
    TRANSFER_NONE,
    TRANSFER_BRANCH, /* may go on with the next instruction; `immediate` is the distance */
    TRANSFER_JUMP,
    TRANSFER_JUMP_INDIRECT, /* through a register or memory */
    TRANSFER_CALL,
    TRANSFER_CALL_INDIRECT,
    TRANSFER_RETURN,
    TRANSFER_STOP, /* nothing follows: ud2, hlt */
};

struct operand {
    enum { OPERAND_NONE, OPERAND_REGISTER, OPERAND_MEMORY, OPERAND_IMMEDIATE } kind;
    uint8_t reg;   /* as the processor numbers them; SITE_NO_REGISTER: no general one */
    uint8_t width; /* bytes */
    bool high;     /* %ah, %bh, %ch, %dh */
};

#define OPERANDS_KEPT 3

struct instruction {
    struct board_site site; /* without its address; the stack and thread-local storage, too */
    enum operation operation;
    enum transfer transfer;
    bool memory;     /* one operand is in memory: site says where, whatever its kind is */
    bool elsewhere;  /* … through fs or gs, or by 32-bit addresses */
    bool moves;      /* it only moves, or prepares addresses and the stack */
    bool assembly;   /* no compiler that instruments makes it of a statement */
    uint16_t writes; /* general registers that it may change, a bit for each */
    struct operand operand[OPERANDS_KEPT]; /* those that are written out: destination first */
    int64_t immediate;
    const char *outside; /* its name, if its result depends on more than the program: a clock,
                          * chance, the processor, the system; else NULL */
};

/* Decode the instruction at code[0 … size). False: not an instruction, or cut off. */
bool decode_instruction(const uint8_t *code, size_t size, struct instruction *instruction);
/* What of it can be made visible: of kind SITE_NONE where it accesses no memory, or memory that
 * appears to be the function's own. */
struct board_site instruction_site(const struct instruction *instruction);
/* Does it access memory in any way? */
bool instruction_accesses(const struct instruction *instruction);

#endif
