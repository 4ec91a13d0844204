/* The settings of settings.def as a table: read from the options, kept in trace files and
 * compared before a stopped search is resumed. A new setting is a row there and its use. */
#ifndef MAZUR_BOARD_SETTINGS_H
#define MAZUR_BOARD_SETTINGS_H

#include <stddef.h>

#include "board/board.h"

enum setting_type {
    SETTING_FLAG,     /* bool */
    SETTING_CHOICE,   /* uint32_t, by `choices` */
    SETTING_SET,      /* uint32_t, one bit for each of `choices` */
    SETTING_INT,      /* int */
    SETTING_UNSIGNED, /* uint32_t */
    SETTING_LONG,     /* uint64_t below 2^63 */
    SETTING_NAME,     /* char [], a word */
    SETTING_LINES,    /* char [], names, one per line */
};

enum setting_use { SETTING_RESUMES = 1, SETTING_REPLAYS = 2 };

struct setting {
    enum setting_type type;
    const char *name;
    size_t offset; /* in struct board_config */
    size_t size;
    int64_t initial, least, most;
    const char *const *choices; /* ended by NULL */
    unsigned uses;              /* enum setting_use */
};

extern const struct setting settings[];
extern const size_t settings_count;
/* NULL: there is no setting of that name. */
const struct setting *setting_find(const char *name);

extern const char *const races_names[];
extern const char *const parts_names[];
extern const char *const timeouts_names[];
extern const char *const rounds_names[];
extern const char *const scout_names[];
extern const char *const checkpoints_names[];
extern const char *const isolate_names[];

/* Its name as a JSON key: '_' for '-'. */
#define SETTING_KEY 32
void setting_key(const struct setting *setting, char key[SETTING_KEY]);

/* A setting that is not text, as a number. */
int64_t setting_number(const struct setting *setting, const struct board_config *config);
/* Values outside least … most become the nearest inside. Not for text. */
void setting_set_number(const struct setting *setting, struct board_config *config,
                        int64_t value);
bool setting_is_text(const struct setting *setting);
const char *setting_text(const struct setting *setting, const struct board_config *config);
/* False: the text is too long. */
bool setting_set_text(const struct setting *setting, struct board_config *config,
                      const char *text);

/* Sets every setting to its default and everything else to zero. */
void settings_reset(struct board_config *config);

/* The settings with one of these uses as lines "name=value", to compare and to show. False:
 * `size` is too small. */
bool settings_describe(const struct board_config *config, unsigned uses, char *text,
                       size_t size);

#endif
