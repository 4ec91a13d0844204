/* Mazur's own memory inside the program under test.
 *
 * What Mazur remembers across executions must not be restored with the program's memory and
 * must not come from libc. So all of it is in one range of addresses that the snapshot leaves
 * out. The mappings are made by raw system calls and reserved lazily: an untouched page costs
 * nothing.
 *
 *   0x110000000000  the program's heap (heap.h): restored, it is the program's; ASan's shadow
 *                   memory ends at 0x10007fff8000
 *   0x200000000000  RT_PRIVATE_LOW: board, pool (board.h)
 *   0x300000000000  mappings of rt_map(), one after the other
 *   0x340000000000  tables at addresses known at compile time (below)
 *   0x500000000000  RT_PRIVATE_HIGH
 *   0x5c0000000000  what the program maps itself (mapping.c)
 *
 * Invariant: modules that use this keep their mutable state in these mappings; their static
 * variables are set once, before the snapshot. */
#ifndef MAZUR_RUNTIME_MEMORY_H
#define MAZUR_RUNTIME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RT_PRIVATE_LOW  UINT64_C(0x200000000000)
#define RT_PRIVATE_HIGH UINT64_C(0x500000000000)

/* Tables whose address is a constant in the code, so that an inlined check needs no pointer.
 * The lower digits differ on purpose: in a cache that predicts its way from address bits 12 to
 * 27 (Zen), tables with equal bits there would evict each other at every check. */
#define RT_MAP_ADDRESS    UINT64_C(0x300000000000)
#define RT_RACE_STATE     UINT64_C(0x340001000000)
#define RT_RACE_DIRECTORY UINT64_C(0x350002113000)
#define RT_RACE_CELLS     UINT64_C(0x360003227000)
#define RT_RACE_CLOCKS    UINT64_C(0x370004339000)
#define RT_RACE_OBJECTS   UINT64_C(0x37400544d000)
#define RT_RACE_DETAILS   UINT64_C(0x37800655f000)
#define RT_HEAP_STATE     UINT64_C(0x380007663000)
#define RT_HEAP_SHADOW    UINT64_C(0x390008775000)
#define RT_HEAP_PAGES     UINT64_C(0x3a0009889000)
#define RT_HEAP_BLOCKS    UINT64_C(0x3b000a99b000)
#define RT_HEAP_STACKS    UINT64_C(0x3e000baad000)
#define RT_TABLES_END     UINT64_C(0x480000000000)

/* Puts the address of a table in a register. Otherwise gcc would use a load from a 64-bit
 * absolute address, which costs several times as much as the two instructions (measured on
 * Zen). */
static inline void *rt_table(uint64_t address)
{
    __asm__("" : "+r"(address));
    return (void *)address;
}

/* Zeroed memory that is never given back and never restored. Never fails: the process ends with
 * a message if the kernel refuses. */
void *rt_map(size_t size);
/* The same for a sparsely used table. Only Mazur's own code may touch it: it must not be passed
 * to a system call or used as a stack. Under a limit on virtual memory it is mapped as it is
 * touched. */
void *rt_map_table(size_t size);
/* The same at a fixed address inside the private range or the heap's, accessible or not. */
void rt_map_at(uint64_t address, size_t size);
void rt_reserve_at(uint64_t address, size_t size);
/* Makes part of a reserved range accessible. */
void rt_open(uint64_t address, size_t size);
/* Under a limit on virtual memory (ulimit -v) nothing is reserved: tables are mapped piece by
 * piece when they are first touched. Returns whether the fault at `address` was such a touch
 * and is now resolved. */
bool rt_fault(uint64_t address);
/* The limit in bytes; 0: there is none. */
uint64_t rt_address_limit(void);
/* Gives the pages back to the kernel: they read as zero again. */
void rt_discard(uint64_t address, size_t size);
/* The same, but pages that are in use are cleared and stay: they are likely to be used again,
 * and a fault costs several times as much as clearing a page. */
void rt_clear(uint64_t address, size_t size);
/* Reports an error on the board, or else on the error output, and ends the process with exit
 * code 70: an internal error of Mazur, or a resource that the machine does not provide. */
_Noreturn void rt_fatal(const char *message);
_Noreturn void rt_starved(const char *message);
#define RT_NO_ADDRESSES                                                                        \
    "the kernel refuses the addresses that Mazur reserves inside the program (about 2 TB, "    \
    "most "                                                                                    \
    "of them never used): is there a limit on virtual memory (ulimit -v), or "                 \
    "vm.overcommit_memory=2?"
/* How these two report the error: set once, when there is a board. */
extern void (*rt_last_words)(const char *message, int starved);

#endif
