/* The table of threads: slots, canonical names, stacks (threads.c). */
#ifndef MAZUR_RUNTIME_THREADS_H
#define MAZUR_RUNTIME_THREADS_H

#include <pthread.h>
#include <stdint.h>

struct thread;

void threads_reserve_stacks(void);
/* Gives the thread at least `size` bytes of stack; a stack only grows. */
void thread_give_stack(struct thread *thread, uint64_t size);
/* Resets the thread to its state at the start. */
void thread_reset(struct thread *thread, int slot);
/* The slot of the number-th child of a thread, -1 if there are no more slots. */
int thread_slot_of_child(int parent, uint32_t number);
int thread_of_handle(pthread_t handle);
/* The picked operation of `call` uses the thread's ID. It is a failure if the ID's lifetime is
 * over. */
void thread_check_lifetime(int target, const char *call, uint64_t pc);

#endif
