/* Plain and atomic accesses (access.c). */
#ifndef MAZUR_RUNTIME_ACCESS_H
#define MAZUR_RUNTIME_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

void access_init(void *table);
uint64_t access_table_bytes(void);
/* Raises a failure if the memory is not live. */
void access_check(uint64_t address, uint64_t size, bool write, uint64_t pc);
void access_begin(void); /* of an execution */
/* Adds a racing location whose accesses become operations; the search starts over. */
void access_add_racy(uint64_t address, uint64_t size);
void access_read(uint64_t address, uint64_t size, uint64_t pc);
void access_write(uint64_t address, uint64_t size, uint64_t pc);
/* The same for an interrupted instruction, which has no hook. */
void access_read_trapped(uint64_t address, uint64_t size, uint64_t pc);
void access_write_trapped(uint64_t address, uint64_t size, uint64_t pc);
/* --races=explore: a call makes several accesses in one step. Its accesses to racing locations
 * become the operands of one operation, which is then picked; false: there are none. The
 * accesses follow in the same step, by access_*_picked(). */
bool access_is_racing(uint64_t address);
struct op access_operation(uint64_t size, uint64_t pc);
void access_add_operand(struct op *op, uint64_t address, uint64_t size, bool write);
bool access_point(struct op *op);
void access_read_picked(uint64_t address, uint64_t size, uint64_t pc);
void access_write_picked(uint64_t address, uint64_t size, uint64_t pc);
/* Canonical object of an atomic access; checks that the memory is live. */
uint64_t access_atomic_object(uint64_t address, uint32_t size, bool write, uint64_t pc);
/* The same if the address only names the object: the memory need not exist. */
uint64_t access_object_name(uint64_t address, uint32_t size, uint64_t pc);
/* Is this range one object, rather than a part of one? */
bool access_object_is_exactly(uint64_t address, uint32_t size);

#endif
