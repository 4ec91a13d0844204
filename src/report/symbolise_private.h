/* Shared by symbolise.c and variables.c only. */
#ifndef MAZUR_REPORT_SYMBOLISE_PRIVATE_H
#define MAZUR_REPORT_SYMBOLISE_PRIVATE_H

#include <elfutils/libdwfl.h>

#include "base/table.h"
#include "report/symbolise.h"

struct variable_index;

struct symboliser {
    const struct board *board;
    struct arena *arena;
    Dwfl *dwfl;
    struct pool *pool;                /* of the two tables */
    struct table code;                /* (address, is_return) → struct trace_stack */
    struct table data;                /* (address, size) → const char * */
    struct variable_index *variables; /* built when the first data address is asked for */
};

void variables_free(struct symboliser *symboliser);
/* The same as symbolise_data, without the memory. */
char *variable_name(struct symboliser *symboliser, uint64_t address, unsigned size);

#endif
