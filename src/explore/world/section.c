/* Atomic sections as single steps (section.h).
 *
 * Invariant: `hidden` is the number of steps of the world minus those of the strategy; without
 * sections positions pass through as they are. */
#include "explore/world/section.h"

#include "base/must.h"

void section_begin(struct section *section)
{
    section->open = false;
    section->hidden = 0;
}

static void add_object(struct op *op, uint64_t object, bool writes)
{
    int i = 0;
    while (i < op->nobjects && op->object[i] != object)
        i++;
    if (i == OP_OBJECTS) {
        op->flags |= OP_GLOBAL;
        return;
    }
    if (i == op->nobjects) {
        op->object[op->nobjects++] = object;
        op->only_read |= (uint8_t)(1u << i);
    }
    if (writes)
        op->only_read &= (uint8_t) ~(1u << i);
}

static void add_step(struct section *section, const struct op *done)
{
    if (!section->open)
        section->op = (struct op){.kind = OP_SECTION, .pc = done->pc};
    section->open = true;
    section->op.flags |= done->flags;
    for (int i = 0; i < done->nobjects; i++)
        add_object(&section->op, done->object[i], op_writes(done, i));
}

bool section_goes_on(struct section *section, const struct position *pos)
{
    if (!pos->alone || !pos->done)
        return false;
    add_step(section, pos->done);
    section->hidden++;
    return true;
}

static uint64_t section_fingerprint(const struct position *pos)
{
    const struct position *world = ((const struct section_view *)pos)->world;
    return world->fingerprint(world);
}

/* Is the last thread in the middle of a section, and unable to continue? */
static bool is_stuck(const struct position *pos)
{
    return pos->section && pos->done && !threadset_has(&pos->enabled, pos->last) &&
           pos->pending[pos->last].kind != OP_NONE;
}

const struct position *section_look(struct section *section, const struct position *pos)
{
    bool stuck = is_stuck(pos);
    if (section->hidden == 0 && !stuck)
        return pos;
    struct position *view = &section->view.pos;
    *view = *pos;
    section->view.world = pos;
    must(pos->depth >= section->hidden);
    view->depth -= section->hidden;
    if (pos->fingerprint)
        view->fingerprint = section_fingerprint;
    if (!section->open && !stuck)
        return view;
    add_step(section, pos->done);
    if (stuck)
        section->op.flags |= OP_GLOBAL;
    section->open = false;
    view->done = &section->op;
    return view;
}
