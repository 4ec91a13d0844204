/* Spin's trail files: lines `step:process:statement`.
 *
 * A statement is named by its number (spin_number.h). What is written is the run of the system
 * in the plain semantics, with the moves of a claim that stands in the text (a formula's:
 * spin_claim.h), which `spin -t` and `pan -r` follow; the start of a cycle is the line
 * -1:-1:-1. A condition that can't be computed has the last line, though it is no step. What is
 * read may have been made with statement merging (then only the first of several local steps is
 * there) and with a claim (then it is process 0). */
#ifndef MAZUR_PROMELA_SPIN_TRAIL_H
#define MAZUR_PROMELA_SPIN_TRAIL_H

#include "host/buffer.h"
#include "promela/trace/follow.h"

/* The text of a trail; `plain` is one of the plain semantics. */
void spin_trail_write(struct buffer *out, struct verifier *plain, const struct trail *trail);
/* What a trail file violates, if it tells: a claim, a formula, or cycles by labels. False after
 * a message. */
bool spin_trail_property(const struct model *model, const char *path,
                         struct property *property);
/* Follow a trail file; `trail` gets the path, its violation what is found at its end. False
 * after a message. */
bool spin_trail_read(struct verifier *plain, const char *path, struct trail *trail);

#endif
