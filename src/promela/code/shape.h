/* Shapes: the interned lists of processes and channels of a state (step.h).
 *
 * A shape is its predecessor plus one process or channel, since both are created and deleted
 * in stack order; so shapes form a tree, and adding is a walk over a few children. */
#ifndef MAZUR_PROMELA_SHAPE_H
#define MAZUR_PROMELA_SHAPE_H

#include "promela/code/step.h"
#include "promela/language/model.h"

struct shapes;

struct shapes *shapes_create(const struct model *model);
void shapes_free(struct shapes *shapes);
/* The shape with globals only. */
const struct shape *shapes_root(const struct shapes *shapes);
/* Numbers are below this one. */
uint32_t shapes_count(const struct shapes *shapes);
const struct shape *shapes_get(const struct shapes *shapes, uint32_t id);
/* NULL when the vector would become too large. */
const struct shape *shapes_extend(struct shapes *shapes, const struct shape *shape,
                                  bool process, uint32_t type);

#endif
