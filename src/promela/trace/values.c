/* See values.h. */
#include "promela/trace/values.h"

#include <stdlib.h>
#include <string.h>

#include "promela/code/layout.h"

#define CHANGES_MOST 24   /* of one step */
#define VALUES_MOST  4096 /* of a state */
#define SLOTS_SHOWN  16

struct comparison {
    const struct model *model;
    const uint8_t *before, *after; /* where the variables of this scope begin */
    struct arena *arena;
    struct trace_change *list;
    size_t count, most;
    bool all; /* also what is the same in both */
};

static int read_value(const uint8_t *at, enum type type, int bits)
{
    switch (layout_width(type, bits)) {
    case 4: {
        int value;
        memcpy(&value, at, 4);
        return value;
    }
    case 2: {
        uint16_t value;
        memcpy(&value, at, 2);
        return type == TYPE_SHORT ? (short)value : value;
    }
    }
    return at[0];
}

static const char *value_text(const struct model *model, struct arena *arena, enum type type,
                              const char *set, int value)
{
    if (type == TYPE_MTYPE)
        for (const struct symbol *s = model->globals; s; s = s->next) {
            bool same = !set || (s->mtype_set && strcmp(s->mtype_set, set) == 0);
            if (s->kind == SYMBOL_MTYPE && s->value == value && same)
                return s->name;
        }
    if (type == TYPE_UNSIGNED)
        return arena_format(arena, "%u", (unsigned)value);
    if (type == TYPE_CHAN && value > 0)
        return channel_name(model, (uint32_t)value - 1, arena);
    return arena_format(arena, "%d", value);
}

const char *mtype_text(const struct model *model, struct arena *arena,
                       const struct expression *e, int value)
{
    const struct symbol *last = NULL;
    for (; e && e->kind == EXPRESSION_NAME; e = e->right)
        last = e->symbol;
    return value_text(model, arena, TYPE_MTYPE, last ? last->mtype_set : NULL, value);
}

static void add_change(struct comparison *c, const char *name, const char *before,
                       const char *after)
{
    if (c->count < c->most)
        c->list[c->count++] = (struct trace_change){name, before, after};
}

static void compare_symbol(struct comparison *c, const struct symbol *s, const char *prefix,
                           int offset)
{
    int size = layout_element_size(s);
    for (int i = 0; i < s->length && c->count < c->most; i++) {
        int at = offset + s->offset + i * size;
        if (!c->all && memcmp(c->before + at, c->after + at, (size_t)size) == 0)
            continue;
        const char *name = s->array ? arena_format(c->arena, "%s%s[%d]", prefix, s->name, i)
                                    : arena_format(c->arena, "%s%s", prefix, s->name);
        if (s->type == TYPE_C) {
            if (!s->c_size)
                add_change(c, s->c_text, "…", "…");
        } else if (s->type == TYPE_STRUCT) {
            const char *inner = arena_format(c->arena, "%s.", name);
            for (int k = 0; k < s->structure->field_count; k++)
                compare_symbol(c, s->structure->fields[k], inner, at);
        } else {
            add_change(c, name,
                       value_text(c->model, c->arena, s->type, s->mtype_set,
                                  read_value(c->before + at, s->type, s->bits)),
                       value_text(c->model, c->arena, s->type, s->mtype_set,
                                  read_value(c->after + at, s->type, s->bits)));
        }
    }
}

static void compare_list(struct comparison *c, const struct symbol *list, const char *prefix)
{
    for (const struct symbol *s = list; s; s = s->next)
        if (s->kind == SYMBOL_VARIABLE && !s->channel)
            compare_symbol(c, s, prefix, 0);
}

/* --- channels --- */

uint32_t channel_length(const uint8_t *vector, const struct shape *shape, uint32_t channel)
{
    return channel < shape->channels ? vector[shape->channel_offset[channel]] : 0;
}

uint32_t channel_difference(const struct model *model, const uint8_t *before,
                            const struct shape *old, const uint8_t *after,
                            const struct shape *now, uint32_t channel)
{
    const struct channel_type *type = model->channel_types[now->channel_type[channel]];
    const uint8_t *a = before + old->channel_offset[channel] + layout_channel_base(type);
    const uint8_t *b = after + now->channel_offset[channel] + layout_channel_base(type);
    uint32_t slot = 0, most = channel_length(before, old, channel);
    if (channel_length(after, now, channel) < most)
        most = channel_length(after, now, channel);
    while (slot < most &&
           memcmp(a + slot * (uint32_t)type->slot_size, b + slot * (uint32_t)type->slot_size,
                  (size_t)type->slot_size) == 0)
        slot++;
    return slot;
}

static const char *format_contents(const struct comparison *c, const uint8_t *vector,
                                   const struct shape *shape, uint32_t channel)
{
    const struct channel_type *type = c->model->channel_types[shape->channel_type[channel]];
    const uint8_t *base = vector + shape->channel_offset[channel] + layout_channel_base(type);
    uint32_t length = channel_length(vector, shape, channel);
    struct buffer text = {0};
    buffer_text(&text, "[");
    for (uint32_t slot = 0; slot < length && slot < SLOTS_SHOWN; slot++) {
        buffer_text(&text, slot > 0 ? " " : "");
        for (int f = 0; f < type->field_count; f++) {
            const uint8_t *at = base + slot * (uint32_t)type->slot_size + type->field_offset[f];
            int value = read_value(at, type->fields[f], type->field_bits[f]);
            buffer_printf(
                &text, "%s%s", f > 0 ? "," : "",
                value_text(c->model, c->arena, type->fields[f], type->field_set[f], value));
        }
    }
    buffer_text(&text, length > SLOTS_SHOWN ? " …]" : "]");
    const char *copy = arena_text(c->arena, text.data);
    buffer_release(&text);
    return copy;
}

const char *message_text(const struct model *model, const struct shape *shape, uint32_t channel,
                         const int *values, uint32_t count, struct arena *arena)
{
    struct buffer text = {0};
    const struct channel_type *type =
        channel < shape->channels ? model->channel_types[shape->channel_type[channel]] : NULL;
    for (uint32_t f = 0; type && f < count && f < (uint32_t)type->field_count; f++)
        buffer_printf(&text, "%s%s", f > 0 ? "," : "",
                      value_text(model, arena, type->fields[f], type->field_set[f], values[f]));
    const char *copy = arena_text(arena, text.data ? text.data : "");
    buffer_release(&text);
    return copy;
}

const char *channel_name(const struct model *model, uint32_t channel, struct arena *arena)
{
    for (const struct symbol *s = model->globals; s; s = s->next)
        if (s->channel_first >= 0 && (int)channel >= s->channel_first &&
            (int)channel < s->channel_first + s->length)
            return s->array
                       ? arena_format(arena, "%s[%d]", s->name, (int)channel - s->channel_first)
                       : s->name;
    return arena_format(arena, "channel %u", channel + 1);
}

static void compare_channels(struct comparison *c, const uint8_t *before,
                             const struct shape *old, const uint8_t *after,
                             const struct shape *now)
{
    for (uint32_t i = 0; i < old->channels && i < now->channels; i++) {
        const struct channel_type *type = c->model->channel_types[now->channel_type[i]];
        if (old->channel_type[i] == now->channel_type[i] &&
            ((c->all && type->capacity > 0) ||
             memcmp(before + old->channel_offset[i], after + now->channel_offset[i],
                    (size_t)type->size) != 0))
            add_change(c, channel_name(c->model, i, c->arena),
                       format_contents(c, before, old, i), format_contents(c, after, now, i));
    }
}

static void compare_process(struct comparison *c, uint32_t pid, const uint8_t *before,
                            const struct shape *old, const uint8_t *after,
                            const struct shape *now)
{
    if (pid >= old->processes || pid >= now->processes || old->type[pid] != now->type[pid])
        return;
    const struct proctype *p = c->model->proctypes[now->type[pid]];
    c->before = before + old->offset[pid];
    c->after = after + now->offset[pid];
    compare_list(c, p->locals, arena_format(c->arena, "%s(%u).", p->name, pid));
}

static void compare_globals(struct comparison *c, const struct shape *old,
                            const struct shape *now)
{
    const uint8_t *before = c->before, *after = c->after;
    const struct proctype *claim = c->model->claim;
    compare_list(c, c->model->globals, "");
    if (claim)
        compare_list(c, claim->locals, arena_format(c->arena, "%s.", claim->name));
    compare_channels(c, before, old, after, now);
}

void values_changed(const struct model *model, const uint8_t *before, const struct shape *old,
                    const uint8_t *after, const struct shape *now, const uint32_t pids[2],
                    struct arena *arena, struct trace_event *event)
{
    struct trace_change list[CHANGES_MOST];
    struct comparison c = {.model = model,
                           .before = before,
                           .after = after,
                           .arena = arena,
                           .list = list,
                           .most = CHANGES_MOST};
    compare_globals(&c, old, now);
    for (int i = 0; i < 2; i++)
        if (pids[i] != NO_PARTNER)
            compare_process(&c, pids[i], before, old, after, now);
    event->nchanges = c.count;
    event->change = arena_alloc(arena, c.count * sizeof *c.list);
    if (c.count > 0)
        memcpy(event->change, c.list, c.count * sizeof *c.list);
}

const struct trace_change *values_all(const struct model *model, const uint8_t *now,
                                      const struct shape *shape, struct arena *arena,
                                      size_t *count)
{
    struct comparison c = {.model = model,
                           .before = now,
                           .after = now,
                           .arena = arena,
                           .list = arena_alloc(arena, VALUES_MOST * sizeof *c.list),
                           .most = VALUES_MOST,
                           .all = true};
    compare_globals(&c, shape, shape);
    for (uint32_t pid = 0; pid < shape->processes; pid++)
        compare_process(&c, pid, now, shape, now, shape);
    *count = c.count;
    return c.list;
}
