/* Readers of the option table: command line, environment, configuration file. See options.h. */
#include "cli/options/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/must.h"
#include "board/settings.h"
#include "cli/options/config.h"
#include "cli/options/option_table.h"
#include "explore/search/strategies.h"
#include "host/say.h"

extern char **environ;

#define OPTION_STRATEGIES 64 /* at most, when looking for the nearest name */

bool parse_number(const char *text, int64_t minimum, int64_t maximum, int64_t *number)
{
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '-')
        return false;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || *end || end == text || value < minimum || value > maximum)
        return false;
    *number = value;
    return true;
}

bool parse_duration(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
    char *end;
    if (!isdigit((unsigned char)*text) && *text != '.')
        return false;
    double value = strtod(text, &end);
    if (end == text || !isfinite(value) || value < 0)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0 && value * units[i].factor <= 1e9) {
            *seconds = value * units[i].factor;
            return true;
        }
    return false;
}

/* "4G", "512m", "100k" to bytes. */
static bool parse_size(const char *text, int64_t *bytes)
{
    static const char units[] = "kmgt";
    char *end;
    if (!isdigit((unsigned char)*text))
        return false;
    double value = strtod(text, &end);
    if (*end) {
        const char *unit = strchr(units, tolower((unsigned char)*end));
        if (!unit || !*unit || end[1])
            return false;
        value *= (double)(INT64_C(1) << (10 * (unit - units + 1)));
    }
    if (!(value >= 1 && value < 0x1p60))
        return false;
    *bytes = (int64_t)value;
    return true;
}

static bool parse_flag(const char *text, bool *flag)
{
    static const char *const yes[] = {"", "1", "yes", "true", "on"};
    static const char *const no[] = {"0", "no", "false", "off"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        if (strcmp(text, yes[i]) == 0) {
            *flag = true;
            return true;
        }
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        if (strcmp(text, no[i]) == 0) {
            *flag = false;
            return true;
        }
    return false;
}

static bool parse_bound(const struct option *option, const char *text, int64_t *bound)
{
    if (strcmp(text, "auto") == 0)
        *bound = BOUND_AUTO;
    else if (strcmp(text, "none") == 0)
        *bound = BOUND_NONE;
    else
        return parse_number(text, 0, option->maximum, bound);
    return true;
}

static bool parse_choice(const char *choices, const char *text, int64_t *value)
{
    size_t length = strlen(text);
    for (int64_t i = 0; *choices; i++) {
        size_t word = strcspn(choices, "|");
        if (word == length && strncmp(choices, text, word) == 0) {
            *value = i;
            return true;
        }
        choices += word + (choices[word] == '|');
    }
    return false;
}

/* "a,c" of "a|b|c": 1 << 0 | 1 << 2. The empty text: none. */
static bool parse_set(const char *choices, const char *text, int64_t *set)
{
    *set = 0;
    while (*text) {
        size_t length = strcspn(text, ",");
        char word[32];
        int64_t index;
        if (length >= sizeof word)
            return false;
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (!parse_choice(choices, word, &index))
            return false;
        *set |= INT64_C(1) << index;
        text += length + (text[length] == ',');
    }
    return true;
}

/* A value of settings.def goes to the board's configuration. */
static bool parse_setting(const struct option *option, struct options *options,
                          const char *text)
{
    const struct setting *setting = setting_find(option->name);
    int64_t number;
    bool flag = false;
    bool good = option->type == OPTION_FLAG     ? parse_flag(text, &flag)
                : option->type == OPTION_CHOICE ? parse_choice(option->argument, text, &number)
                : option->type == OPTION_SET    ? parse_set(option->argument, text, &number)
                : option->type == OPTION_BOUND
                    ? parse_bound(option, text, &number)
                    : parse_number(text, option->minimum, option->maximum, &number);
    must(setting);
    if (good)
        setting_set_number(setting, &options->settings,
                           option->type == OPTION_FLAG ? flag : number);
    return good;
}

static bool parse_value(const struct option *option, struct options *options, const char *text)
{
    void *field = (char *)options + option->offset;
    if (option->setting)
        return parse_setting(option, options, text);
    if (option->runs) /* this value overrides the file's */
        list_remove(&options->configured, option->name);
    switch (option->type) {
    case OPTION_FLAG:
        return parse_flag(text, field);
    case OPTION_NUMBER:
        return parse_number(text, option->minimum, option->maximum, field);
    case OPTION_BOUND:
        return parse_bound(option, text, field);
    case OPTION_DURATION:
        return parse_duration(text, field);
    case OPTION_SIZE:
        return parse_size(text, field);
    case OPTION_CHOICE:
        return parse_choice(option->argument, text, field);
    case OPTION_SET:
        return false;
    case OPTION_TEXT:
        if (!*text)
            return false;
        free(*(char **)field);
        *(char **)field = copy_text(text);
        return true;
    case OPTION_LIST:
        if (!*text)
            return false;
        list_add(field, text);
        return true;
    }
    return false;
}

static void complain_value(const struct option *option, const char *where, const char *text)
{
    char range[64] = "";
    if (option->type == OPTION_NUMBER)
        snprintf(range, sizeof range, " from %lld to %lld", (long long)option->minimum,
                 (long long)option->maximum);
    complain("%s%s: '%s' is not %s%s", where, option->name, text,
             option->type == OPTION_FLAG       ? "yes or no"
             : option->type == OPTION_DURATION ? "a duration such as 60s, 500ms, 5m or 0"
             : option->type == OPTION_NUMBER   ? "a number"
             : option->type == OPTION_SIZE     ? "a size such as 512M or 4G"
             : *text                           ? option->argument
                                               : "a value (it is empty)",
             range);
}

static bool set_option(const struct option *option, struct options *options, const char *value,
                       const char *where)
{
    if (parse_value(option, options, value))
        return true;
    complain_value(option, where, value);
    return false;
}

/* The row of that name that `command` takes; else any of that name, or NULL. */
static const struct option *find_option(const char *name, size_t length, unsigned command)
{
    const struct option *found = NULL;
    for (size_t i = 0; i < option_count; i++)
        if (strlen(option_table[i].name) == length &&
            strncmp(option_table[i].name, name, length) == 0 &&
            (!found || (option_table[i].commands & command)))
            found = &option_table[i];
    return found;
}

/* Outside a command line the command is unknown: set every row of that name that accepts the
 * value. */
static bool set_everywhere(const struct option *first, struct options *options,
                           const char *value, const char *where)
{
    bool taken = false;
    for (size_t i = 0; i < option_count; i++)
        if (strcmp(option_table[i].name, first->name) == 0)
            taken |= parse_value(&option_table[i], options, value);
    return taken || set_option(first, options, value, where);
}

/* The nearest option that `command` takes, or NULL. */
static const char *nearest_option(const char *name, unsigned command)
{
    const char *names[option_count + 1];
    size_t count = 0;
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].commands & command)
            names[count++] = option_table[i].name;
    names[count] = NULL;
    return nearest_text(name, names);
}

bool option_runs_program(const char *key)
{
    const struct option *option = find_option(key, strlen(key), 0);
    return option && option->runs;
}

void options_say_configured(const struct options *options, unsigned command)
{
    for (size_t i = 0; i < options->configured.count; i++) {
        const char *name = options->configured.item[i];
        const struct option *option = find_option(name, strlen(name), command);
        must(option && option->type == OPTION_TEXT);
        if (option->commands & command)
            complain("using %s = %s from the file %s", name,
                     *(char **)((char *)options + option->offset), CONFIG_FILE);
    }
}

bool options_set(struct options *options, const char *key, const char *value, const char *where)
{
    const struct option *option = find_option(key, strlen(key), 0);
    if (option && option->type != OPTION_FLAG && !*value && option->type != OPTION_TEXT) {
        complain_value(option, where, value);
        return false;
    }
    if (option)
        return set_everywhere(option, options, value, where);
    const char *nearest = nearest_option(key, ~0u);
    if (nearest)
        complain("%sthere is no option '%s'; the nearest is '%s'", where, key, nearest);
    else
        complain("%sthere is no option '%s'", where, key);
    return false;
}

/* MAZUR_KEEP_GOING for keep-going. */
static void environment_name(const char *option, char *name, size_t size)
{
    size_t used = (size_t)snprintf(name, size, "MAZUR_");
    for (; *option && used + 1 < size; option++)
        name[used++] = *option == '-' ? '_' : (char)toupper((unsigned char)*option);
    name[used] = 0;
}

/* Does another part of Mazur use this variable: the board's descriptors (board.h), the
 * compilers (cc), --shard auto? */
static bool reserved_variable(const char *name)
{
    static const char *const reserved[] = {
        "MAZUR_BOARD=", "MAZUR_POOL=", "MAZUR_CC=", "MAZUR_CXX=", "MAZUR_SHARDS="};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (begins_with(name, reserved[i]))
            return true;
    return false;
}

static bool environment_variable(struct options *options, const char *variable)
{
    const char *equals = strchr(variable, '=');
    if (!equals || reserved_variable(variable))
        return true;
    for (size_t i = 0; i < option_count; i++) {
        char name[64];
        environment_name(option_table[i].name, name, sizeof name);
        size_t length = strlen(name);
        if (length != (size_t)(equals - variable) || strncmp(name, variable, length) != 0)
            continue;
        char where[128];
        snprintf(where, sizeof where, "%s in the environment: ", name);
        return set_everywhere(&option_table[i], options, equals + 1, where);
    }
    complain("warning: %.*s in the environment is not an option of Mazur",
             (int)(equals - variable), variable);
    return true;
}

bool options_defaults(struct options *options)
{
    *options = (struct options){0};
    settings_reset(&options->settings);
    for (size_t i = 0; i < option_count; i++)
        if (option_table[i].initial &&
            !set_option(&option_table[i], options, option_table[i].initial, "built-in "))
            return false;
    if (!config_read(options, CONFIG_FILE))
        return false;
    for (char **variable = environ; *variable; variable++)
        if (begins_with(*variable, "MAZUR_") && !environment_variable(options, *variable))
            return false;
    return true;
}

static bool unknown_option(const char *word, size_t length, unsigned command)
{
    char *name = copy_bytes(word, length);
    const char *nearest = nearest_option(name + strspn(name, "-"), command);
    if (nearest)
        complain("unknown option %s; the nearest is --%s", name, nearest);
    else
        complain("unknown option %s", name);
    free(name);
    return false;
}

/* Read the option at argv[*index], which begins with "--", and its argument. */
static bool scan_option(struct options *options, unsigned command, int argc, char **argv,
                        int *index)
{
    const char *word = argv[*index];
    size_t length = strcspn(word, "=");
    const struct option *option = find_option(word + 2, length - 2, command);
    if (!option)
        return unknown_option(word, length, command);
    if (!(option->commands & command)) {
        complain("--%s is not an option of this command", option->name);
        return false;
    }
    const char *value = "";
    if (word[length] == '=') {
        value = word + length + 1;
    } else if (option->type != OPTION_FLAG) {
        if (*index + 1 >= argc) {
            complain("--%s needs an argument: %s", option->name, option->argument);
            return false;
        }
        value = argv[++*index];
    }
    return set_option(option, options, value, "--");
}

bool options_scan(struct options *options, unsigned command, enum scan_style style, int argc,
                  char **argv, struct text_list *words, struct text_list *rest)
{
    int i = 1;
    for (; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--") == 0) {
            i++;
            break;
        }
        if (strcmp(word, "-h") == 0) {
            options->help = true;
        } else if (begins_with(word, "--")) {
            int from = i;
            if (!scan_option(options, command, argc, argv, &i))
                return false;
            for (; from <= i && strcmp(word, "--resume") != 0; from++)
                list_add(&options->given, argv[from]);
        } else if (style == SCAN_TO_PROGRAM && (word[0] != '-' || !word[1])) {
            break;
        } else if (style != SCAN_MIXED && word[0] == '-' && word[1]) {
            return unknown_option(word, strlen(word), command);
        } else {
            list_add(words, word);
        }
    }
    for (; i < argc; i++)
        list_add(rest, argv[i]);
    return true;
}

static bool known_strategy(const char *name)
{
    const char *names[OPTION_STRATEGIES + 1] = {0};
    for (int i = 0; i < OPTION_STRATEGIES && (names[i] = strategy_name(i)); i++)
        if (strcmp(names[i], name) == 0)
            return true;
    const char *nearest = nearest_text(name, names);
    complain("there is no strategy '%s'; %s%s", name,
             nearest ? "the nearest is " : "see `mazur help strategies`",
             nearest ? nearest : "");
    return false;
}

/* A value of any type as a number; for text: is there any? */
static int64_t option_number(const struct option *option, const struct options *options)
{
    const void *field = (const char *)options + option->offset;
    if (option->setting)
        return setting_number(setting_find(option->name), &options->settings);
    switch (option->type) {
    case OPTION_FLAG:
        return *(const bool *)field;
    case OPTION_TEXT:
        return *(char *const *)field ? 1 : 0;
    default:
        return *(const int64_t *)field;
    }
}

/* Does the option have a value other than its default? */
static bool is_set(const struct option *option, const struct options *options)
{
    struct options initial = {0};
    if (option->initial)
        parse_value(option, &initial, option->initial);
    return option_number(option, options) != option_number(option, &initial);
}

/* Refuse an option that the strategy would ignore: a result must not look as if the option had
 * an effect. */
static bool strategy_takes_options(const struct options *options)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        char takers[256];
        if (!option->taken_by || strategy_has(options->strategy, option->taken_by) ||
            !is_set(option, options))
            continue;
        strategy_names(option->taken_by, takers, sizeof takers);
        complain("--%s works only with --strategy %s", option->name, takers);
        return false;
    }
    return true;
}

void options_configure(const struct options *options, struct board_config *config)
{
    *config = options->settings;
    bool fits = setting_set_text(setting_find("strategy"), config, options->strategy);
    must(fits); /* it is one of ours (options_validate) */
    config->in_scratch = options->scratch ? true : false;
    config->volatile_atomic |= options->volatile_kind != 0; /* the other way to say it */
}

bool options_validate(const struct options *options)
{
    return known_strategy(options->strategy) && strategy_takes_options(options);
}

void options_release(struct options *options)
{
    for (size_t i = 0; i < option_count; i++) {
        void *field = (char *)options + option_table[i].offset;
        if (option_table[i].type == OPTION_TEXT)
            free(*(char **)field);
        else if (option_table[i].type == OPTION_LIST)
            list_release(field);
    }
    list_release(&options->given);
    list_release(&options->configured);
}
