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

/* Reads all debug information of the module that has the address: many look-ups are faster
 * then. */
void read_module_of(struct symboliser *symboliser, uint64_t address);
/* The places of a code address: the function, then the callers that it was inlined into. A
 * return address is the one after its call, so `is_return` looks one byte earlier. */
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
/* What an object is called that is in no known variable: "unnamed #1 of main()", "unnamed #2 of
 * libstdc++.so.6"; its address if that is nowhere known. */
const char *symbolise_nameless(struct symboliser *symboliser, const struct board_home *home,
                               uint64_t address);
/* "total of main()": a variable in this part of the frame whose block the function had left;
 * NULL: there is none, or nothing is known. */
const char *symbolise_ended_block(struct symboliser *symboliser, const struct board_use *use);
/* Pointers to a heap block tell what it holds (heap_names.c): the pointer at `address`, in the
 * block `inside` (NULL: in none), had the value `value`, an address in `block`. */
void symbolise_pointer(struct symboliser *symboliser, uint64_t address,
                       const struct board_home *home, const struct board_block *inside,
                       const struct board_block *block, uint64_t value);
/* "acc->balance", "Account.balance (new at main():34 #2)": the part of the heap block at an
 * address. `internal`: it is the C++ library's own, such as the use count of a shared_ptr. */
const char *symbolise_heap(struct symboliser *symboliser, const struct board_block *block,
                           uint64_t address, unsigned size, bool *internal);
/* The block as a whole: "Node#1 (new at push():53)". */
const char *symbolise_block(struct symboliser *symboliser, const struct board_block *block);
/* "4 bytes before the 4-byte block of p.free_": an address outside the block. */
const char *symbolise_beside(struct symboliser *symboliser, const struct board_block *block,
                             uint64_t address);
/* The block that was live at the end of the execution and has the address, or NULL. */
const struct board_block *symbolise_live_block(struct symboliser *symboliser, uint64_t address);

/* Where a value is: in a heap block, or on a stack, or (both NULL) in a global variable. */
struct value_place {
    uint64_t address;
    unsigned size;
    const struct board_block *block;
    const struct board_home *home;
};
/* "Stopping", "true", "0.75", "&node": the value as its type shows it; NULL: as a number. */
const char *symbolise_value(struct symboliser *symboliser, const struct value_place *place,
                            uint64_t value);
/* "std::out_of_range" for "St12out_of_range", as type_info has it; the name itself if it can't
 * be demangled. */
const char *symbolise_type(struct symboliser *symboliser, const char *name);

#endif
