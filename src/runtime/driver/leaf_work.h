/* A child that searches leaves for the parent: board/messages.h. */
#ifndef MAZUR_RUNTIME_LEAF_WORK_H
#define MAZUR_RUNTIME_LEAF_WORK_H

#include <stdbool.h>

struct pool_root;

/* A search was created for the whole program. */
void leaf_work_start(struct pool_root *root);
/* Before the first execution, for a child that was started for a leaf. False: there is none. */
bool leaf_work_wait(struct pool_root *root);
/* After an execution. `more`: the search has something left to run. Gives away a part, or
 * begins the next bound or another leaf, and returns whether there is now something left to
 * run. */
bool leaf_work_next(struct pool_root *root, bool more);
/* Does another process search a part of this? */
bool leaf_work_is_shared(void);

#endif
