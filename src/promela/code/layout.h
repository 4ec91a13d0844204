/* Where variables lie in the state vector. */
#ifndef MAZUR_PROMELA_LAYOUT_H
#define MAZUR_PROMELA_LAYOUT_H

#include "promela/language/model.h"

#define VECTOR_LIMIT (1 << 20) /* bytes of one state */

int layout_width(enum type type, int bits);
int layout_element_size(const struct symbol *symbol);
/* Offset of the first message in a channel. */
int layout_channel_base(const struct channel_type *type);
/* After automaton_build() of all proctypes and after the claim was chosen. */
void layout_build(struct model *model);

#endif
