/* What the files of this folder share about the program that is symbolised. */
#ifndef MAZUR_DEBUGINFO_SYMBOLISE_PRIVATE_H
#define MAZUR_DEBUGINFO_SYMBOLISE_PRIVATE_H

#include <elfutils/libdwfl.h>

#include "base/table.h"
#include "debuginfo/symbolise.h"
#include "host/buffer.h"

#define NESTING_MAX 64 /* of scopes and of types; a damaged file may nest endlessly */

struct variable_index;

struct symboliser {
    const struct board *board;
    struct arena *arena;
    Dwfl *dwfl;
    struct pool *pool;       /* of the tables */
    struct table code;       /* (address, is_return) → struct source_stack */
    struct table data;       /* (address, size) → const char * */
    struct table globals;    /* (hash of a name, its length) → 1: no, 2: one has it */
    struct table pointee;    /* address → what pointers to it are shown as, const char * */
    unsigned unnamed;        /* pointees that have only a number */
    struct table nameless;   /* address → number of an object without a name, unsigned */
    struct heap_names *heap; /* built when the first heap block is looked up */
    unsigned lookups;        /* of functions by their code */
    struct variable_index *variables; /* built when the first data address is looked up */
};

void variables_free(struct symboliser *symboliser);
/* The same as symbolise_data, without the cache. */
char *variable_name(struct symboliser *symboliser, uint64_t address, unsigned size);
bool variable_type(Dwarf_Die *die, Dwarf_Die *type);
/* Is it a structure, a class or a union? */
bool type_is_composed(Dwarf_Die *type);
int array_dimensions(Dwarf_Die *array);
/* False: it is not a member of each object. */
bool member_offset(Dwarf_Die *member, uint64_t *offset);
/* Skip typedefs and qualifiers; false at a type whose members are not shown. */
bool peel_type(Dwarf_Die *type);

/* Where a walk from a variable to a part of it ended. */
struct variable_part {
    bool found; /* at a number, pointer or the like, of this type */
    Dwarf_Die type;
    bool at_start;      /* or at a whole structure of this type */
    const char *member; /* the innermost member entered, or NULL */
    bool in_storage;    /* the walk entered what a node of the C++ library holds for the user */
    bool current;       /* of a local variable: its block is the one that runs */
    bool internal;      /* of a heap block: internal to the library, such as a count */
};
/* Walk from a variable of `type` to the part at `offset`, adding to its name. */
struct variable_part variable_part(struct buffer *path, Dwarf_Die type, uint64_t offset,
                                   unsigned size);
/* The global variable, or part of one, at an address: adds its name, if there is one. */
struct variable_part variable_at_address(struct symboliser *symboliser, uint64_t address,
                                         unsigned size, struct buffer *path);
/* The same for a variable on a stack. */
struct variable_part local_at_address(struct symboliser *symboliser,
                                      const struct board_home *home, uint64_t address,
                                      unsigned size, struct buffer *path);
/* The function that the frame belongs to, or NULL. */
const char *function_of_home(struct symboliser *symboliser, const struct board_home *home);
/* The first type among the template's arguments. */
bool template_argument(Dwarf_Die *die, Dwarf_Die *argument);
/* Is it an internal name of the C++ library, such as `_M_start` or `__data`? */
bool name_is_reserved(const char *name);
/* The function that has the code, if the variables of its module were read; `pc` is without
 * bias.
 */
bool find_function_code(struct symboliser *symboliser, Dwfl_Module *module, uint64_t pc,
                        Dwarf_Die *function);
/* The entry and what it is part of, innermost first. */
size_t scopes_of(struct symboliser *symboliser, Dwarf_Die die, Dwarf_Die *scopes,
                 size_t capacity);
/* The class that it is a member of. */
bool function_class(struct symboliser *symboliser, Dwarf_Die *function, Dwarf_Die *class);
/* The functions at a code address, innermost first, with those that were inlined. */
size_t functions_at(struct symboliser *symboliser, uint64_t address, Dwarf_Die *functions,
                    size_t capacity);
/* What the block was allocated for, according to the code that did so (heap_types.c). Returns
 * the name of the variable of main that was declared with it, "" if there is none, or NULL if
 * the type is unknown. */
const char *find_allocated_type(struct symboliser *symboliser, const struct board_block *block,
                                Dwarf_Die *type);
/* The part of a heap block (heap_names.c). */
struct variable_part heap_part(struct symboliser *symboliser, const struct board_block *block,
                               uint64_t address, unsigned size);
/* "Account", "Queue<…>", "lambda": what a report calls an object of the type. */
const char *type_in_words(struct symboliser *symboliser, Dwarf_Die type);
/* The value of a pointer, by what it points to; NULL: as a number (pointer_values.c). */
const char *pointer_value(struct symboliser *symboliser, Dwarf_Die *pointer, uint64_t value,
                          uint64_t held_at);
/* An unsigned number of eight bytes that is the address of a heap block, perhaps with marks in
 * its lowest bits; NULL: it is none. */
const char *address_value(struct symboliser *symboliser, uint64_t value);
/* "T2" for a pthread_t. */
const char *handle_value(struct symboliser *symboliser, uint64_t handle);
/* What a pointer with this value, itself at `held_at`, points to; NULL: no known heap block. */
const char *heap_pointer_text(struct symboliser *symboliser, uint64_t value, uint64_t held_at);
/* What live heap memory held at the end, `*count` bytes of it; NULL: not known. */
const unsigned char *heap_bytes(struct symboliser *symboliser, uint64_t address, size_t *count);
/* The key in a node of a map, as C++ writes it: 7, "north", Red. NULL: the node has no key that
 * can be shown. `base`: where the node is. */
const char *node_key(struct symboliser *symboliser, Dwarf_Die *node, uint64_t base);
/* "2" for the third node of a std::list. NULL: it is no such node. */
const char *list_position(struct symboliser *symboliser, Dwarf_Die *node,
                          const struct board_block *block);
/* An enumerator, true, 0.75, 'x'; NULL: the report formats the number itself. */
const char *scalar_text(struct arena *arena, Dwarf_Die *type, uint64_t value, unsigned size);
/* Is the address in libmazur.so? */
bool is_runtime(const struct symboliser *symboliser, uint64_t address);
/* Does a variable of the program that is not on a stack have this name? */
bool variable_is_global(struct symboliser *symboliser, const char *name);
void heap_names_free(struct symboliser *symboliser);
uint64_t variable_type_size(Dwarf_Die *type);
/* The thread-local variable at this offset of a module's storage, with its path. */
bool storage_path(struct symboliser *symboliser, uint32_t module, uint64_t offset,
                  unsigned size, struct buffer *path);
/* The compilation unit of an address; `bias` must be subtracted from the address. */
Dwarf_Die *unit_of_code(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias);
bool unit_is_from_gcc(Dwarf_Die *unit);

/* For resolve.c: the name of a function's entry with its scopes, or NULL; what a C++ symbol is
 * called, malloc'd, or NULL. */
const char *symbolise_function(struct symboliser *symboliser, Dwarf_Die *function);
char *symbolise_demangle(const char *symbol);
/* The variable of the module with that name, or the part of it that a path names. */
bool variable_find(struct symboliser *symboliser, Dwfl_Module *module, const char *name,
                   uint64_t *start, uint64_t *end);

#endif
