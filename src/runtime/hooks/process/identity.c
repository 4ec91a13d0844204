/* The user and groups of the process (POSIX setuid(3p) and its relatives).
 *
 * The kernel keeps them per thread, so libc sends a signal to every thread it knows and waits
 * until each has made the change; the donors (donors.c) never would. Restoring the initial
 * state does not undo the change either. So a call that changes nothing does nothing. In a
 * process forked for one execution the change is made, for the only OS thread there. Any other
 * change is refused. */
#include <dlfcn.h>
#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/access/caller.h"
#include "runtime/arch/raw.h"
#include "runtime/core/failure.h"
#include "runtime/core/runtime.h"
#include "runtime/core/shared_state.h"
#include "runtime/hooks/files/descriptors.h"

#define UNCHANGED (-1L)

/* Three ids each: real, effective, saved. */
struct identity {
    const char *call;
    long number;    /* of the system call */
    long wanted[3]; /* UNCHANGED: not asked for */
    long now[3];
};

static bool is_the_case(const struct identity *identity)
{
    for (int i = 0; i < 3; i++)
        if (identity->wanted[i] != UNCHANGED && identity->wanted[i] != identity->now[i])
            return false;
    return true;
}

static void refuse_identity(const char *call, uint64_t pc)
{
    failure_raise(FAILURE_INVALID, &(struct failure_details){.pc = pc},
                  "%s is not supported: the next execution would begin as another user "
                  "(--isolate=fork)",
                  call);
}

static int become_identity(struct identity identity, uint64_t pc)
{
    uint32_t now[3] = {0};
    shared_look_state(SHARED_SETTINGS, pc);
    bool group = identity.number == SYS_setresgid;
    raw_syscall3(group ? SYS_getresgid : SYS_getresuid, (long)&now[0], (long)&now[1],
                 (long)&now[2]);
    for (int i = 0; i < 3; i++)
        identity.now[i] = (long)now[i];
    if (is_the_case(&identity))
        return 0;
    if (rt.board->config.isolate != ISOLATE_FORK)
        refuse_identity(identity.call, pc);
    shared_change_state(SHARED_SETTINGS, pc);
    return (int)descriptor_result(raw_syscall3(identity.number, identity.wanted[0],
                                               identity.wanted[1], identity.wanted[2]));
}

/* (uid_t)-1 asks for nothing. */
static long identity_asked(unsigned number)
{
    return number == (unsigned)-1 ? UNCHANGED : (long)number;
}

#define IDENTITY(name, system_call, parameters, arguments, ...)                                \
    EXPORT int name parameters                                                                 \
    {                                                                                          \
        static int(*next) parameters;                                                          \
        if (!next)                                                                             \
            next = (int(*) parameters)(uintptr_t)dlsym(RTLD_NEXT, #name);                      \
        if (!under_control())                                                                  \
            return next arguments;                                                             \
        return become_identity((struct identity){#name, system_call, {__VA_ARGS__}, {0}},      \
                               CALLER);                                                        \
    }

/* setuid of a process without privileges sets the effective id only; then it is one of the
 * three. */
static long unless_privileged(unsigned number)
{
    return raw_syscall1(SYS_geteuid, 0) == 0 ? (long)number : UNCHANGED;
}

IDENTITY(setuid, SYS_setresuid, (uid_t user), (user), unless_privileged(user),
         identity_asked(user), unless_privileged(user))
IDENTITY(seteuid, SYS_setresuid, (uid_t user), (user), UNCHANGED, identity_asked(user),
         UNCHANGED)
IDENTITY(setreuid, SYS_setresuid, (uid_t real, uid_t user), (real, user), identity_asked(real),
         identity_asked(user), UNCHANGED)
IDENTITY(setresuid, SYS_setresuid, (uid_t real, uid_t user, uid_t saved), (real, user, saved),
         identity_asked(real), identity_asked(user), identity_asked(saved))
IDENTITY(setgid, SYS_setresgid, (gid_t group), (group), unless_privileged(group),
         identity_asked(group), unless_privileged(group))
IDENTITY(setegid, SYS_setresgid, (gid_t group), (group), UNCHANGED, identity_asked(group),
         UNCHANGED)
IDENTITY(setregid, SYS_setresgid, (gid_t real, gid_t group), (real, group),
         identity_asked(real), identity_asked(group), UNCHANGED)
IDENTITY(setresgid, SYS_setresgid, (gid_t real, gid_t group, gid_t saved), (real, group, saved),
         identity_asked(real), identity_asked(group), identity_asked(saved))

#define GROUPS_COMPARED 64

static bool has_groups(size_t count, const gid_t *groups)
{
    gid_t now[GROUPS_COMPARED];
    long known = raw_syscall2(SYS_getgroups, GROUPS_COMPARED, (long)now);
    if (known < 0 || (size_t)known != count)
        return false;
    for (size_t i = 0; i < count; i++)
        if (now[i] != groups[i])
            return false;
    return true;
}

EXPORT int setgroups(size_t count, const gid_t *groups)
{
    static int (*next)(size_t, const gid_t *);
    if (!next)
        next = (int (*)(size_t, const gid_t *))(uintptr_t)dlsym(RTLD_NEXT, "setgroups");
    if (!under_control())
        return next(count, groups);
    caller_reads(groups, count * sizeof *groups, CALLER);
    shared_look_state(SHARED_SETTINGS, CALLER);
    if (has_groups(count, groups))
        return 0;
    if (rt.board->config.isolate != ISOLATE_FORK)
        refuse_identity("setgroups", CALLER);
    shared_change_state(SHARED_SETTINGS, CALLER);
    return (int)descriptor_result(raw_syscall2(SYS_setgroups, (long)count, (long)groups));
}

/* initgroups(3): libc's own setgroups, which is not the one above. */
EXPORT int initgroups(const char *user, gid_t group)
{
    static int (*next)(const char *, gid_t);
    if (!next)
        next = (int (*)(const char *, gid_t))(uintptr_t)dlsym(RTLD_NEXT, "initgroups");
    if (!under_control())
        return next(user, group);
    gid_t groups[GROUPS_COMPARED];
    int count = GROUPS_COMPARED;
    if (getgrouplist(user, group, groups, &count) < 0) {
        errno = ENOMEM;
        return -1;
    }
    return setgroups((size_t)count, groups);
}
