/* The configuration file `.mazur` of the current directory: `key`, `key = value`, # comments.
 *
 * The directory may be somebody else's (an unpacked archive, /tmp). So the file must be a
 * regular file, and an option that runs a program (`compiler`, `gdb`) counts only in a file
 * that belongs to the user and that nobody else can write, and a message says that it is used.
 */
#ifndef MAZUR_CLI_CONFIG_H
#define MAZUR_CLI_CONFIG_H

#include <stdbool.h>

#define CONFIG_FILE ".mazur"

struct options;

/* Read it into `options`; a missing file is not an error. False after a message. */
bool config_read(struct options *options, const char *path);

#endif
