/* The names of objects that have no address of their own: threads, pipes, what wakes a thread.
 *
 * A name consists of a range and a number. No two kinds of objects share a range: an operation
 * on one would then depend on operations on the other. Addresses of user space lie below all
 * ranges, so that an address can be the number. */
#ifndef MAZUR_BOARD_OBJECT_NAMES_H
#define MAZUR_BOARD_OBJECT_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define OBJECT_NAME(range, number) (((uint64_t)(range) << 48) + (uint64_t)(number))

#define OBJECT_HOLDERS(address) OBJECT_NAME(0xfff5, address) /* of an exception (cxx.c) */
#define OBJECT_SHARED(state)    OBJECT_NAME(0xfff6, state)   /* an enum shared_state */
#define OBJECT_TIMERS           OBJECT_NAME(0xfff7, 0)
#define OBJECT_SIGNALS(slot)    OBJECT_NAME(0xfff8, slot) /* that a thread has yet to handle */
#define OBJECT_ALL_SIGNALS      OBJECT_NAME(0xfff8, 0xffffff)
#define OBJECT_EPOLL(fd)        OBJECT_NAME(0xfff9, (unsigned)(fd))
#define OBJECT_CHANNEL(number)  OBJECT_NAME(0xfffa, number) /* a pipe, socket, … */
#define OBJECT_NETWORK          OBJECT_NAME(0xfffa, 0xfffffff)
#define OBJECT_WATCHED          OBJECT_NAME(0xfffa, 0xffffffe)
#define OBJECT_HISTORY(number)  OBJECT_NAME(0xfffb, number) /* ends (history.c) */
#define OBJECT_WOKEN(slot)      OBJECT_NAME(0xfffc, slot) /* the wake-up of a futex's waiter */
#define OBJECT_WAKE(slot)       OBJECT_NAME(0xfffd, slot) /* … of a condition's waiter */
#define OBJECT_TURN(slot)       OBJECT_NAME(0xfffe, slot) /* a first operation (symmetry.c) */
#define OBJECT_THREAD(slot)     OBJECT_NAME(0xffff, slot)
/* The end of thread `slot`, for main, which waits for it after pthread_exit() without joining.
 */
#define OBJECT_END(slot) OBJECT_NAME(0xffff, UINT64_C(0x100000000) + (uint64_t)(slot))

/* Is it a name, not an address? */
static inline bool object_is_named(uint64_t object)
{
    return object >= OBJECT_NAME(0xfff0, 0);
}

#endif
