/* Both states are copied, and what nothing reads is set to zero in the copies. See
 * unread_values.h. */
#include "promela/trace/unread_values.h"

#include <stdlib.h>
#include <string.h>

#include "promela/automata/unread.h"
#include "promela/code/layout.h"

static void clear_symbol(const struct symbol *s, uint8_t *base)
{
    int size = layout_element_size(s);
    for (int i = 0; i < s->length; i++) {
        uint8_t *at = base + s->offset + i * size;
        if (s->type == TYPE_STRUCT)
            for (int k = 0; k < s->structure->field_count; k++)
                clear_symbol(s->structure->fields[k], at);
        else if (s->type != TYPE_C && element_is_unread(s, i))
            memset(at, 0, (size_t)size);
    }
}

static void clear_process(const struct verifier *v, const struct shape *shape, uint32_t pid,
                          uint8_t *vector)
{
    const struct proctype *p = v->model->proctypes[shape->type[pid]];
    const uint64_t *live = p->automaton->states[control_of(v, vector, shape, pid)].live;
    uint8_t *base = vector + shape->offset[pid];
    for (const struct symbol *s = p->locals; s; s = s->next) {
        int bit = s->tracked - 1;
        clear_symbol(s, base);
        if (bit >= 0 && live && !(live[bit / 64] >> (bit % 64) & 1))
            memset(base + s->offset, 0, (size_t)layout_element_size(s));
    }
}

static void clear_channel(const struct channel_type *type, uint8_t *channel)
{
    uint8_t *slot = channel + layout_channel_base(type);
    for (int k = 0; k < channel[0]; k++, slot += type->slot_size)
        for (int f = 0; f < type->field_count; f++)
            if (!type->field_read[f])
                memset(slot + type->field_offset[f], 0,
                       (size_t)layout_width(type->fields[f], type->field_bits[f]));
}

static void clear_unread(const struct verifier *v, const struct shape *shape, uint8_t *vector)
{
    const struct model *model = v->model;
    for (const struct symbol *s = model->globals; s; s = s->next)
        if (s->kind == SYMBOL_VARIABLE)
            clear_symbol(s, vector);
    for (uint32_t i = 0; i < shape->processes; i++)
        clear_process(v, shape, i, vector);
    for (uint32_t i = 0; i < shape->channels; i++)
        clear_channel(model->channel_types[shape->channel_type[i]],
                      vector + shape->channel_offset[i]);
}

bool states_read_alike(const struct verifier *v, const struct shape *shape, const uint8_t *a,
                       const uint8_t *b)
{
    uint8_t *copy = malloc(2 * (size_t)shape->size + 16);
    if (!copy)
        return false;
    uint8_t *other = copy + shape->size;
    memcpy(copy, a, shape->size);
    memcpy(other, b, shape->size);
    clear_unread(v, shape, copy);
    clear_unread(v, shape, other);
    bool alike = memcmp(copy, other, shape->size) == 0;
    free(copy);
    return alike;
}
