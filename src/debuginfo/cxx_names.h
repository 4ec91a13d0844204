/* Names of C++ as people write them: `std::string`, `std::vector<int>`, `Cache<…>::get`. */
#ifndef MAZUR_DEBUGINFO_CXX_NAMES_H
#define MAZUR_DEBUGINFO_CXX_NAMES_H

#include "host/buffer.h"

/* Adds the name without default arguments of the library's templates. */
void add_short_name(struct buffer *out, const char *name);
/* Adds the name with `…` in place of longer template arguments. */
void add_elided_name(struct buffer *out, const char *name);

#endif
