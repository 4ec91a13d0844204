/* Where a thread comes from, what it runs, and how it ends (hooks/threads/thread.c). */
#ifndef MAZUR_RUNTIME_THREAD_LIFE_H
#define MAZUR_RUNTIME_THREAD_LIFE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* --symmetric: what its argument was when it was created. */
struct thread_argument {
    uint64_t address;
    uint32_t owner, number; /* the heap block there: whose, 0: there is none; its number */
    uint64_t size, hash;    /* and its contents */
};

struct thread_life {
    int parent;
    uint32_t number;   /* it is the number-th child of parent */
    uint32_t children; /* created so far */
    void *(*routine)(void *);
    void *argument;
    void *result;
    pthread_t handle;
    bool detached;
    bool joined;
    bool ended;        /* it can be joined; after pthread_exit main has ended, and still runs */
    int joiner;        /* slot, once it is joined */
    bool exit_by_call; /* pthread_exit, not a return */
    /* --symmetric (symmetry.c): */
    struct thread_argument noted;
    int latest;    /* slot + 1 of the child that its last operation created, 0: none */
    int leader;    /* slot + 1 of the thread whose first operation lets it start, 0: none */
    bool released; /* it may start, because nothing else could run */
    bool worked;   /* it has done its first operation */
    char name[16];
    bool set_by_other;         /* another thread gave it its name or processors */
    bool asked_own_setting;    /* it queried its own name or processors */
    struct once_running *once; /* routines of pthread_once that it runs, innermost first */
    struct exit_function *exit_functions; /* thread_local destructors, last first */
};

#endif
