/* The leaves of a search that was stopped, as bytes in the file of resume.h: what is done, and
 * what was not finished, which begins again. The rest of such a search is a board without a
 * search on it (jobs.c). */
#ifndef MAZUR_CLI_KEPT_LEAVES_H
#define MAZUR_CLI_KEPT_LEAVES_H

#include "cli/jobs/foreman.h"
#include "host/buffer.h"

void leaves_pack(const struct foreman *foreman, struct buffer *bytes);
/* Into a foreman that has no leaves. False: another build of this command wrote the bytes. */
bool leaves_unpack(struct foreman *foreman, const struct buffer *bytes);

#endif
