/* Files that the program writes, and a directory that is empty at the start of every
 * execution. */
#ifndef MAZUR_RUNTIME_SCRATCH_H
#define MAZUR_RUNTIME_SCRATCH_H

#include <stdbool.h>
#include <stdint.h>

/* --scratch: make the directory and make it the working directory (in the forked process). */
void scratch_enter(void);
/* Remove it and everything that the execution left there (in the driver). */
void scratch_clear(void);
/* With --scratch a call that reads or changes files is an operation: threads may communicate
 * through files, and the search can still be complete. */
void scratch_look(uint64_t pc);
bool scratch_is_on(void);
/* The program changes the file: notes it in the result, unless the change is undone. */
void scratch_note_writing(const char *path);

#endif
