/* The life of a thread, and the end of the process (thread.c, exit.c, donors.c). */
#ifndef MAZUR_RUNTIME_LIFECYCLE_H
#define MAZUR_RUNTIME_LIFECYCLE_H

#include <stdbool.h>
#include <stdint.h>

struct thread;

/* Call function(argument) so that pthread_exit inside it comes back here (false). */
bool thread_call(int (*function)(void *), void *argument, int *result);
/* The current thread's work is done: destructors, the operation THREAD_EXIT, another thread. */
void thread_end(void) __attribute__((noreturn));
void thread_local_destructors(void);
void unwinder_warm_up(void);
/* A name or the like of the thread is given, or asked for. */
void thread_setting_changes(int target, uint64_t pc);
void thread_setting_asked(int target, uint64_t pc);

/* --- donors.c --- */
void donors_init(void);
/* A donor for the slot: fills in handle and tls. False: the system has no more threads. */
bool donors_lend(struct thread *thread);

/* --- exit.c --- */
void exit_begin(void); /* of an execution */
/* exit(): handlers, then the operation PROCESS_EXIT. */
void start_program_exit(int status, uint64_t pc) __attribute__((noreturn));
/* _exit(): no handlers. */
void start_program_end(int status, uint64_t pc) __attribute__((noreturn));
/* The program adds a function that exit() calls. */
void register_exit(uint64_t pc);
/* Registered before any other handler, so that it runs last: ends the execution. */
void exit_last_handler(void *unused);

#endif
