/* The event log of a RECORD run (record.c). */
#ifndef MAZUR_RUNTIME_RECORD_H
#define MAZUR_RUNTIME_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"

void record_begin(void);
/* `tid` was picked: remember why control came to it. The thread to go on with: the picked one,
 * or the calling one where the executor has already switched there and back. */
int record_switch(int tid);
void record_event(const struct op *op);
/* The running thread is about to announce an operation. */
void record_pending(const struct op *op);
/* The stack of a thread that has announced the operation at `pc`, where it is known. */
bool record_pending_stack(int tid, uint64_t pc, struct board_stack *out);
/* Facts about the operation being executed, for its event: set after it was picked. */
struct record_facts {
    uint64_t address;
    uint64_t before;
    uint64_t after;
    bool has_values;
    int result;
    int other;
    threadset woken;
};
extern struct record_facts record_facts;
void record_label(const char *text);
void record_name(uint64_t address, uint64_t size, const char *text);

#endif
