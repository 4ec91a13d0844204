/* The rows of the option table, for its readers only (options.c, help.c). */
#ifndef MAZUR_CLI_OPTION_TABLE_H
#define MAZUR_CLI_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_type {
    OPTION_FLAG,
    OPTION_NUMBER,
    OPTION_BOUND,
    OPTION_DURATION,
    OPTION_SIZE,
    OPTION_CHOICE,
    OPTION_SET, /* several choices, with commas between them; only settings */
    OPTION_TEXT,
    OPTION_LIST,
};

/* Two rows may share a name where commands read it differently; their `commands` are disjoint.
 */
struct option {
    const char *name;
    const char *argument; /* as shown in help; NULL for a flag. Choices: a|b|c, by value */
    const char *initial;  /* read like an argument; NULL: zero */
    const char *help;
    enum option_type type;
    unsigned commands; /* enum command_bit */
    size_t offset;     /* in struct options; a setting has none */
    int64_t minimum;
    int64_t maximum;
    unsigned taken_by; /* enum strategy_trait: strategies without it refuse a value other than
                          `initial`; 0: all take it */
    bool setting;      /* a row of board/settings.def: the value is in options.settings */
    bool runs;         /* names a program to run: config.h says who may set it */
};

extern const struct option option_table[];
extern const size_t option_count;

#endif
