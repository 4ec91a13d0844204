/* What the hook files of the synchronisation objects share: the operations behind the POSIX
 * names, which C11's threads.h is built on too. Each is one or two visible operations. */
#ifndef MAZUR_RUNTIME_LOCKS_H
#define MAZUR_RUNTIME_LOCKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct op;

int mutex_lock(pthread_mutex_t *mutex, uint64_t deadline, uint64_t pc);
int mutex_trylock(pthread_mutex_t *mutex, uint64_t pc);
int mutex_unlock(pthread_mutex_t *mutex, uint64_t pc);
/* Inside an operation: take or release without a scheduling point; `count` is the recursion
 * depth. Taking returns what pthread_mutex_lock returns; releasing returns the depth. */
int mutex_take(pthread_mutex_t *mutex, uint32_t count, uint64_t pc);
uint32_t mutex_give(pthread_mutex_t *mutex, uint64_t pc);
bool mutex_is_held(const pthread_mutex_t *mutex);
bool mutex_is_mine(const pthread_mutex_t *mutex);

/* Inside an operation: wakes one or all of the threads that wait on the condition. */
void condition_wake(const void *condition, bool all, struct op *op);
int condition_init(pthread_cond_t *condition, const pthread_condattr_t *attributes,
                   uint64_t pc);
int condition_destroy(pthread_cond_t *condition, uint64_t pc);
int condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex, uint64_t deadline,
                   uint64_t pc);
int condition_signal(pthread_cond_t *condition, uint64_t pc);
int condition_broadcast(pthread_cond_t *condition, uint64_t pc);

/* The current thread ends. First: the robust mutexes that it holds become part of the
 * operation. Then: they are marked for the next owner. */
void mutexes_end_with_thread(struct op *op);
void mutexes_leave_behind(void);

/* The slot of the thread that holds the spin lock, or -1. */
int spin_lock_owner(const volatile int *lock);

/* For reports: which locks the running thread holds. */
void lock_note_taken(uint64_t address, uint64_t pc, bool shared);
void lock_note_released(uint64_t address);

/* futex(2); the six arguments that follow the system call's number. */
long futex_call(const long *argument, uint64_t pc);

void semaphores_begin(void); /* of an execution */
/* If GLib is loaded, replaces its lock functions with Mazur's (glib.c). */
void glib_take_over(void);

int once_call(int *control, void (*routine)(void), uint64_t pc);

#endif
