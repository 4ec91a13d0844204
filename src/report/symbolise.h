/* From addresses to what people call things: functions, source lines, variables.
 *
 * Works on the ELF files of the child (path and load bias are on the board) with elfutils'
 * libdw; nothing of the child is read. Where debug information is missing the answer degrades to
 * symbol+offset, then module+offset. */
#ifndef MAZUR_REPORT_SYMBOLISE_H
#define MAZUR_REPORT_SYMBOLISE_H

#include "report/trace.h"

struct symboliser;

/* `board` must be sanitised; it must stay alive as long as the symboliser. */
struct symboliser *symboliser_new(const struct board *board);
void symboliser_free(struct symboliser *symboliser);

/* The places of a code address, inlined callers after their callee: at most `capacity`. A
 * return address lies behind its call: `is_return` looks one byte earlier. */
size_t symbolise_code(struct symboliser *symboliser, struct arena *arena, uint64_t address,
                      bool is_return, struct trace_place *places, size_t capacity);
struct trace_stack symbolise_stack(struct symboliser *symboliser, struct arena *arena,
                                   const struct board_stack *stack);
/* "q.head", "slots[2].seq", a name given with mazur_name, or NULL when the address is in no
 * known variable. `size` (0: unknown) decides how deep into a structure the name goes. */
char *symbolise_data(struct symboliser *symboliser, struct arena *arena, uint64_t address,
                     unsigned size);
/* The function that begins at this address, or NULL. */
char *symbolise_function(struct symboliser *symboliser, struct arena *arena, uint64_t address);

#endif
