/* One machine instruction: how long it is, which memory it reads or writes, and what is needed
 * to follow addresses through registers. For --visible, which makes the accesses of a function
 * visible no matter what made them (assembly, a compiler without instrumentation), and for
 * unannounced accesses of instrumented code (announce.h). x86-64 only, like the fibers. */
#ifndef MAZUR_MACHINE_INSTRUCTION_H
#define MAZUR_MACHINE_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "board/board.h"

/* The operations that machine.c executes. Of all others only the written registers matter. */
enum operation {
    OPERATION_OTHER,
    OPERATION_NONE, /* padding */
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
    TRANSFER_BRANCH, /* may continue with the next instruction; `immediate` is the distance */
    TRANSFER_JUMP,
    TRANSFER_JUMP_INDIRECT, /* through a register or memory */
    TRANSFER_CALL,
    TRANSFER_CALL_INDIRECT,
    TRANSFER_RETURN,
    TRANSFER_STOP, /* nothing follows: ud2, hlt */
};

struct operand {
    enum { OPERAND_NONE, OPERAND_REGISTER, OPERAND_MEMORY, OPERAND_IMMEDIATE } kind;
    uint8_t reg;   /* by the processor's numbering; SITE_NO_REGISTER: not a general one */
    uint8_t width; /* bytes */
    bool high;     /* %ah, %bh, %ch, %dh */
};

#define OPERANDS_KEPT 3

struct instruction {
    struct board_site site; /* without address; also for the stack and thread-locals */
    enum operation operation;
    enum transfer transfer;
    bool memory;     /* one operand is in memory: `site` says where, whatever its kind */
    bool elsewhere;  /* … through fs or gs, or by 32-bit addresses */
    bool moves;      /* it only moves data, or prepares addresses and the stack */
    bool assembly;   /* no instrumenting compiler generates it from a statement */
    uint16_t writes; /* general registers that it may change, a bit for each */
    struct operand operand[OPERANDS_KEPT]; /* the explicit ones, destination first */
    int64_t immediate;
    const char *outside; /* its name if its result depends on more than the program (a clock,
                          * random numbers, the processor, the system), otherwise NULL */
};

/* Decodes the instruction at code[0 … size). False: not an instruction, or cut off. */
bool decode_instruction(const uint8_t *code, size_t size, struct instruction *instruction);
/* The part of it that can be made visible: of kind SITE_NONE if it accesses no memory, or
 * memory that appears to be the function's own. */
struct board_site instruction_site(const struct instruction *instruction);
/* Does it access memory in any way? */
bool instruction_accesses(const struct instruction *instruction);

#endif
