/* Was `xr` or `xs` contradicted by what a search for safety executed? */
#ifndef MAZUR_PROMELA_CHANNEL_WORDS_H
#define MAZUR_PROMELA_CHANNEL_WORDS_H

#include "promela/verifier/verifier.h"

/* A sentence that says which one and by whom, from the model's memory. NULL: none was, by
 * anything that was executed. */
const char *channel_word_contradicted(const struct verifier *verifier);

#endif
