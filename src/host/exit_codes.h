/* The exit codes of the command: all of them, for every part that ends it or reports a verdict.
 */
#ifndef MAZUR_HOST_EXIT_CODES_H
#define MAZUR_HOST_EXIT_CODES_H

enum exit_code {
#define EXIT_CODE(name, number, meaning) EXIT_##name = (number),
#include "host/exit_codes.def"
#undef EXIT_CODE
};

#endif
