/* Files that the program writes, and a directory that is fresh in every execution. */
#ifndef MAZUR_RUNTIME_SCRATCH_H
#define MAZUR_RUNTIME_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

/* --scratch: make the directory and make it the working directory (in the forked process). */
void scratch_enter(void);
/* Remove it with all that the execution left there (in the driver). */
void scratch_clear(void);
/* With --scratch a call that looks at files or changes one is an operation: there threads can
 * be told apart by what is in files, and the search may be complete. */
void scratch_look(uint64_t pc);
bool scratch_is_on(void);
/* The program changes the file: say so in the result, unless it is undone. */
void scratch_note_writing(const char *path);

#endif
