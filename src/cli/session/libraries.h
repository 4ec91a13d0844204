/* The libraries in the process of a search: with other ones, what it found does not hold.
 *
 * They are kept as text, a line each: the hash of the file and its path. The first line has
 * what the environment says about where the loader looks: with another one, it may find others.
 */
#ifndef MAZUR_CLI_LIBRARIES_H
#define MAZUR_CLI_LIBRARIES_H

#include "board/parent.h"
#include "host/buffer.h"

/* Appends the libraries of the search on this board, without the program and libmazur.so.
 * False: one can't be read. */
bool libraries_describe(const struct board *board, const char *program, const char *runtime,
                        struct buffer *text);
/* Are all of them as they were? `length` bytes. */
bool libraries_agree(const char *text, size_t length);

#endif
