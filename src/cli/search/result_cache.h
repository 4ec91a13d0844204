/* --cache DIR: a search that passed need not be run again.
 *
 * What a search finds is a function of the program's bytes and arguments, of libmazur.so, of
 * the libraries that the program loads, and of the options that decide executions. A passed
 * result is kept under a name that is a hash of these, and is the answer when the same search
 * is requested again. Results of programs that act on something outside of Mazur's control are
 * not kept. What a program reads from files or from its environment is not part of the hash. */
#ifndef MAZUR_CLI_RESULT_CACHE_H
#define MAZUR_CLI_RESULT_CACHE_H

#include "cli/session/search_session.h"

/* The kept result of the same search, or NULL. */
struct result *cache_find(const struct search_session *session);
/* Keep the result if it passed. False after a message. */
bool cache_keep(const struct search_session *session, const struct result *result);

#endif
