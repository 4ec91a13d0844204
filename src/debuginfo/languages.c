/* See languages.h.
 *
 * DWARF 5 has no number for C++20, and both compilers record C++14 for all later standards. gcc
 * puts the standard into its name, "GNU C++20"; clang records the command line if asked to, as
 * `mazur cc` does. Without either, a C++ unit is assumed to use an older standard, since that
 * is the compilers' default. */
#include "debuginfo/languages.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/units.h"

#define LANGUAGE_C17 0x2c /* from DWARF 6; older headers lack both */
#define LANGUAGE_C23 0x3e

bool language_is_c(int language)
{
    return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 ||
           language == DW_LANG_C11 || language == LANGUAGE_C17 || language == LANGUAGE_C23;
}

static bool is_cplusplus(int language)
{
    return language == DW_LANG_C_plus_plus || language == DW_LANG_C_plus_plus_11 ||
           language == DW_LANG_C_plus_plus_14 || language == 0x2a;
}

/* "20", "2a", "23", "2b", "26", "2c" after "C++" or "c++". */
static bool is_new_standard(const char *version)
{
    return version[0] == '2' && strchr("036abc", version[1]) && version[1] != 0;
}

/* Is it a unit of C, or of C++ before C++20? `language` is DW_LANG_…, `producer` the compiler
 * with its flags. */
static bool language_is_old(int language, const char *producer)
{
    if (language_is_c(language))
        return true;
    if (!is_cplusplus(language))
        return false;
    const char *gnu = strstr(producer, "GNU C++");
    if (gnu)
        return !is_new_standard(gnu + strlen("GNU C++"));
    const char *standard = NULL;
    for (const char *at = producer; (at = strstr(at, "-std=")); at++)
        standard = at;
    const char *plus = standard ? strstr(standard, "++") : NULL;
    return !(plus && is_new_standard(plus + 2));
}

/* Merges neighbouring ranges of the same kind, including the gap between them. */
static void add_module(struct board *board, const struct unit_range *ranges, size_t count)
{
    bool before = false;
    for (size_t i = 0; i < count; i++) {
        bool old = language_is_old(ranges[i].language, ranges[i].producer);
        bool full = !before && board->nold_rules == BOARD_OLD_RULES;
        if (old && before)
            board->old_rules[board->nold_rules - 1].end = ranges[i].end;
        else if (old && !full)
            board->old_rules[board->nold_rules++] =
                (struct board_range){ranges[i].start, ranges[i].end};
        else if (old)
            claim_limit(&board->claim, LIMIT_AT_OLD_RULES);
        before = old && !full;
    }
}

static int by_start(const void *left, const void *right)
{
    uint64_t a = ((const struct board_range *)left)->start;
    uint64_t b = ((const struct board_range *)right)->start;
    return a < b ? -1 : a > b;
}

void languages_find(struct board *board, struct symboliser *symboliser)
{
    board->nold_rules = 0;
    for (uint32_t module = 0; module < board->nmodules; module++) {
        size_t count = 0;
        if (!board->module[module].instrumented)
            continue;
        struct unit_range *ranges = units_of_module(symboliser, module, &count);
        add_module(board, ranges, count);
        free(ranges);
    }
    qsort(board->old_rules, board->nold_rules, sizeof *board->old_rules, by_start);
}
