/* Files that Mazur writes, whole or not at all, and its cache directory. */
#ifndef MAZUR_HOST_FILES_H
#define MAZUR_HOST_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <xxhash.h>

/* Write all the bytes to a descriptor. False with errno set. */
bool write_all(int descriptor, const void *bytes, size_t length);
/* Replace a file: write a temporary one and rename it. 0, or errno. */
int replace_file(const char *path, const char *text);
/* Write text to a file through a temporary one, or to stdout for "-". False after a message. */
bool write_file(const char *path, const char *text);
/* Could write_file() write this file, or could a file be made in this directory, whether it
 * exists or not? Leaves nothing behind. False after a message, which names `what`. */
bool try_file(const char *path);
bool try_directory(const char *what, const char *path);
/* Add text to the end of a file. False after a message. */
bool append_file(const char *path, const char *text);
/* A digest of the contents. False: the file can't be read. */
bool file_hash(const char *path, XXH128_hash_t *hash);
/* The directory for compiled programs, made and checked to be ours alone; malloc'd, or NULL
 * after a message. */
char *cache_directory(void);
/* Remove everything from the cache that was not used for a month. */
void cache_prune(const char *cache);
/* Removes directories with this prefix, least recently used first, until the rest holds at most
 * `bytes`. */
void cache_make_room(const char *prefix, uint64_t bytes);

#endif
