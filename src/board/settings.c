/* See settings.h. */
#include "board/settings.h"

#include <stdio.h>
#include <string.h>

const char *const races_names[] = {"report", "explore", "ignore", NULL};
const char *const parts_names[] = {"sleep",   "transitive", "source",
                                   "release", "deferred",   NULL};
const char *const timeouts_names[] = {"idle", "any", NULL};
const char *const rounds_names[] = {"skip", "explore", NULL};
const char *const scout_names[] = {"on", "off", NULL};
const char *const checkpoints_names[] = {"on", "off", "always", NULL};
const char *const isolate_names[] = {"snapshot", "fork", NULL};

#define RESUMES SETTING_RESUMES
#define REPLAYS SETTING_REPLAYS

const struct setting settings[] = {
#define PLAIN_SETTING(kind, text, field, start, low, high, words, for_what, ...)               \
    {.type = SETTING_##kind,                                                                   \
     .name = (text),                                                                           \
     .offset = offsetof(struct board_config, field),                                           \
     .size = sizeof(((struct board_config *)0)->field),                                        \
     .initial = (start),                                                                       \
     .least = (low),                                                                           \
     .most = (high),                                                                           \
     .choices = (words),                                                                       \
     .uses = (for_what)},
#define SETTING PLAIN_SETTING
#define SEARCH_SETTING(kind, text, field, ...)                                                 \
    PLAIN_SETTING(kind, text, search.field, __VA_ARGS__)
#define SETTING_BOUND SETTING_INT
#include "board/settings.def"
#undef SETTING
#undef SEARCH_SETTING
#undef PLAIN_SETTING
};

const size_t settings_count = sizeof settings / sizeof *settings;

const struct setting *setting_find(const char *name)
{
    for (size_t i = 0; i < settings_count; i++)
        if (strcmp(settings[i].name, name) == 0)
            return &settings[i];
    return NULL;
}

void setting_key(const struct setting *setting, char key[SETTING_KEY])
{
    snprintf(key, SETTING_KEY, "%s", setting->name);
    for (char *at = key; *at; at++)
        if (*at == '-')
            *at = '_';
}

bool setting_is_text(const struct setting *setting)
{
    return setting->type == SETTING_NAME || setting->type == SETTING_LINES;
}

int64_t setting_number(const struct setting *setting, const struct board_config *config)
{
    const void *field = (const char *)config + setting->offset;
    switch (setting->type) {
    case SETTING_FLAG:
        return *(const unsigned char *)field != 0; /* what the child left may be no bool */
    case SETTING_CHOICE:
    case SETTING_SET:
    case SETTING_UNSIGNED:
        return *(const uint32_t *)field;
    case SETTING_INT:
        return *(const int *)field;
    case SETTING_LONG:
        return (int64_t) * (const uint64_t *)field;
    default:
        return 0;
    }
}

void setting_set_number(const struct setting *setting, struct board_config *config,
                        int64_t value)
{
    void *field = (char *)config + setting->offset;
    if (value < setting->least)
        value = setting->least;
    if (value > setting->most)
        value = setting->most;
    switch (setting->type) {
    case SETTING_FLAG:
        *(bool *)field = value != 0;
        break;
    case SETTING_CHOICE:
    case SETTING_SET:
    case SETTING_UNSIGNED:
        *(uint32_t *)field = (uint32_t)value;
        break;
    case SETTING_INT:
        *(int *)field = (int)value;
        break;
    case SETTING_LONG:
        *(uint64_t *)field = (uint64_t)value;
        break;
    default:
        break;
    }
}

const char *setting_text(const struct setting *setting, const struct board_config *config)
{
    return (const char *)config + setting->offset;
}

bool setting_set_text(const struct setting *setting, struct board_config *config,
                      const char *text)
{
    size_t length = strlen(text);
    if (length >= setting->size)
        return false;
    memcpy((char *)config + setting->offset, text, length + 1);
    return true;
}

void settings_reset(struct board_config *config)
{
    memset(config, 0, sizeof *config);
    for (size_t i = 0; i < settings_count; i++)
        if (!setting_is_text(&settings[i]))
            setting_set_number(&settings[i], config, settings[i].initial);
}

static bool append_word(char *text, size_t size, size_t *used, const char *word)
{
    size_t length = strlen(word);
    if (*used + length >= size)
        return false;
    memcpy(text + *used, word, length + 1);
    *used += length;
    return true;
}

/* "name=value\n"; several lines of text become one, with commas. */
static bool describe_setting(const struct setting *setting, const struct board_config *config,
                             char *text, size_t size, size_t *used)
{
    char number[24] = "";
    const char *value = number;
    if (setting_is_text(setting))
        value = setting_text(setting, config);
    else if (setting->type == SETTING_CHOICE)
        value = setting->choices[setting_number(setting, config)];
    else
        snprintf(number, sizeof number, "%lld", (long long)setting_number(setting, config));
    if (!append_word(text, size, used, setting->name) || !append_word(text, size, used, "="))
        return false;
    size_t start = *used;
    if (!append_word(text, size, used, value))
        return false;
    for (size_t i = start; i < *used; i++)
        if (text[i] == '\n')
            text[i] = i + 1 < *used ? ',' : ';';
    return append_word(text, size, used, "\n");
}

bool settings_describe(const struct board_config *config, unsigned uses, char *text,
                       size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < settings_count; i++)
        if (settings[i].uses & uses &&
            !describe_setting(&settings[i], config, text, size, &used))
            return false;
    return true;
}
