/* The event log of a RECORD run (record.c). */
#ifndef MAZUR_RUNTIME_RECORD_H
#define MAZUR_RUNTIME_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "board/board.h"

void record_begin(void);
/* `tid` was picked: remembers why control came to it. Returns the thread to continue with: the
 * picked one, or the calling one if the executor has already switched there and back. */
int record_switch(int tid);
void record_event(const struct op *op);
/* The running thread is about to announce an operation. */
void record_pending(const struct op *op);
/* The stack of a thread that has announced the operation at `pc`. Returns false if it is
 * unknown. */
bool record_pending_stack(int tid, uint64_t pc, struct board_stack *out);
/* Facts about the operation being executed, for its event. They are set after the operation was
 * picked. */
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
/* The operation wakes this thread. */
void record_woken(int tid);
void record_label(const char *text);
void record_name(uint64_t address, uint64_t size, const char *text);

#endif
