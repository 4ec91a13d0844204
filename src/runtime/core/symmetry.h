/* --symmetric: threads that the user says are interchangeable start in one order (symmetry.c).
 */
#ifndef MAZUR_RUNTIME_SYMMETRY_H
#define MAZUR_RUNTIME_SYMMETRY_H

#include <stdbool.h>

struct thread;

/* The child's START is pending: it may have to wait for the child before it. */
void symmetry_created(struct thread *parent, struct thread *child);
/* The child's START was picked. */
void symmetry_start(struct thread *child);
/* The current thread's operation is pending, or is done: it may let another thread start. */
void symmetry_announce(void);
void symmetry_done(void);
/* Nothing can run: the threads that wait for their turn may start. False: there are none. */
bool symmetry_release(void);

#endif
