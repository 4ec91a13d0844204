/* Paths of files, as text. */
#ifndef MAZUR_HOST_PATHS_H
#define MAZUR_HOST_PATHS_H

/* What follows the last slash. */
const char *base_name(const char *path);
/* What precedes the last slash, malloc'd; there must be one. */
char *directory_of(const char *path);
/* `path` as seen from `directory`; malloc'd. */
char *join_path(const char *directory, const char *path);
/* The relative path from an absolute directory to another file or directory: "../b.c", ".";
 * malloc'd. */
char *relative_path(const char *from, const char *to);
/* What execvp would run for `name`: a malloc'd path, or NULL when there is none. */
char *find_on_path(const char *name);

#endif
