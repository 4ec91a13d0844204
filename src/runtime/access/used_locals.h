/* Parts of frames that other threads used, and where the functions were then.
 *
 * Nothing in the code marks the end of a block inside a function, so it is not an event. But a
 * thread whose variable another one uses is in a call, and debug information says which blocks
 * that call is in. So the pairs of call and part of the frame are kept on the board, and the
 * command looks at them when the search is over (cli/session/search_session.c). */
#ifndef MAZUR_RUNTIME_USED_LOCALS_H
#define MAZUR_RUNTIME_USED_LOCALS_H

#include <stdint.h>

struct thread;

/* The running thread uses memory on the stack of another one, above its stack pointer. */
void locals_note_use(const struct thread *owner, uint64_t address, uint64_t size);

#endif
