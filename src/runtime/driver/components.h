/* The modules of the runtime that have state, in one table (components.c). */
#ifndef MAZUR_RUNTIME_COMPONENTS_H
#define MAZUR_RUNTIME_COMPONENTS_H

/* What a module does at the turning points of a search. NULL: nothing. */
struct component {
    const char *name;
    void (*init)(void);     /* once, before main */
    void (*snapshot)(void); /* once, after that: the state now is the initial one */
    void (*begin)(void);    /* of every execution: forget the one before */
    void (*restore)(void);  /* after every execution in this process: put back what is not memory */
};

/* Fills in the calls from lower layers to higher ones (calls_up.h). */
void components_connect(void);
void components_init(void);
void components_snapshot(void);
void components_begin(void);
void components_restore(void);

#endif
