/* Calls that wait for, or tell something about, what is outside Mazur's control, and do no
 * harm: they are executed as they are, and the result names them (UX, "A pass says exactly what
 * was proven"); nothing is called complete then. refused.c has those that would do harm.
 */
#include <netdb.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/core/failure.h"
#include "runtime/hooks/files/descriptors.h"
#include "runtime/hooks/policy/forward.h"
#include "runtime/memory/snapshot.h"

/* `touches`: where the kernel writes (kernel.c). */
#define LISTED_FILLS(type, name, parameters, arguments, touches)                               \
    FORWARD(type, name, parameters, arguments, failure_uncontrolled(#name); files_changed();   \
            touches)
#define LISTED(type, name, parameters, arguments)                                              \
    LISTED_FILLS(type, name, parameters, arguments, )

/* Names are looked up in files or on the network, by libc itself. */
LISTED(int, getaddrinfo,
       (const char *restrict node, const char *restrict service,
        const struct addrinfo *restrict hints, struct addrinfo **restrict found),
       (node, service, hints, found))
LISTED(int, getnameinfo,
       (const struct sockaddr *restrict address, socklen_t length, char *restrict host,
        socklen_t host_size, char *restrict service, socklen_t service_size, int flags),
       (address, length, host, host_size, service, service_size, flags))
LISTED(struct hostent *, gethostbyname, (const char *name), (name))
LISTED(struct hostent *, gethostbyname2, (const char *name, int family), (name, family))
LISTED(struct hostent *, gethostbyaddr, (const void *address, socklen_t length, int family),
       (address, length, family))
LISTED(int, gethostbyname_r,
       (const char *restrict name, struct hostent *restrict entry, char *restrict buffer,
        size_t size, struct hostent **restrict found, int *restrict error),
       (name, entry, buffer, size, found, error))

/* Locks on files hold between open files, also those of two threads: the kernel waits. */
LISTED(int, flock, (int fd, int operation), (fd, operation))
LISTED(int, lockf, (int fd, int command, off_t length), (fd, command, length))
LISTED(int, lockf64, (int fd, int command, off64_t length), (fd, command, length))

/* Opening a FIFO waits for its other end. */
LISTED(int, mkfifo, (const char *path, mode_t mode), (path, mode))
LISTED(int, mkfifoat, (int directory, const char *path, mode_t mode), (directory, path, mode))

/* A segment outlives the execution and its place in memory differs from one to the next. */
LISTED(void *, shmat, (int segment, const void *address, int flags), (segment, address, flags))

LISTED_FILLS(pid_t, wait3, (int *status, int options, struct rusage *usage),
             (status, options, usage), snapshot_touch(status, sizeof *status);
             snapshot_touch(usage, sizeof *usage))
LISTED_FILLS(pid_t, wait4, (pid_t process, int *status, int options, struct rusage *usage),
             (process, status, options, usage), snapshot_touch(status, sizeof *status);
             snapshot_touch(usage, sizeof *usage))
LISTED_FILLS(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int options),
             (type, id, info, options), snapshot_touch(info, sizeof *info))

/* A priority that was lowered stays so for the next execution. */
LISTED(int, nice, (int step), (step))
LISTED(int, setpriority, (__priority_which_t which, id_t who, int priority),
       (which, who, priority))

/* A limit that was lowered can't be raised again, for the next execution. */
LISTED(int, setrlimit, (__rlimit_resource_t resource, const struct rlimit *limit),
       (resource, limit))
LISTED(int, setrlimit64, (__rlimit_resource_t resource, const struct rlimit64 *limit),
       (resource, limit))
