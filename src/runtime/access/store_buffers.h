/* Detects executions that store buffers allow and sequential consistency does not
 * (store_buffers.c). */
#ifndef MAZUR_RUNTIME_STORE_BUFFERS_H
#define MAZUR_RUNTIME_STORE_BUFFERS_H

#include "explore/world/op.h"

void store_buffers_init(void);
void store_buffers_begin(void);
void store_buffers_fence(void);
/* The current thread has executed the operation. Does not return if the execution fails. */
void store_buffers_done(const struct op *op);

#endif
