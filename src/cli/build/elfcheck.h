/* Can this file be run under Mazur at all? Asked before it is executed, so that the answer
 * names the reason and not a symptom. */
#ifndef MAZUR_CLI_ELFCHECK_H
#define MAZUR_CLI_ELFCHECK_H

#include <stdbool.h>

enum program_check {
    PROGRAM_GOOD,
    PROGRAM_MISSING, /* no such file, not readable, not executable: a usage error */
    PROGRAM_INVALID, /* exists, but can't be controlled: static, other CPU, script, setuid */
};

/* `reason` (malloc'd) says why unless the answer is PROGRAM_GOOD. */
enum program_check program_check(const char *path, char **reason);
/* Was it built with AddressSanitizer, with the runtime as a shared library? */
bool program_uses_asan(const char *path);
/* GNU build-id of an ELF file as malloc'd hex text, or NULL. */
char *program_build_id(const char *path);

#endif
