/* The table of threads: slots, canonical names, stacks (threads.c). */
#ifndef MAZUR_RUNTIME_THREADS_H
#define MAZUR_RUNTIME_THREADS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

struct thread;

void threads_reserve_stacks(void);
/* At least `size` bytes of stack; a stack only ever grows. */
void thread_give_stack(struct thread *thread, uint64_t size);
/* A thread as it is when it begins. */
void thread_reset(struct thread *thread, int slot);
/* The slot of the number-th child of a thread, -1 where there are no more. */
int thread_slot_of_child(int parent, uint32_t number);
int thread_of_handle(pthread_t handle);
/* The picked operation of `call` uses the thread's ID. A failure where the ID's lifetime is over. */
void thread_check_lifetime(int target, const char *call, uint64_t pc);

#endif
