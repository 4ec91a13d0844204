/* See trace_settings.h. */
#include "trace/file/trace_settings.h"

#include <string.h>

#include "base/must.h"
#include "board/settings.h"
#include "trace/names.h"

static bool is_replayed(const struct setting *setting)
{
    return setting->uses & SETTING_REPLAYS;
}

/* Room for one more; every setting is added at most once. */
static struct trace_setting *add_setting(struct trace *trace, const char *name)
{
    if (!trace->setting)
        trace->setting = arena_alloc(&trace->arena, settings_count * sizeof *trace->setting);
    must(trace->nsettings < settings_count);
    struct trace_setting *added = &trace->setting[trace->nsettings++];
    added->name = name;
    return added;
}

void trace_settings_capture(struct trace *trace, const struct board_config *config)
{
    for (size_t i = 0; i < settings_count; i++) {
        if (!is_replayed(&settings[i]))
            continue;
        struct trace_setting *to = add_setting(trace, settings[i].name);
        if (setting_is_text(&settings[i]))
            to->text = arena_text(&trace->arena, setting_text(&settings[i], config));
        else
            to->number = setting_number(&settings[i], config);
    }
}

/* NULL: the trace does not have it. */
static const struct trace_setting *trace_setting_find(const struct trace *trace,
                                                      const char *name)
{
    for (size_t i = 0; i < trace->nsettings; i++)
        if (strcmp(trace->setting[i].name, name) == 0)
            return &trace->setting[i];
    return NULL;
}

static int64_t number_of_setting(const struct trace_setting *found)
{
    return found ? found->number : 0;
}

static const char *text_of_setting(const struct trace_setting *found)
{
    return found && found->text ? found->text : "";
}

void trace_settings_apply(const struct trace *trace, struct board_config *config)
{
    for (size_t i = 0; i < settings_count; i++) {
        const struct trace_setting *found = trace_setting_find(trace, settings[i].name);
        if (!is_replayed(&settings[i]))
            continue;
        if (setting_is_text(&settings[i]))
            setting_set_text(&settings[i], config, text_of_setting(found));
        else
            setting_set_number(&settings[i], config, number_of_setting(found));
    }
}

/* --- JSON --- */

static json_t *setting_json(const struct setting *setting, const struct trace_setting *found)
{
    if (setting_is_text(setting))
        return json_safe_text(text_of_setting(found));
    int64_t number = number_of_setting(found);
    if (setting->choices)
        return json_string(name_of(setting->choices, (unsigned)number));
    return setting->type == SETTING_FLAG ? json_boolean(number != 0)
                                         : json_integer((json_int_t)number);
}

static bool is_changed(const struct setting *setting, const struct trace_setting *found)
{
    return setting_is_text(setting) ? *text_of_setting(found)
                                    : number_of_setting(found) != setting->initial;
}

static json_t *settings_json(const struct trace *trace, bool all)
{
    json_t *object = json_object();
    for (size_t i = 0; i < settings_count; i++) {
        const struct trace_setting *found = trace_setting_find(trace, settings[i].name);
        char key[SETTING_KEY];
        setting_key(&settings[i], key);
        if (is_replayed(&settings[i]) && (all || is_changed(&settings[i], found)))
            put_field(object, key, setting_json(&settings[i], found));
    }
    return object;
}

json_t *json_settings(const struct trace *trace)
{
    return settings_json(trace, true);
}

json_t *json_changed_settings(const struct trace *trace)
{
    return settings_json(trace, false);
}

static void read_setting(struct trace_reader *reader, const json_t *object,
                         const struct setting *setting)
{
    char key[SETTING_KEY];
    struct trace_setting *to = add_setting(reader->trace, setting->name);
    setting_key(setting, key);
    if (setting_is_text(setting)) {
        to->text = get_text(reader, object, key, "");
        if (strlen(to->text) >= setting->size)
            reject_field(reader, key, "is too long");
    } else if (setting->choices) {
        to->number = get_name(reader, object, key, setting->choices);
    } else if (setting->type == SETTING_FLAG) {
        to->number = get_flag(reader, object, key);
    } else {
        to->number =
            get_number(reader, object, key, setting->least, setting->most, setting->initial);
    }
}

void read_settings(struct trace_reader *reader, const json_t *root)
{
    const json_t *object = get_field(reader, root, "settings", JSON_OBJECT, true);
    for (size_t i = 0; i < settings_count; i++)
        if (is_replayed(&settings[i]))
            read_setting(reader, object, &settings[i]);
}
