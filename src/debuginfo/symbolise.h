/* From addresses to names: functions, source lines, variables.
 *
 * Works on the ELF files of the child (path and load bias are on the board) with elfutils'
 * libdw; it reads none of the child's memory. Without debug information the answer is
 * symbol+offset, or else module+offset. Answers live in the arena that the symboliser was made
 * with, and are cached, since an execution uses the same addresses many times. */
#ifndef MAZUR_DEBUGINFO_SYMBOLISE_H
#define MAZUR_DEBUGINFO_SYMBOLISE_H

#include "board/board.h"
#include "debuginfo/source_place.h"
#include "host/arena.h"

struct symboliser;

/* `board` must be sanitised; board and arena must outlive the symboliser. */
struct symboliser *symboliser_new(const struct board *board, struct arena *arena);
void symboliser_free(struct symboliser *symboliser);

/* The places of a code address: the function, then the callers that it was inlined into. A
 * return address lies behind its call, so `is_return` looks one byte earlier. */
struct source_stack symbolise_code(struct symboliser *symboliser, uint64_t address,
                                   bool is_return);
/* A whole call stack, up to main, without the runtime's own frames. `exact`: the innermost
 * address is an instruction, not a return address. */
struct source_stack symbolise_stack(struct symboliser *symboliser,
                                    const struct board_stack *stack, bool exact);
/* "q.head", "slots[2].seq", a name given with mazur_name, or NULL when the address is in no
 * known variable. `size` (0: unknown) decides how deep into a structure the name goes. */
const char *symbolise_data(struct symboliser *symboliser, uint64_t address, unsigned size);
/* The same for variables that are not global: on a stack, or thread-local (locals.c). */
const char *symbolise_home(struct symboliser *symboliser, const struct board_home *home,
                           uint64_t address, unsigned size);
/* Pointers to a heap block tell what it holds (pointees.c): the pointer at `address` had the
 * value `block`, the base of a heap block. `inside` is the base of the block that the pointer
 * itself lies in, or 0. True if that was new. */
bool symbolise_pointer(struct symboliser *symboliser, uint64_t address,
                       const struct board_home *home, uint64_t inside, uint64_t block);
/* ".next", "[2].value": the part of the heap block at `offset`; NULL: not known. */
const char *symbolise_heap(struct symboliser *symboliser, uint64_t block, uint64_t offset,
                           unsigned size);
/* "std::out_of_range" for "St12out_of_range", as type_info has it; the name itself if it can't
 * be demangled. */
const char *symbolise_type(struct symboliser *symboliser, const char *name);

#endif
