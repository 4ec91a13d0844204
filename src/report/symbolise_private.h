/* Shared by symbolise.c and variables.c only. */
#ifndef MAZUR_REPORT_SYMBOLISE_PRIVATE_H
#define MAZUR_REPORT_SYMBOLISE_PRIVATE_H

#include <elfutils/libdwfl.h>

#include "report/symbolise.h"

struct variable_index;

struct symboliser {
    const struct board *board;
    Dwfl *dwfl;
    struct variable_index *variables; /* built when the first data address is asked for */
};

void variables_free(struct symboliser *symboliser);

#endif
