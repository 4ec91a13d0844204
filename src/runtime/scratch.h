/* Files that the program writes, and a directory that is fresh in every execution. */
#ifndef MAZUR_RUNTIME_SCRATCH_H
#define MAZUR_RUNTIME_SCRATCH_H

/* --scratch: make the directory and make it the working directory (in the forked process). */
void scratch_enter(void);
/* Remove it with all that the execution left there (in the driver). */
void scratch_clear(void);
/* The program changes the file: say so in the result, unless it is undone. */
void scratch_note_writing(const char *path);

#endif
