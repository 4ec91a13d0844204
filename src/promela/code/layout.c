/* A place in the state vector for every variable: larger alignments first, so no gaps; each
 * process and channel starts at a multiple of four (see step.h for the vector as a whole). */
#include "promela/code/layout.h"

#include "promela/automata/automata.h"

int layout_width(enum type type, int bits)
{
    switch (type) {
    case TYPE_SHORT:
        return 2;
    case TYPE_INT:
        return 4;
    case TYPE_UNSIGNED:
        return bits <= 8 ? 1 : bits <= 16 ? 2 : 4;
    default:
        return 1;
    }
}

static int element_size(const struct symbol *symbol)
{
    if (symbol->type == TYPE_C)
        return symbol->bits;
    return symbol->type == TYPE_STRUCT ? symbol->structure->size
                                       : layout_width(symbol->type, symbol->bits);
}

static int element_align(const struct symbol *symbol)
{
    if (symbol->type == TYPE_C)
        return 4;
    return symbol->type == TYPE_STRUCT ? symbol->structure->align
                                       : layout_width(symbol->type, symbol->bits);
}

int layout_element_size(const struct symbol *symbol)
{
    return element_size(symbol);
}

static int round_up(int value, int align)
{
    return (value + align - 1) / align * align;
}

static void place_symbols(struct model *model, struct symbol **symbols, int count, long *offset)
{
    for (int align = 4; align >= 1; align /= 2)
        for (int i = 0; i < count; i++) {
            struct symbol *s = symbols[i];
            if (s->kind != SYMBOL_VARIABLE || element_align(s) != align)
                continue;
            *offset = round_up((int)*offset, align);
            s->offset = (int)*offset;
            *offset += (long)element_size(s) * s->length;
            if (*offset > VECTOR_LIMIT)
                source_fail(&model->source, s->place, "the variables take more than %d bytes",
                            VECTOR_LIMIT);
        }
}

static void place_list(struct model *model, struct symbol *list, long *offset)
{
    int count = 0;
    for (struct symbol *s = list; s; s = s->next)
        count++;
    struct symbol **symbols =
        source_alloc(&model->source, sizeof *symbols * (size_t)(count + 1));
    count = 0;
    for (struct symbol *s = list; s; s = s->next)
        symbols[count++] = s;
    place_symbols(model, symbols, count, offset);
}

static void place_structure(struct model *model, struct structure *structure)
{
    long size = 0;
    structure->align = 1;
    for (int i = 0; i < structure->field_count; i++)
        if (element_align(structure->fields[i]) > structure->align)
            structure->align = element_align(structure->fields[i]);
    place_symbols(model, structure->fields, structure->field_count, &size);
    structure->size = round_up((int)size, structure->align);
}

static void place_channel(struct model *model, struct channel_type *type)
{
    type->field_offset =
        source_alloc(&model->source, sizeof(int) * (size_t)(type->field_count + 1));
    int offset = 0, largest = 1;
    for (int align = 4; align >= 1; align /= 2)
        for (int i = 0; i < type->field_count; i++)
            if (layout_width(type->fields[i], type->field_bits[i]) == align) {
                type->field_offset[i] = offset;
                offset += align;
                largest = align > largest ? align : largest;
            }
    type->slot_size = round_up(offset, largest);
    type->size = round_up(largest + type->capacity * type->slot_size, 4);
}

int layout_channel_base(const struct channel_type *type)
{
    int largest = 1;
    for (int i = 0; i < type->field_count; i++) {
        int width = layout_width(type->fields[i], type->field_bits[i]);
        largest = width > largest ? width : largest;
    }
    return largest;
}

static void place_process(struct model *model, struct proctype *proctype)
{
    proctype->control_offset = 0;
    proctype->control_width = proctype->automaton->count > 255 ? 2 : 1;
    long offset = proctype->control_width;
    if (model->uses_priority)
        proctype->priority_offset = (int)offset++;
    place_list(model, proctype->locals, &offset);
    proctype->size = round_up((int)offset, 4);
}

void layout_build(struct model *model)
{
    for (struct symbol *s = model->globals; s; s = s->next)
        if (s->kind == SYMBOL_STRUCTURE)
            place_structure(model, s->structure);
    long offset = 4; /* the shape */
    model->claim_offset = model->last_offset = -1;
    if (model->claim) {
        model->claim_offset = (int)offset;
        offset += 2;
        place_list(model, model->claim->locals, &offset);
        offset = round_up((int)offset, 2);
    }
    model->trace_offset = -1;
    if (model->trace) {
        model->trace_offset = (int)offset;
        offset += 2;
    }
    model->counted_offset = -1;
    if (model->counted) {
        model->counted_offset = (int)offset;
        offset += 4;
    }
    if (model->uses_last)
        model->last_offset = (int)offset++;
    place_list(model, model->globals, &offset);
    model->global_size = round_up((int)offset, 4);
    for (int i = 0; i < model->channel_type_count; i++)
        place_channel(model, model->channel_types[i]);
    for (int i = 0; i < model->proctype_count; i++)
        place_process(model, model->proctypes[i]);
}
