/* The code of one function: its instructions, their basic blocks, and the contents of registers
 * at each point (machine.h). */
#ifndef MAZUR_MACHINE_FLOW_H
#define MAZUR_MACHINE_FLOW_H

#include "machine/machine.h"

#define NOWHERE UINT32_MAX

enum function_part {
    PART_WHOLE,
    PART_OF_FRAME,  /* moved away from a function that uses a frame pointer */
    PART_UNBOUNDED, /* many functions: no symbols show where each starts */
};

struct flow_block {
    uint32_t first; /* instructions */
    uint32_t end;
    uint32_t next[2]; /* blocks that follow, or NOWHERE; not those of a switch */
    uint32_t way;     /* first of the edges that lead here */
    uint32_t ways;
    bool handler; /* exception handler: entered from any call; or another function */
    bool forgets_cells;
    uint16_t unsettled;   /* registers that are unknown at its end */
    struct machine *left; /* registers at its end; NULL: no path here was found yet */
};

struct flow {
    const struct module_code *module;
    uint64_t start;
    uint64_t end;
    const uint8_t *code;
    enum function_part part;
    struct instruction *instruction;
    uint32_t *offset; /* of each */
    uint32_t count;
    size_t capacity;
    size_t offsets_capacity;
    uint8_t *leader; /* by offset: a block starts here: 1; a case of a switch does: 2 */
    struct flow_block *block;
    uint32_t nblocks;
    struct way *way; /* edges between blocks, in order of their targets */
    size_t nways;
    size_t ways_capacity;
    bool hooks;              /* it calls __tsan_… */
    bool strangers;          /* unreachable blocks may be anything */
    struct machine *at_call; /* what is the same after all calls; NULL: there is none */
    struct machine machine;  /* registers after flow_enter() and flow_step() */
};

/* Analyses the function [start, end). False: the code is too complex to follow; flow_close()
 * must be called all the same. */
bool flow_open(struct flow *flow, const struct module_code *module, uint64_t start,
               uint64_t end, enum function_part part);
void flow_close(struct flow *flow);
uint64_t flow_address(const struct flow *flow, uint32_t number);
/* Is the instruction a call, and of which function? */
bool flow_call(const struct flow *flow, uint32_t number, struct call *call);
/* Moves flow->machine to the start of a block; false: nothing leads there. */
bool flow_enter(struct flow *flow, const struct flow_block *block);
/* Executes the instruction. */
void flow_step(struct flow *flow, uint32_t number);
/* The block that the n-th edge to this one comes from; there are block.ways edges. */
uint32_t flow_from(const struct flow *flow, uint32_t block, uint32_t n);

#endif
