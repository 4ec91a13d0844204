/* Pipes, socket pairs and eventfds that the program makes before main, in a constructor:
 * threads talk through them as through those that an execution makes itself (descriptors.h),
 * but they are there all the time, so what an execution leaves in them is taken out after it.
 */
#ifndef MAZUR_RUNTIME_EARLY_CHANNELS_H
#define MAZUR_RUNTIME_EARLY_CHANNELS_H

#include "runtime/hooks/files/descriptors.h"

/* Before main one was made; second: -1 where it has one end only. */
void early_channel_made(int first, int second, enum descriptor_kind kind);
/* The search begins: those that are still open and empty count. */
void early_channels_start(void);
/* No descriptor is known yet to the next execution. */
void early_channels_begin(void);
/* An execution has ended, its descriptors are put back. */
void early_channels_empty(void);

#endif
