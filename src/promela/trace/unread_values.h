/* Are two states alike in all that anything may read from there on? Then the steps of a cycle
 * can be repeated forever, even if a variable that is only written keeps changing. */
#ifndef MAZUR_PROMELA_UNREAD_VALUES_H
#define MAZUR_PROMELA_UNREAD_VALUES_H

#include "promela/verifier/verifier.h"

/* Both of that shape. */
bool states_read_alike(const struct verifier *verifier, const struct shape *shape,
                       const uint8_t *a, const uint8_t *b);

#endif
