/* Descriptors that threads of the program use to talk to each other.
 *
 * Only a thread of the program can make a descriptor ready that the program itself creates
 * during an execution (pipes, socket pairs, eventfds, sockets that it listens on or connects to
 * itself). Using such a descriptor is a visible operation OP_READY on its *channel*, disabled
 * while it would block. Both ends of a pipe are one channel. A channel is named after the
 * thread that made it and the number of channels that this thread had made before, since the
 * descriptor numbers that the kernel gives out depend on the interleaving. All network sockets
 * share one channel: only the kernel knows who talks to whom.
 *
 * An epoll instance is ready when any of its descriptors is. So once the program has used
 * epoll, every operation on a descriptor also names OBJECT_WATCHED.
 *
 * Calls on anything else (standard input, files, devices, sockets to the outside) pass
 * through. */
#ifndef MAZUR_RUNTIME_DESCRIPTORS_H
#define MAZUR_RUNTIME_DESCRIPTORS_H

#include <poll.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "runtime/core/runtime.h"

#define DESCRIPTORS_MAX LIMIT_DESCRIPTORS

enum descriptor_kind {
    DESCRIPTOR_OUTSIDE = 0,
    DESCRIPTOR_PIPE,
    DESCRIPTOR_EVENT,
    DESCRIPTOR_SOCKET,
    DESCRIPTOR_EPOLL,
    DESCRIPTOR_RANDOM, /* /dev/urandom: reads the thread's own stream */
};

struct descriptor {
    uint8_t kind;
    uint64_t channel;
};

/* Never NULL. */
const struct descriptor *descriptor_of(int fd);
static inline bool descriptor_is_inside(int fd)
{
    int kind = descriptor_of(fd)->kind;
    return kind != DESCRIPTOR_OUTSIDE && kind != DESCRIPTOR_RANDOM;
}
uint64_t descriptor_new_channel(void);
void descriptor_set(int fd, enum descriptor_kind kind, uint64_t channel);
/* The same for a descriptor that is unchanged since before main. */
void descriptor_know(int fd, enum descriptor_kind kind, uint64_t channel);
void descriptor_copy(int from, int to);
/* Converts the kernel's result to libc's form: a value, or -1 and errno. */
long descriptor_result(long result);
/* An operation on a file's contents and on its position, which copies of a descriptor share.
 * The program does not read back what it writes to descriptors from before main. */
void descriptor_use_file(int fd, uint64_t pc);
/* The same for a call that changes neither contents nor position. */
void descriptor_look_at_file(int fd, uint64_t pc);
/* End of an execution: forgets all descriptors. */
void descriptors_forget(void);

/* numbers.c. number_look: a call on the descriptor begins; to be called before anything is
 * looked up about it. number_changed: it was opened, closed or given to another file.
 * number_flags: flags for the operations on it. */
void number_look(int fd, uint64_t pc);
void number_changed(int fd);
int number_flags(int fd);
void numbers_begin(void); /* of an execution */

/* A thread waits until one of several descriptors is ready. */
struct descriptor_wait {
    struct pollfd *set;
    nfds_t count;
    uint64_t deadline; /* NEVER: no limit */
    bool may_block;
    bool restarts; /* after a handler with SA_RESTART: sigaction(3p) */
    bool numbers;  /* takes or gives back the number of a descriptor */
    bool may_spin; /* the hook has an entry stub: spin.c can recognise a loop around it */
};
enum descriptor_outcome { DESCRIPTOR_READY, DESCRIPTOR_TIMED_OUT, DESCRIPTOR_INTERRUPTED };
/* The first half of an operation: returns once it was picked and can be executed. The caller
 * executes it and calls schedule_done(op). */
enum descriptor_outcome descriptor_begin(struct op *op, struct descriptor_wait *wait,
                                         uint64_t pc);

/* The second half. `nothing`: the call would have blocked, and changed nothing. */
void descriptor_end(struct op *op, const struct descriptor_wait *wait, bool nothing);

/* One system call on one descriptor, as an operation. */
struct descriptor_request {
    long number;
    long argument[6]; /* the first is the descriptor */
    short events;     /* what poll(2) must report first: POLLIN or POLLOUT */
    bool may_block;
    bool by_flag; /* … as O_NONBLOCK says, which is read again when the call is executed */
    bool partly;  /* executed without blocking, even if the descriptor blocks */
    bool numbers; /* this and the next: as in struct descriptor_wait */
    bool may_spin;
};

/* Returns the kernel's result; -EINTR after a signal handler. If O_NONBLOCK was cleared
 * meanwhile, the request becomes one that may block. */
long descriptor_perform(struct descriptor_request *request, uint64_t pc);
/* A blocking write waits until everything is written: write(3p). */
long descriptor_write_all(struct descriptor_request request, size_t size, uint64_t pc);
/* Converts a write's result for the program; with `signals` also raises SIGPIPE. */
ssize_t descriptor_written(long result, bool signals);
bool descriptor_blocks(int fd, int flags);
/* Did the program not make the descriptor itself? Then the call is listed if it can wait. */
bool descriptor_pass_through(const char *name, int fd);
void descriptor_touch_parts(const struct iovec *parts, size_t count);
void descriptor_parts_read(const struct iovec *parts, size_t count, ssize_t size, uint64_t pc);
void descriptor_parts_written(const struct iovec *parts, size_t count, uint64_t pc);
/* Some socket has SO_RCVTIMEO or SO_SNDTIMEO. */
void descriptor_has_timeouts(void);
void sockets_forget(void); /* socket.c: at the end of an execution */

/* read(3p) and write(3p), for a caller at pc. */
ssize_t descriptor_read(int fd, void *buffer, size_t size, bool may_spin, uint64_t pc);
ssize_t descriptor_write(int fd, const void *buffer, size_t size, uint64_t pc);
/* Makes a call that asks about a descriptor, its first argument, an operation. */
long descriptor_ask(long number, const long argument[6], uint64_t pc);

/* kept_files.c and io.c: changes of the table of descriptors. */
void files_changed(void);
void files_status_changed(void);     /* F_SETFL on an open file */
bool descriptor_is_regular(int fd);  /* a file, not a device, pipe or socket */
int files_spare_floor(void);         /* the program has only numbers below this */
void files_take_number(uint64_t pc); /* a call that takes or returns a descriptor */

#endif
