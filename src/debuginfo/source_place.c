/* See source_place.h. */
#include "debuginfo/source_place.h"

#include "host/buffer.h"

const struct source_place *stack_user_place(const struct source_stack *stack)
{
    for (size_t i = 0; i < stack->count; i++)
        if (!stack->place[i].library && stack->place[i].file)
            return &stack->place[i];
    return stack->count ? &stack->place[0] : NULL;
}

char *place_text(const struct source_place *place)
{
    if (!place)
        return copy_text("?");
    if (place->file && place->line)
        return format_text("%s:%d", place->file, place->line);
    if (place->function)
        return copy_text(place->function);
    return copy_text("?");
}
