/* See reasons.h. */
#include "trace/reasons.h"

#include <stdlib.h>
#include <string.h>

#include "trace/trace_json.h"

#define SHOWN 3 /* details of one reason in a sentence; uncontrolled calls are all named */

void reason_details(const struct claim *claim, enum claim_reason reason, struct text_list *list)
{
    for (uint32_t i = 0; i < claim->count; i++)
        if (claim->entry[i].reason == (uint32_t)reason && claim->entry[i].detail[0])
            list_add(list, claim->entry[i].detail);
}

static void add_names(struct buffer *out, const struct text_list *names, size_t shown)
{
    for (size_t i = 0; i < names->count && i < shown; i++)
        buffer_printf(out, "%s%s", i ? ", " : "", names->item[i]);
    buffer_text(out, names->count > shown ? ", …" : "");
}

static bool take_word(const char **text, const char *word)
{
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

char *reason_sentence(const struct claim *claim, enum claim_reason reason)
{
    struct buffer out = {0};
    struct text_list names = {0};
    const char *text = claim_row(reason)->sentence;
    reason_details(claim, reason, &names);
    while (*text) {
        if (take_word(&text, "{names}"))
            add_names(&out, &names, reason == REASON_UNCONTROLLED ? SIZE_MAX : SHOWN);
        else if (take_word(&text, "{count}"))
            buffer_printf(&out, "%zu", names.count);
        else if (take_word(&text, "{s}"))
            buffer_text(&out, names.count == 1 ? "" : "s");
        else
            buffer_add(&out, text++, 1);
    }
    list_release(&names);
    return buffer_take(&out);
}

/* The raised reasons in the order in which they were raised. Those that the list of details had
 * no room for come last. */
static size_t raised_in_order(const struct claim *claim, enum claim_reason order[CLAIM_REASONS])
{
    bool listed[CLAIM_REASONS] = {false};
    size_t count = 0;
    for (uint32_t i = 0; i < claim->count; i++) {
        uint32_t reason = claim->entry[i].reason;
        if (!listed[reason])
            order[count++] = reason;
        listed[reason] = true;
    }
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++)
        if (claim_has(claim, reason) && !listed[reason])
            order[count++] = reason;
    return count;
}

void reason_notes(const struct coverage *coverage, struct text_list *list)
{
    enum claim_reason order[CLAIM_REASONS];
    size_t count = raised_in_order(&coverage->claim, order);
    for (size_t i = 0; i < count; i++)
        if (order[i] != REASON_UNCONTROLLED &&
            !(claim_row(order[i])->flags & (CLAIM_INLINE | CLAIM_ENDS)))
            list_take(list, reason_sentence(&coverage->claim, order[i]));
    for (size_t i = 0; i < coverage->nnotes; i++)
        list_add(list, coverage->note[i]);
}

char *reason_of_end(const struct claim *claim)
{
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++)
        if (claim_has(claim, reason) && claim_row(reason)->flags & CLAIM_ENDS)
            return reason_sentence(claim, reason);
    return NULL;
}

static json_t *names_json(const struct claim *claim, enum claim_reason reason)
{
    struct text_list list = {0};
    reason_details(claim, reason, &list);
    json_t *names = json_text_list(&list);
    list_release(&list);
    return names;
}

json_t *json_reasons(const struct claim *claim)
{
    json_t *list = json_array();
    enum claim_reason order[CLAIM_REASONS];
    size_t count = raised_in_order(claim, order);
    for (size_t i = 0; i < count; i++) {
        const struct claim_row *row = claim_row(order[i]);
        char *sentence = reason_sentence(claim, order[i]);
        json_t *object = json_object();
        put_field(object, "id", json_string(row->id));
        put_field(object, "severity", json_string(claim_severity_name(row->severity)));
        put_field(object, "text", json_safe_text(sentence));
        put_field(object, "names", names_json(claim, order[i]));
        json_array_append_new(list, object);
        free(sentence);
    }
    return list;
}

bool reason_raise_by_id(struct claim *claim, const char *id, const char *detail)
{
    for (uint32_t reason = 0; reason < CLAIM_REASONS; reason++)
        if (strcmp(claim_row(reason)->id, id) == 0) {
            claim_raise(claim, reason, detail);
            return true;
        }
    return false;
}
