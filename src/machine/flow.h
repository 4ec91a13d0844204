/* The code of one function: its instructions, the blocks that they form, and what registers
 * hold where (machine.h). */
#ifndef MAZUR_MACHINE_FLOW_H
#define MAZUR_MACHINE_FLOW_H

#include "machine/machine.h"

#define NOWHERE UINT32_MAX

enum function_part {
    PART_WHOLE,
    PART_OF_FRAME,  /* moved away from a function that keeps a frame pointer */
    PART_UNBOUNDED, /* many functions: there are no symbols that say where each starts */
};

struct flow_block {
    uint32_t first; /* instructions */
    uint32_t end;
    uint32_t next[2]; /* blocks that follow, or NOWHERE; not those of a switch */
    uint32_t way;     /* first of the ways that lead here */
    uint32_t ways;
    bool handler; /* of exceptions: entered from any call; or another function */
    bool forgets_cells;
    uint16_t unsettled;   /* registers of which nothing is known at its end */
    struct machine *left; /* registers at its end; NULL: no way here was found yet */
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
    struct way *way; /* from block to block, in order of where they lead */
    size_t nways;
    size_t ways_capacity;
    bool hooks;              /* it calls __tsan_… */
    bool strangers;          /* unreachable blocks may be anything */
    struct machine *at_call; /* what is the same after all calls; NULL: there is none */
    struct machine machine;  /* registers where flow_enter() and flow_step() have led */
};

/* The function [start, end). False: the code is too complex to follow; close it all the same.
 */
bool flow_open(struct flow *flow, const struct module_code *module, uint64_t start,
               uint64_t end, enum function_part part);
void flow_close(struct flow *flow);
uint64_t flow_address(const struct flow *flow, uint32_t number);
/* Is the instruction a call, and whose? */
bool flow_call(const struct flow *flow, uint32_t number, struct call *call);
/* Put flow->machine at the start of a block; false: nothing leads there. */
bool flow_enter(struct flow *flow, const struct flow_block *block);
/* Execute the instruction. */
void flow_step(struct flow *flow, uint32_t number);
/* The block that the n-th way to this one comes from; there are as many as block.ways. */
uint32_t flow_from(const struct flow *flow, uint32_t block, uint32_t n);

#endif
