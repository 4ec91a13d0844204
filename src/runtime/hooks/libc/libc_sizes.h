/* The types whose sizes the rows of hooks.def name. */
#ifndef MAZUR_RUNTIME_LIBC_SIZES_H
#define MAZUR_RUNTIME_LIBC_SIZES_H

#include <dlfcn.h>
#include <fenv.h>
#include <glob.h>
#include <grp.h>
#include <locale.h>
#include <mqueue.h>
#include <netdb.h>
#include <netinet/ether.h>
#include <obstack.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/ucontext.h>
#include <termios.h>
#include <time.h>
#include <ucontext.h>
#include <utime.h>
#include <wchar.h>
#include <wordexp.h>

#define POINTER sizeof(void *)
/* Of libstdc++: std::error_code, std::filesystem::path. */
#define ERROR_CODE 16
#define READS_PATH_OBJECT(where) READS(where, 40)

#endif
