/* Files and streams (io.c, memstream.c, stream.c, shared_files.c). */
#ifndef MAZUR_RUNTIME_FILES_H
#define MAZUR_RUNTIME_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

void files_init(void);    /* note the descriptors that exist before main */
void files_restore(void); /* close what the execution opened, reopen what it closed */
bool files_touched(void); /* has this execution changed descriptors? */
void files_note_blocking(const char *name, int fd);
void files_note_stream(int fd); /* stdio reads from it */

/* --- memstream.c: memory of the program that belongs to a stream --- */
void memstreams_begin(void);
void memstream_use(const void *file, uint64_t pc);
void memstream_flush(const void *file, uint64_t pc);
void memstream_close(const void *file, uint64_t pc);

/* --- shared_files.c --- */
void shared_files_begin(void); /* of an execution */
/* A read or write of a file that other threads may use, too. */
void shared_use_file(uint64_t object, int flags, uint64_t pc);
void shared_look_path(const char *path, uint64_t pc); /* a file, by its path */
void directory_use(const void *directory, uint64_t pc);
/* A call of stdio uses the stream, under its lock. The call must follow without another
 * operation: see stdio.c. */
void stream_use(FILE *file, uint64_t pc);
FILE *stream_standard(FILE **variable,
                      uint64_t pc);        /* stdin, …: the program may assign to it */
void stream_look(FILE *file, uint64_t pc); /* and does not change it */
void stream_read(FILE *file, uint64_t pc); /* a use that may fill its buffer */
/* The same for functions that do not take the stream's lock, which can race. */
void stream_use_unlocked(FILE *file, uint64_t pc); /* without an access */
void stream_look_unlocked(FILE *file, uint64_t pc);
void stream_change_unlocked(FILE *file, uint64_t pc);
void stream_read_unlocked(FILE *file, uint64_t pc);
void stream_write_unlocked(FILE *file, uint64_t pc);

/* --- stdio.c: the locks of streams --- */
/* A call of stdio takes the stream's lock, accesses the stream, and releases the lock. */
void stream_hold(FILE *file, bool changes, uint64_t pc);
void streams_hold_all(uint64_t pc); /* fflush(NULL) */

#endif
