/* Follows the values of registers through straight-line code, instruction by instruction, to
 * tell whether two operands have the same address. Unknown values (arguments, values read from
 * memory, results of calls) are random numbers, and arithmetic on them is that of the
 * processor. Addresses that come out equal are the same expression of the same unknowns, except
 * with a probability of about 2^-64 each. (This is random interpretation: it needs no normal
 * forms of expressions.)
 *
 * For some values more is known: they are addresses in the function's own frame, in read-only
 * data, or of the structure that the caller wants returned, or are derived from one of these by
 * addition. */
#ifndef MAZUR_MACHINE_MACHINE_H
#define MAZUR_MACHINE_MACHINE_H

#include "machine/module_code.h"

#define REGISTERS     16
#define MACHINE_CELLS 48

enum { FRAME = 1, CONSTANT = 2, OWN = FRAME | CONSTANT, RESULT = 4 };

struct quantity {
    uint64_t value;
    uint64_t of; /* FRAME, CONSTANT, RESULT */
};

struct cell { /* of the function's frame */
    uint64_t address;
    struct quantity content;
    uint64_t width; /* 0: unused */
};

/* Without padding, since it is compared as a whole. */
struct machine {
    struct quantity reg[REGISTERS];
    struct cell cell[MACHINE_CELLS];
    uint64_t next_cell;
    uint64_t unknowns; /* the next number to hand out: always the same for an instruction */
};

/* The registers at the start of a function. in_frame: the frame pointer is already set up. */
void machine_enter_function(struct machine *machine, uint64_t address, bool in_frame);
/* The canonical frame address of that function. */
uint64_t machine_frame(uint64_t address, bool in_frame);
/* The block at `address` can also be entered with these registers: what differs becomes
 * unknown. Returns whether that changed anything. */
bool machine_meet(struct machine *machine, uint64_t address, const struct machine *other);
/* At the end of the code at `address`: makes these registers (a bit for each) unknown, and the
 * contents of the frame if asked to. */
void machine_give_up(struct machine *machine, uint64_t address, uint16_t registers, bool cells);
/* The address of the memory operand of the instruction at `address`. */
struct quantity machine_operand(const struct machine *machine, const struct module_code *module,
                                const struct instruction *instruction, uint64_t address);
/* Executes the instruction. For calls: machine_call(). */
void machine_step(struct machine *machine, const struct module_code *module,
                  const struct instruction *instruction, uint64_t address);
/* Makes the registers unknown that a call may change. */
void machine_call(struct machine *machine, uint64_t address);

#endif
