/* Pipes, socket pairs and eventfds that the program makes before main, in a constructor:
 * threads communicate through them as through those made during an execution (descriptors.h).
 * But these exist all the time, so what an execution leaves in them is removed afterwards. */
#ifndef MAZUR_RUNTIME_EARLY_CHANNELS_H
#define MAZUR_RUNTIME_EARLY_CHANNELS_H

#include "runtime/hooks/files/descriptors.h"

/* A channel was made before main. `second` is -1 if it has one end only. */
void early_channel_made(int first, int second, enum descriptor_kind kind);
/* The search begins: keeps the channels that are still open and empty. */
void early_channels_start(void);
/* Start of an execution, when no descriptor is known yet: enters the channels. */
void early_channels_begin(void);
/* An execution has ended and its descriptors are restored: empties the channels. */
void early_channels_empty(void);

#endif
