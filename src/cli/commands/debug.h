/* mazur debug and the process that it puts between gdb and the program (launch.c). */
#ifndef MAZUR_CLI_DEBUG_H
#define MAZUR_CLI_DEBUG_H

#define LAUNCH_WORD    "--launch"
#define LAUNCH_REQUEST 'r'
#define LAUNCH_SHELL   "MAZUR_DEBUG_SHELL" /* environment: the user's SHELL */

/* Words of `mazur debug --launch`, as debug.c writes and launch.c reads them. */
enum launch_word {
    LAUNCH_WIRE = 2,  /* socket to mazur debug */
    LAUNCH_BOARD,     /* descriptors of the two segments */
    LAUNCH_POOL,      /* … */
    LAUNCH_DIRECTORY, /* where to run, empty: here */
    LAUNCH_RUNTIME,   /* libmazur.so */
    LAUNCH_NAME,      /* argv[0] of the program */
    LAUNCH_PROGRAM,   /* its path; its arguments follow */
};

int launch_main(int argc, char **argv);

#endif
