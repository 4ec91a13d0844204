/* The values of registers in straight code, followed instruction by instruction, to tell
 * whether two operands are the same address. Values that are not known (arguments, what is read
 * from memory, results of calls) are random numbers, arithmetic on them is the processor's:
 * addresses that come out equal are the same expression of the same unknowns, but for a chance
 * of about one in 2^64 each. (Random interpretation: nothing needs normal forms of
 * expressions.)
 *
 * For some values more is known: that they are addresses in the function's own frame, in
 * read-only data, or of the structure that the caller wants returned, or are derived from one
 * of these by addition. */
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
    uint64_t unknowns; /* the next number to give out: the same for an instruction always */
};

/* At the start of a function. in_frame: the frame pointer is already that of the frame. */
void machine_enter_function(struct machine *machine, uint64_t address, bool in_frame);
/* The canonical frame address of that function. */
uint64_t machine_frame(uint64_t address, bool in_frame);
/* The block at `address` can also be entered with these registers: what is not the same both
 * ways becomes unknown. Returns whether that changed anything. */
bool machine_meet(struct machine *machine, uint64_t address, const struct machine *other);
/* At the end of the code at `address`: make these registers (a bit for each) unknown, and the
 * contents of the frame if asked for. */
void machine_give_up(struct machine *machine, uint64_t address, uint16_t registers, bool cells);
/* The address that the memory operand of the instruction at `address` means. */
struct quantity machine_operand(const struct machine *machine, const struct module_code *module,
                                const struct instruction *instruction, uint64_t address);
/* Execute it. Calls: machine_call(). */
void machine_step(struct machine *machine, const struct module_code *module,
                  const struct instruction *instruction, uint64_t address);
/* What a call leaves of the registers. */
void machine_call(struct machine *machine, uint64_t address);

#endif
