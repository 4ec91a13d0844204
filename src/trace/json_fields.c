/* See json_fields.h. */
#include "trace/json_fields.h"

#include <string.h>

#include "trace/names.h"

/* --- Writing --- */

json_t *json_safe_text(const char *text)
{
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    struct buffer safe = {0};
    while (*text) {
        int length = utf8_length(text);
        if (length) {
            buffer_add(&safe, text, (size_t)length);
            text += length;
        } else {
            buffer_printf(&safe, "\\x%02x", (unsigned char)*text++);
        }
    }
    plain = json_string(safe.data);
    buffer_release(&safe);
    return plain;
}

json_t *json_exact_text(const char *text)
{
    json_t *plain = json_string(text);
    if (plain)
        return plain;
    struct buffer hex = {0};
    for (; *text; text++)
        buffer_printf(&hex, "%02x", (unsigned char)*text);
    plain = json_pack("{s:s}", "bytes", hex.data);
    buffer_release(&hex);
    return plain;
}

json_t *json_text_list(const struct text_list *list)
{
    json_t *texts = json_array();
    for (size_t i = 0; i < list->count; i++)
        json_array_append_new(texts, json_safe_text(list->item[i]));
    return texts;
}

void put_field(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

void put_text(json_t *object, const char *key, const char *text)
{
    if (text && *text)
        put_field(object, key, json_safe_text(text));
}

void put_number(json_t *object, const char *key, int64_t number)
{
    put_field(object, key, json_integer(number));
}

void put_flag(json_t *object, const char *key, bool flag)
{
    put_field(object, key, json_boolean(flag));
}

/* --- Reading --- */

void reject_field(struct trace_reader *reader, const char *key, const char *what)
{
    if (!reader->reason)
        reader->reason = format_text("damaged trace file: '%s' %s", key, what);
}

const json_t *get_field(struct trace_reader *reader, const json_t *object, const char *key,
                        json_type type, bool required)
{
    const json_t *value = json_object_get(object, key);
    if (value && json_typeof(value) == type)
        return value;
    if (value || required)
        reject_field(reader, key, value ? "has the wrong type" : "is missing");
    return NULL;
}

int64_t get_number(struct trace_reader *reader, const json_t *object, const char *key,
                   int64_t minimum, int64_t maximum, int64_t missing)
{
    const json_t *value = get_field(reader, object, key, JSON_INTEGER, false);
    if (!value)
        return missing;
    int64_t number = json_integer_value(value);
    if (number < minimum || number > maximum) {
        reject_field(reader, key, "is out of range");
        return missing;
    }
    return number;
}

int64_t need_number(struct trace_reader *reader, const json_t *object, const char *key,
                    int64_t minimum, int64_t maximum)
{
    if (!json_object_get(object, key))
        reject_field(reader, key, "is missing");
    return get_number(reader, object, key, minimum, maximum, minimum);
}

uint64_t get_long_count(struct trace_reader *reader, const json_t *object, const char *key)
{
    return (uint64_t)get_number(reader, object, key, 0, INT64_MAX, 0);
}

uint32_t get_count(struct trace_reader *reader, const json_t *object, const char *key)
{
    return (uint32_t)get_number(reader, object, key, 0, UINT32_MAX, 0);
}

bool get_flag(struct trace_reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value && !json_is_boolean(value))
        reject_field(reader, key, "has the wrong type");
    return json_is_true(value);
}

const char *get_text(struct trace_reader *reader, const json_t *object, const char *key,
                     const char *missing)
{
    const json_t *value = get_field(reader, object, key, JSON_STRING, false);
    return value ? arena_text(&reader->trace->arena, json_string_value(value)) : missing;
}

unsigned get_name(struct trace_reader *reader, const json_t *object, const char *key,
                  const char *const *names)
{
    const json_t *value = get_field(reader, object, key, JSON_STRING, false);
    int number = value ? value_of(names, json_string_value(value)) : 0;
    if (number < 0)
        reject_field(reader, key, "has an unknown value");
    return number < 0 ? 0 : (unsigned)number;
}

const json_t *get_list(struct trace_reader *reader, const json_t *object, const char *key,
                       size_t maximum)
{
    const json_t *list = get_field(reader, object, key, JSON_ARRAY, false);
    if (list && json_array_size(list) > maximum) {
        reject_field(reader, key, "is too long");
        return NULL;
    }
    return list;
}

static int hex_digit(char digit)
{
    return digit >= '0' && digit <= '9'   ? digit - '0'
           : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
                                          : -1;
}

const char *decode_word(struct trace_reader *reader, const json_t *value, const char *key)
{
    if (json_is_string(value))
        return arena_text(&reader->trace->arena, json_string_value(value));
    const char *hex = json_string_value(json_object_get(value, "bytes"));
    size_t length = hex ? strlen(hex) : 1;
    if (length % 2) {
        reject_field(reader, key, "has the wrong type");
        return "";
    }
    char *word = arena_alloc(&reader->trace->arena, length / 2 + 1);
    for (size_t i = 0; i < length; i += 2) {
        int high = hex_digit(hex[i]), low = hex_digit(hex[i + 1]);
        if (high < 0 || low < 0 || (high == 0 && low == 0)) {
            reject_field(reader, key, "has invalid bytes");
            return "";
        }
        word[i / 2] = (char)(high * 16 + low);
    }
    return word;
}

const char *get_word(struct trace_reader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return value ? decode_word(reader, value, key) : NULL;
}

const char **get_words(struct trace_reader *reader, const json_t *object, const char *key,
                       size_t *count)
{
    const json_t *list = get_list(reader, object, key, WORDS_MAX);
    *count = json_array_size(list);
    const char **words = arena_alloc(&reader->trace->arena, *count * sizeof *words);
    for (size_t i = 0; i < *count; i++)
        words[i] = decode_word(reader, json_array_get(list, i), key);
    return words;
}
