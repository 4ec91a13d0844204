/* The modules of the runtime that have state, in one table (components.c). */
#ifndef MAZUR_RUNTIME_COMPONENTS_H
#define MAZUR_RUNTIME_COMPONENTS_H

/* What a module does at each stage of a search. NULL: nothing. */
struct component {
    const char *name;
    void (*init)(void);     /* once, before main */
    void (*snapshot)(void); /* once, after init: take the current state as the initial one */
    void (*begin)(void);    /* at the start of every execution: forget the previous one */
    void (*restore)(
        void); /* after every execution in this process: restore what is not memory */
};

/* Fills in the table of calls from lower layers to higher ones (calls_up.h). */
void components_connect(void);
void components_init(void);
void components_snapshot(void);
void components_begin(void);
void components_restore(void);

#endif
