/* The heap blocks of an execution, the pointers to them, and what is known about each: what
 * heap_names.c makes names of. */
#ifndef MAZUR_DEBUGINFO_HEAP_BLOCKS_H
#define MAZUR_DEBUGINFO_HEAP_BLOCKS_H

#include "debuginfo/symbolise_private.h"

/* What stands between the name of the pointer and the part of the block. */
enum join { JOIN_ARROW, JOIN_DOT, JOIN_INDEX, JOIN_NODE, JOIN_COUNTS };

struct heap_object {
    const struct board_block *block;
    bool named; /* or being named */
    bool typed;
    Dwarf_Die type;
    const char *path;    /* the pointer to the object; NULL: none */
    uint64_t pointer_at; /* where that pointer is */
    enum join join;
    const char *container; /* JOIN_NODE: what the node is part of */
    const char *key;       /* … and the key that it has there, or NULL */
    unsigned cost;
    const char *site;  /* "push():23"; NULL: not computed yet */
    uint64_t at_site;  /* how many objects were made there before it, and 1 */
    const char *label; /* "Node#2": the second Node that the report names; NULL: not yet */
    bool by_new;
    bool internal; /* the C++ library allocated it for itself */
};

/* The values that operations read from or wrote to a pointer. A pointer that led to several
 * objects is not used for names. */
struct held_values {
    uint64_t value; /* 0: only null so far */
    bool several;
};

struct heap_names {
    struct table object; /* (base, thread and number) → struct heap_object * */
    struct table last;   /* base → the object that operations used last */
    struct table site;   /* hash of a site → how many objects it has made */
    struct table label;  /* hash of a type → how many objects of it have a label */
    struct table path;   /* hash of a path → how many objects have it */
    struct table held;   /* address of a pointer → struct held_values */
    const struct board_block **live;      /* by address */
    const struct board_block **mentioned; /* by events, since freed or not; the first of each
                                           * address, by address */
    const struct board_pointer **pointer; /* by the address that they hold */
    size_t nlive, nmentioned, npointers;
};

/* Built when it is first asked for. */
struct heap_names *heap_names_of(struct symboliser *symboliser);
struct heap_object *heap_object_of(struct symboliser *symboliser,
                                   const struct board_block *block);
/* The block of the array, sorted by address, that has the address; NULL: none. */
const struct board_block *block_around(const struct board_block *const *block, size_t count,
                                       uint64_t address);
const struct board_block *live_block(const struct heap_names *names, uint64_t address);
/* The index of the first pointer that holds the value, or a larger one. */
size_t first_pointer(const struct heap_names *names, uint64_t value);

#endif
