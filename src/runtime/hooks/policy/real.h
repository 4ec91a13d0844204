/* The real functions behind the hooks: what a hook calls when the program is not under
 * control (started without mazur, before main, or in a process it forked). Resolved once with
 * dlsym(RTLD_NEXT), before anything is restored. */
#ifndef MAZUR_RUNTIME_REAL_H
#define MAZUR_RUNTIME_REAL_H

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define REAL_FUNCTIONS(X)                                                                      \
    X(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))   \
    X(int, pthread_join, (pthread_t, void **))                                                 \
    X(int, pthread_tryjoin_np, (pthread_t, void **))                                           \
    X(int, pthread_timedjoin_np, (pthread_t, void **, const struct timespec *))                \
    X(int, pthread_clockjoin_np, (pthread_t, void **, clockid_t, const struct timespec *))     \
    X(int, pthread_detach, (pthread_t))                                                        \
    X(void, pthread_exit, (void *))                                                            \
    X(int, pthread_setname_np, (pthread_t, const char *))                                      \
    X(int, pthread_getname_np, (pthread_t, char *, size_t))                                    \
    X(int, pthread_cancel, (pthread_t))                                                        \
    X(int, pthread_kill, (pthread_t, int))                                                     \
    X(int, tgkill, (pid_t, pid_t, int))                                                        \
    X(int, pthread_getattr_np, (pthread_t, pthread_attr_t *))                                  \
    X(int, pthread_attr_setstack, (pthread_attr_t *, void *, size_t))                          \
    X(int, setsockopt, (int, int, int, const void *, socklen_t))                               \
    X(int, pthread_mutex_init, (pthread_mutex_t *, const pthread_mutexattr_t *))               \
    X(int, pthread_mutex_destroy, (pthread_mutex_t *))                                         \
    X(int, pthread_mutex_lock, (pthread_mutex_t *))                                            \
    X(int, pthread_mutex_trylock, (pthread_mutex_t *))                                         \
    X(int, pthread_mutex_timedlock, (pthread_mutex_t *, const struct timespec *))              \
    X(int, pthread_mutex_clocklock, (pthread_mutex_t *, clockid_t, const struct timespec *))   \
    X(int, pthread_mutex_unlock, (pthread_mutex_t *))                                          \
    X(int, pthread_cond_init, (pthread_cond_t *, const pthread_condattr_t *))                  \
    X(int, pthread_cond_destroy, (pthread_cond_t *))                                           \
    X(int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *))                           \
    X(int, pthread_cond_timedwait,                                                             \
      (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))                          \
    X(int, pthread_cond_clockwait,                                                             \
      (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))               \
    X(int, pthread_cond_signal, (pthread_cond_t *))                                            \
    X(int, pthread_cond_broadcast, (pthread_cond_t *))                                         \
    X(int, pthread_rwlock_init, (pthread_rwlock_t *, const pthread_rwlockattr_t *))            \
    X(int, pthread_rwlock_destroy, (pthread_rwlock_t *))                                       \
    X(int, pthread_rwlock_rdlock, (pthread_rwlock_t *))                                        \
    X(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *))                                     \
    X(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *, const struct timespec *))          \
    X(int, pthread_rwlock_clockrdlock,                                                         \
      (pthread_rwlock_t *, clockid_t, const struct timespec *))                                \
    X(int, pthread_rwlock_wrlock, (pthread_rwlock_t *))                                        \
    X(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *))                                     \
    X(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *, const struct timespec *))          \
    X(int, pthread_rwlock_clockwrlock,                                                         \
      (pthread_rwlock_t *, clockid_t, const struct timespec *))                                \
    X(int, pthread_rwlock_unlock, (pthread_rwlock_t *))                                        \
    X(int, pthread_spin_init, (pthread_spinlock_t *, int))                                     \
    X(int, pthread_spin_destroy, (pthread_spinlock_t *))                                       \
    X(int, pthread_spin_lock, (pthread_spinlock_t *))                                          \
    X(int, pthread_spin_trylock, (pthread_spinlock_t *))                                       \
    X(int, pthread_spin_unlock, (pthread_spinlock_t *))                                        \
    X(int, pthread_barrier_init,                                                               \
      (pthread_barrier_t *, const pthread_barrierattr_t *, unsigned))                          \
    X(int, pthread_barrier_destroy, (pthread_barrier_t *))                                     \
    X(int, pthread_barrier_wait, (pthread_barrier_t *))                                        \
    X(int, pthread_once, (pthread_once_t *, void (*)(void)))                                   \
    X(void *, pthread_getspecific, (pthread_key_t))                                            \
    X(int, pthread_setspecific, (pthread_key_t, const void *))                                 \
    X(int, tss_set, (tss_t, void *))                                                           \
    X(int, pthread_key_create, (pthread_key_t *, void (*)(void *)))                            \
    X(int, pthread_key_delete, (pthread_key_t))                                                \
    X(int, sem_init, (sem_t *, int, unsigned))                                                 \
    X(int, sem_destroy, (sem_t *))                                                             \
    X(int, sem_wait, (sem_t *))                                                                \
    X(int, sem_trywait, (sem_t *))                                                             \
    X(int, sem_timedwait, (sem_t *, const struct timespec *))                                  \
    X(int, sem_clockwait, (sem_t *, clockid_t, const struct timespec *))                       \
    X(int, sem_post, (sem_t *))                                                                \
    X(int, sem_getvalue, (sem_t *, int *))                                                     \
    X(sem_t *, sem_open, (const char *, int, ...))                                             \
    X(int, sem_close, (sem_t *))                                                               \
    X(int, sem_unlink, (const char *))                                                         \
    X(int, thrd_create, (thrd_t *, thrd_start_t, void *))                                      \
    X(int, thrd_join, (thrd_t, int *))                                                         \
    X(int, thrd_detach, (thrd_t))                                                              \
    X(void, thrd_exit, (int))                                                                  \
    X(int, thrd_sleep, (const struct timespec *, struct timespec *))                           \
    X(void, thrd_yield, (void))                                                                \
    X(int, mtx_init, (mtx_t *, int))                                                           \
    X(void, mtx_destroy, (mtx_t *))                                                            \
    X(int, mtx_lock, (mtx_t *))                                                                \
    X(int, mtx_trylock, (mtx_t *))                                                             \
    X(int, mtx_timedlock, (mtx_t *, const struct timespec *))                                  \
    X(int, mtx_unlock, (mtx_t *))                                                              \
    X(int, cnd_init, (cnd_t *))                                                                \
    X(void, cnd_destroy, (cnd_t *))                                                            \
    X(int, cnd_wait, (cnd_t *, mtx_t *))                                                       \
    X(int, cnd_timedwait, (cnd_t *, mtx_t *, const struct timespec *))                         \
    X(int, cnd_signal, (cnd_t *))                                                              \
    X(int, cnd_broadcast, (cnd_t *))                                                           \
    X(int, tss_create, (tss_t *, tss_dtor_t))                                                  \
    X(void, tss_delete, (tss_t))                                                               \
    X(void, call_once, (once_flag *, void (*)(void)))                                          \
    X(int, timespec_get, (struct timespec *, int))                                             \
    X(int, sched_yield, (void))                                                                \
    X(unsigned, sleep, (unsigned))                                                             \
    X(int, usleep, (useconds_t))                                                               \
    X(int, nanosleep, (const struct timespec *, struct timespec *))                            \
    X(int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *))      \
    X(int, clock_gettime, (clockid_t, struct timespec *))                                      \
    X(int, gettimeofday, (struct timeval *, void *))                                           \
    X(time_t, time, (time_t *))                                                                \
    X(ssize_t, getrandom, (void *, size_t, unsigned))                                          \
    X(int, getentropy, (void *, size_t))                                                       \
    X(uint32_t, arc4random, (void))                                                            \
    X(void, exit, (int))                                                                       \
    X(void, _exit, (int))                                                                      \
    X(void, quick_exit, (int))                                                                 \
    X(void, abort, (void))                                                                     \
    X(void, __assert_fail, (const char *, const char *, unsigned, const char *))               \
    X(int, __cxa_thread_atexit_impl, (void (*)(void *), void *, void *))                       \
    X(int, __cxa_guard_acquire, (uint64_t *))                                                  \
    X(void, __cxa_guard_release, (uint64_t *))                                                 \
    X(void, __cxa_guard_abort, (uint64_t *))                                                   \
    X(void, _ZSt9terminatev, (void))                                                           \
    X(pid_t, fork, (void))                                                                     \
    X(pid_t, vfork, (void))                                                                    \
    X(int, system, (const char *))                                                             \
    X(int, posix_spawn,                                                                        \
      (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,   \
       char *const[], char *const[]))                                                          \
    X(int, posix_spawnp,                                                                       \
      (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,   \
       char *const[], char *const[]))                                                          \
    X(FILE *, popen, (const char *, const char *))                                             \
    X(long, syscall, (long, ...))                                                              \
    X(ssize_t, read, (int, void *, size_t))                                                    \
    X(ssize_t, readv, (int, const struct iovec *, int))                                        \
    X(ssize_t, recv, (int, void *, size_t, int))                                               \
    X(ssize_t, recvfrom, (int, void *, size_t, int, struct sockaddr *, socklen_t *))           \
    X(ssize_t, recvmsg, (int, struct msghdr *, int))                                           \
    X(int, accept, (int, struct sockaddr *, socklen_t *))                                      \
    X(int, accept4, (int, struct sockaddr *, socklen_t *, int))                                \
    X(int, connect, (int, const struct sockaddr *, socklen_t))                                 \
    X(int, poll, (struct pollfd *, nfds_t, int))                                               \
    X(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *))                      \
    X(int, epoll_wait, (int, struct epoll_event *, int, int))                                  \
    X(int, sigwait, (const sigset_t *, int *))                                                 \
    X(int, pause, (void))                                                                      \
    X(pid_t, wait, (int *))                                                                    \
    X(pid_t, waitpid, (pid_t, int *, int))                                                     \
    X(int, sigaction, (int, const struct sigaction *, struct sigaction *))                     \
    X(sighandler_t, signal, (int, sighandler_t))                                               \
    X(sighandler_t, __sysv_signal, (int, sighandler_t))                                        \
    X(sighandler_t, sysv_signal, (int, sighandler_t))                                          \
    X(ssize_t, write, (int, const void *, size_t))                                             \
    X(ssize_t, writev, (int, const struct iovec *, int))                                       \
    X(ssize_t, send, (int, const void *, size_t, int))                                         \
    X(ssize_t, sendto, (int, const void *, size_t, int, const struct sockaddr *, socklen_t))   \
    X(ssize_t, sendmsg, (int, const struct msghdr *, int))                                     \
    X(int, shutdown, (int, int))                                                               \
    X(int, socket, (int, int, int))                                                            \
    X(int, bind, (int, const struct sockaddr *, socklen_t))                                    \
    X(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))        \
    X(int, pselect,                                                                            \
      (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *))          \
    X(int, epoll_create, (int))                                                                \
    X(int, epoll_create1, (int))                                                               \
    X(int, epoll_ctl, (int, int, int, struct epoll_event *))                                   \
    X(int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *))               \
    X(int, epoll_pwait2,                                                                       \
      (int, struct epoll_event *, int, const struct timespec *, const sigset_t *))             \
    X(int, eventfd, (unsigned, int))                                                           \
    X(int, timerfd_create, (clockid_t, int))                                                   \
    X(int, fcntl, (int, int, ...))                                                             \
    X(int, dup, (int))                                                                         \
    X(int, dup2, (int, int))                                                                   \
    X(int, dup3, (int, int, int))                                                              \
    X(FILE *, fdopen, (int, const char *))                                                     \
    X(ssize_t, splice, (int, off64_t *, int, off64_t *, size_t, unsigned))                     \
    X(ssize_t, sendfile, (int, int, off_t *, size_t))                                          \
    X(int, raise, (int))                                                                       \
    X(int, kill, (pid_t, int))                                                                 \
    X(int, pthread_sigmask, (int, const sigset_t *, sigset_t *))                               \
    X(int, sigprocmask, (int, const sigset_t *, sigset_t *))                                   \
    X(int, sigpending, (sigset_t *))                                                           \
    X(int, sigsuspend, (const sigset_t *))                                                     \
    X(int, sigwaitinfo, (const sigset_t *, siginfo_t *))                                       \
    X(int, sigtimedwait, (const sigset_t *, siginfo_t *, const struct timespec *))             \
    X(int, sigaltstack, (const stack_t *, stack_t *))                                          \
    X(unsigned, alarm, (unsigned))                                                             \
    X(int, timer_create, (clockid_t, struct sigevent *, timer_t *))                            \
    X(int, timer_settime, (timer_t, int, const struct itimerspec *, struct itimerspec *))      \
    X(int, timer_gettime, (timer_t, struct itimerspec *))                                      \
    X(int, timer_getoverrun, (timer_t))                                                        \
    X(int, timer_delete, (timer_t))                                                            \
    X(int, getitimer, (__itimer_which_t, struct itimerval *))                                  \
    X(int, setitimer, (__itimer_which_t, const struct itimerval *, struct itimerval *))        \
    X(void, pthread_testcancel, (void))                                                        \
    X(int, pthread_setcancelstate, (int, int *))                                               \
    X(int, pthread_setcanceltype, (int, int *))                                                \
    X(int, pthread_mutex_consistent, (pthread_mutex_t *))                                      \
    X(int, pthread_mutexattr_setpshared, (pthread_mutexattr_t *, int))                         \
    X(int, pthread_condattr_setpshared, (pthread_condattr_t *, int))                           \
    X(int, pthread_rwlockattr_setpshared, (pthread_rwlockattr_t *, int))                       \
    X(int, pthread_barrierattr_setpshared, (pthread_barrierattr_t *, int))                     \
    X(int, __register_atfork, (void (*)(void), void (*)(void), void (*)(void), void *))        \
    X(int, close, (int))

struct real_functions {
#define REAL_MEMBER(type, name, arguments) type(*name) arguments;
    REAL_FUNCTIONS(REAL_MEMBER)
#undef REAL_MEMBER
};

extern struct real_functions real;

/* Idempotent; the first hook that needs a real function before start-up calls it. */
void real_resolve(void);

/* In a hook: go to the real function where the program is not under control. */
#define UNLESS_ON(call)                                                                        \
    do {                                                                                       \
        if (UNLIKELY(!rt.on)) {                                                                \
            if (UNLIKELY(real.close == NULL))                                                  \
                real_resolve();                                                                \
            return real.call;                                                                  \
        }                                                                                      \
    } while (0)

#endif
