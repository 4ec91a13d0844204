/* Shared by symbolise.c, variables.c and locals.c only. */
#ifndef MAZUR_DEBUGINFO_SYMBOLISE_PRIVATE_H
#define MAZUR_DEBUGINFO_SYMBOLISE_PRIVATE_H

#include <elfutils/libdwfl.h>

#include "base/table.h"
#include "debuginfo/symbolise.h"
#include "host/buffer.h"

struct variable_index;

struct symboliser {
    const struct board *board;
    struct arena *arena;
    Dwfl *dwfl;
    struct pool *pool;                /* of the two tables */
    struct table code;                /* (address, is_return) → struct source_stack */
    struct table data;                /* (address, size) → const char * */
    struct pointees *pointees;        /* types of heap blocks, learned from pointers */
    struct variable_index *variables; /* built when the first data address is looked up */
};

void variables_free(struct symboliser *symboliser);
/* The same as symbolise_data, without the cache. */
char *variable_name(struct symboliser *symboliser, uint64_t address, unsigned size);
/* Walk from a variable of `type` to the part at `offset`, adding to its name. */
void variable_path(struct buffer *path, Dwarf_Die type, uint64_t offset, unsigned size);
bool variable_type(Dwarf_Die *die, Dwarf_Die *type);
/* The type of the part at `offset` of an object of `type`; false if there is none. */
bool variable_part(Dwarf_Die type, uint64_t offset, unsigned size, Dwarf_Die *part);
/* The type of the global variable, or part of one, at an address. */
bool variable_type_at(struct symboliser *symboliser, uint64_t address, unsigned size,
                      Dwarf_Die *type);
/* The same for a variable on a stack. */
bool local_type_at(struct symboliser *symboliser, const struct board_home *home,
                   uint64_t address, unsigned size, Dwarf_Die *type);
void pointees_free(struct symboliser *symboliser);
uint64_t variable_type_size(Dwarf_Die *type);
/* The thread-local variable at this offset of a module's storage, with its path. */
bool storage_path(struct symboliser *symboliser, uint32_t module, uint64_t offset,
                  unsigned size, struct buffer *path);
/* The compilation unit of an address; `bias` must be subtracted from the address. */
Dwarf_Die *unit_of_code(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias);

/* For resolve.c: the name of a function's entry with its scopes, or NULL; what a C++ symbol is
 * called, malloc'd, or NULL. */
const char *symbolise_function(struct symboliser *symboliser, Dwarf_Die *function);
char *symbolise_demangle(const char *symbol);
/* The variable of the module with that name, or the part of it that a path names. */
bool variable_find(struct symboliser *symboliser, Dwfl_Module *module, const char *name,
                   uint64_t *start, uint64_t *end);

#endif
