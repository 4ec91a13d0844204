/* Which code follows the rules of which language standard, as far as the rules differ for the
 * race check: release sequences (docs/races.md). */
#ifndef MAZUR_DEBUGINFO_LANGUAGES_H
#define MAZUR_DEBUGINFO_LANGUAGES_H

#include <stdbool.h>

#include "debuginfo/symbolise.h"

/* Fills in board->old_rules: code of C, and of C++ before C++20. Code without debug information
 * is not included. */
void languages_find(struct board *board, struct symboliser *symboliser);

/* Any standard of C. */
bool language_is_c(int language);

#endif
