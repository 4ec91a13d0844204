/* The life of a thread, and the end of the process (thread.c, exit.c, donors.c). */
#ifndef MAZUR_RUNTIME_LIFECYCLE_H
#define MAZUR_RUNTIME_LIFECYCLE_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Calls function(argument). Returns false if the function ended by pthread_exit. */
bool thread_call(int (*function)(void *), void *argument, int *result);
/* The current thread has finished: runs its destructors and the operation THREAD_EXIT, and
 * switches to another thread. */
void thread_end(void) __attribute__((noreturn));
void thread_local_destructors(void);
void unwinder_warm_up(void);
/* A setting of the thread, such as its name, is written or read. */
/* pthread_create(), for the caller at pc. */
int thread_start(pthread_t *handle, const pthread_attr_t *attributes, void *(*routine)(void *),
                 void *argument, uint64_t pc);
void thread_setting_changes(int target, uint64_t pc);
void thread_setting_asked(int target, uint64_t pc);

/* --- donors.c --- */
void donors_init(void);
/* Finds a donor for the slot and fills in handle and tls. False: the system has no more
 * threads. */
bool donors_lend(struct thread *thread);

/* --- exit.c --- */
void exit_begin(void); /* of an execution */
/* exit(): runs the handlers, then the operation PROCESS_EXIT. */
void start_program_exit(int status, uint64_t pc) __attribute__((noreturn));
/* _exit(): the same without handlers. */
void start_program_end(int status, uint64_t pc) __attribute__((noreturn));
/* The program has added a function for exit() to call. */
void register_exit(uint64_t pc);
/* Ends the execution. Registered before all other handlers, so that it runs last. */
void exit_last_handler(void *unused);

#endif
