/* Where a thread comes from, what it runs, and how it ends (hooks/threads/thread.c). */
#ifndef MAZUR_RUNTIME_THREAD_LIFE_H
#define MAZUR_RUNTIME_THREAD_LIFE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

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
    int joiner;        /* slot, once it is joined */
    bool exit_by_call; /* pthread_exit, not a return */
    char name[16];
    bool set_by_other;         /* another thread gave it its name or processors */
    bool asked_own_setting;    /* it queried its own name or processors */
    struct once_running *once; /* routines of pthread_once that it runs, innermost first */
    struct exit_function *exit_functions; /* thread_local destructors, last first */
};

#endif
