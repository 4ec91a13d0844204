/* A search in several processes at a time (--jobs, --shard). */
#ifndef MAZUR_CLI_JOBS_H
#define MAZUR_CLI_JOBS_H

#include "cli/session/search_session.h"

/* False: the search continues in one child, on the session's board. */
bool run_jobs(struct search_session *session, bool invisible);

#endif
