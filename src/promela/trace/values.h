/* Values of a model's variables and channels, as text: what a step changed. */
#ifndef MAZUR_PROMELA_VALUES_H
#define MAZUR_PROMELA_VALUES_H

#include "promela/verifier/verifier.h"
#include "trace/trace.h"

/* What differs between two states for globals, channels, and the locals of two processes (or
 * NO_PARTNER). `event` gets the list, in `arena`. */
void values_changed(const struct model *model, const uint8_t *before, const struct shape *old,
                    const uint8_t *after, const struct shape *now, const uint32_t pids[2],
                    struct arena *arena, struct trace_event *event);
/* Every variable and channel of a state with its value, in `arena`. */
const struct trace_change *values_all(const struct model *model, const uint8_t *now,
                                      const struct shape *shape, struct arena *arena,
                                      size_t *count);
/* The name of a value that is printed with %e; `expression` says of which mtype. */
const char *mtype_text(const struct model *model, struct arena *arena,
                       const struct expression *expression, int value);
/* The values of a message of channel c, 0 based, as "4,red". */
const char *message_text(const struct model *model, const struct shape *shape, uint32_t channel,
                         const int *values, uint32_t count, struct arena *arena);
/* Messages in channel c of a state, 0 based. */
uint32_t channel_length(const uint8_t *vector, const struct shape *shape, uint32_t channel);
/* The first slot in which two contents of a channel differ. */
uint32_t channel_difference(const struct model *model, const uint8_t *before,
                            const struct shape *old, const uint8_t *after,
                            const struct shape *now, uint32_t channel);
/* The variable that holds channel c (from 1) as its initial value, or "channel 3". */
const char *channel_name(const struct model *model, uint32_t channel, struct arena *arena);

#endif
