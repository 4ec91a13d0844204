/* The board: the one shared memory segment between the command (parent) and the program under
 * test (child). It survives a crash of the child, so whatever the child was doing can be read.
 *
 *    parent                                   child (libmazur.so)
 *    ------                                   -------------------
 *    config            ──── read once ──────▶
 *    stop              ──── polled ─────────▶ ends the search at the next step
 *                      ◀─── heartbeat ─────── steps executed: a hang is "no change"
 *                      ◀─── progress ──────── counts, bound rows
 *    schedule (RECORD) ──── followed ───────▶
 *                      ◀─── schedule ──────── SEARCH: choices of the execution being run
 *                      ◀─── failure ───────── what went wrong, stacks, who waits for whom
 *                      ◀─── events ────────── RECORD: every visible operation, with values
 *
 * The board is a memfd whose number is in the environment variable MAZUR_BOARD; a second
 * one, MAZUR_POOL, holds the search's memory (base/pool.h). The child maps both before anything
 * else and closes the descriptors. The big arrays are sparse: untouched pages cost nothing.
 *
 * In SIMPLIFY mode the child looks for the simplest form of a failing execution
 * (explore/search/simplify.c).
 *
 * In RECORD mode the child runs one execution along `schedule` and logs events. The parent
 * always makes the report from a RECORD run in a fresh process, which also proves that the
 * failure can be replayed; the search itself logs only the schedule.
 *
 * Everything the child writes is untrusted. When the child has ended, the parent makes its own
 * copy of the board, forces every value in it into its valid range, and reads nothing else
 * (parent.h, sanitize.c). */
#ifndef MAZUR_BOARD_BOARD_H
#define MAZUR_BOARD_BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/threadset.h"
#include "board/kinds.h"
#include "board/lessons.h"
#include "board/messages.h"
#include "board/object_names.h"
#include "explore/claim/limits.h"
#include "explore/judge/linear.h"
#include "explore/search/search.h"
#include "explore/world/op.h"

#define BOARD_MAGIC      UINT64_C(0x3172757a614d)
#define BOARD_STACK      24           /* frames kept per call stack, innermost first */
#define BOARD_SCHEDULE   (1u << 22)   /* most choices in one execution */
#define BOARD_EVENTS     (1u << 18)   /* events logged of one execution */
#define DEPTH_LEAST      20000        /* the default step limit, at least */
#define PROBE_DEPTH      BOARD_EVENTS /* … and at most: a longer execution could not be shown */
#define BOARD_TEXT       512
#define BOARD_HEAP       4096 /* heap blocks listed at the end of an execution, */
#define BOARD_HEAP_HEAD  96   /* … with this many bytes of each: keys in the nodes of maps, */
#define BOARD_POINTERS   16384 /* and pointers to them */
#define BOARD_NAMES      256   /* mazur_name() and mazur_label() texts */
#define BOARD_NAME_TEXT  64
#define BOARD_MODULES    LIMIT_MODULES
#define BOARD_PATH       512
#define BOARD_LOCKS_HELD 8
#define BOARD_PLACES     8192
#define BOARD_OLD_RULES  LIMIT_OLD_RULES
#define BOARD_SITES      LIMIT_SITES
#define BOARD_USES       1024           /* parts of frames that other threads used */
#define BOARD_FAILURES   LIMIT_FAILURES /* with --keep-going: failures kept of one search */

/* A schedule is a list of 32-bit choices in the order they were made: a thread slot, or
 * BOARD_CHOICE | value for a data choice (mazur_choose, which waiter a signal wakes, …). */
#define BOARD_CHOICE SCHEDULE_CHOICE

/* Objects of OP_SHARED (OBJECT_SHARED). */
enum shared_state {
    SHARED_FILES, /* which descriptors are in use; with --scratch also the file system */
    SHARED_KEYS,  /* which keys of thread-specific data are in use */
    SHARED_STRTOK,
    SHARED_TIME,      /* what localtime() and similar return */
    SHARED_TIME_TEXT, /* the same for ctime() and asctime() */
    SHARED_EXIT,      /* the functions that exit() calls */
    SHARED_PROCESS,   /* everything without its own entry */
    SHARED_ENVIRONMENT,
    SHARED_DIRECTORY, /* the working directory */
    SHARED_ZONE,      /* the time zone that tzset() has set */
    SHARED_LOCALE,
    SHARED_RANDOM,    /* the numbers of rand() and random() */
    SHARED_RANDOM_48, /* those of drand48() and similar */
    SHARED_FACTOR_48, /* what lcong48() has set for erand48() and similar */
    SHARED_OPTIONS,   /* where getopt() continues */
    SHARED_HASH,      /* the table of hsearch() */
    SHARED_RESULTS,   /* results that libc returns in its own memory */
    SHARED_DATABASES, /* where getpwent() and similar continue */
    SHARED_SETTINGS,  /* names, identities, priorities, … of the process and its threads */
    SHARED_FLAGS,     /* of open files: blocking mode, sizes of pipes, options of sockets */
    SHARED_HANDLERS,  /* the dispositions of signals */
    SHARED_TIMERS,
    SHARED_SEMAPHORES,   /* the names of semaphores */
    SHARED_CXX_HANDLERS, /* std::set_terminate() and similar */
    SHARED_RESOURCE,     /* std::pmr::set_default_resource() */
    SHARED_XALLOC,       /* the numbers of std::ios_base::xalloc() */
    SHARED_CONVERSION,   /* the states of mbrtowc() and similar, if the caller passes none */
    SHARED_STREAMS,      /* the locks of streams, which every call of stdio takes */
    SHARED_STATES
};

enum board_mode { BOARD_SEARCH = 1, BOARD_RECORD = 2, BOARD_SIMPLIFY = 3 };
enum races_mode { RACES_REPORT = 0, RACES_EXPLORE, RACES_IGNORE };
enum timeouts_mode { TIMEOUTS_IDLE = 0, TIMEOUTS_ANY };
enum rounds_mode { ROUNDS_SKIP = 0, ROUNDS_EXPLORE };
enum checkpoints_mode { CHECKPOINTS_ON = 0, CHECKPOINTS_OFF, CHECKPOINTS_ALWAYS };
enum isolate_mode { ISOLATE_SNAPSHOT = 0, ISOLATE_FORK };

/* The memory that a name in an option refers to (--preempt-only, --no-preempt, --visible). */
enum board_place_kind { PLACE_FUNCTION = 0, PLACE_FILE, PLACE_VARIABLE };
enum board_place_list { LIST_PREEMPT_ONLY = 0, LIST_NO_PREEMPT, LIST_VISIBLE, LISTS };

struct board_range {
    uint64_t start;
    uint64_t end;
};

struct board_place {
    uint64_t start;
    uint64_t end;
    uint8_t kind; /* enum board_place_kind */
    uint8_t list; /* enum board_place_list */
};

/* A site: an instruction that Mazur interrupts because of what it accesses
 * (runtime/traps/traps.c). */
enum site_kind {
    SITE_NONE = 0,
    SITE_LOAD,
    SITE_STORE,
    SITE_UPDATE,  /* reads and writes */
    SITE_COMPARE, /* compares, and writes if that succeeds */
    SITE_SYSCALL,
    SITE_COPY,      /* movs: from where %rsi points to where %rdi does */
    SITE_FILL,      /* stos */
    SITE_MATCH,     /* cmps: reads where %rsi and %rdi point */
    SITE_SCAN,      /* scas: reads where %rdi points */
    SITE_CLOCK,     /* rdtsc, rdtscp, rdpmc: a counter */
    SITE_CHANCE,    /* rdrand, rdseed: into the register `base` */
    SITE_PROCESSOR, /* cpuid, and rdpid into the register `base` */
    SITE_UNTOLD,    /* accesses memory in an unknown way: never on the board */
};

#define SITE_ACCUMULATOR   0 /* registers as the processor numbers them */
#define SITE_COUNT         1 /* of a repeated copy */
#define SITE_STACK_POINTER 4
#define SITE_FRAME_POINTER 5
#define SITE_SOURCE        6
#define SITE_DESTINATION   7
#define SITE_RIP           0xfe /* the operand is relative to the next instruction */
#define SITE_NO_REGISTER   0xff

/* Which lanes of a vector are accessed. */
enum site_mask {
    MASK_NONE,   /* all */
    MASK_SIGNS,  /* those whose sign is set in the vector register `mask` */
    MASK_BITS,   /* those whose bit is set in the mask register `mask` */
    MASK_PACKED, /* as many as it has bits set, side by side (vpcompress, vpexpand) */
};

struct board_site {
    uint64_t address;
    int32_t displacement;
    uint16_t size; /* bytes accessed, of one lane or in one round of a repetition */
    uint8_t length;
    uint8_t kind;   /* enum site_kind */
    bool locked;    /* indivisible: with a lock prefix, or xchg */
    bool repeated;  /* a string instruction with a count */
    bool until_not; /* … which also ends at an equal value (repne) */
    bool plain;     /* not from --visible: treated as if the compiler had announced it */
    uint8_t base;   /* registers of the operand */
    uint8_t index;
    uint8_t scale;           /* shift of the index */
    bool byte_index;         /* xlat: only the lowest byte of the index counts */
    uint8_t displacement_at; /* where in the instruction the displacement is */
    uint8_t bit_register;    /* bt, bts, …: the register with the bit's number */
    uint8_t lanes;           /* 0, or: accessed lane by lane */
    uint8_t mask_kind;       /* enum site_mask */
    uint8_t mask;
    uint8_t vector_index; /* gather, scatter: a vector register with an index for each lane */
    uint8_t index_size;   /* … of this many bytes */
    uint64_t function;    /* 0, or: an access to a local variable of the function that starts
                           * there, which matters only when another thread knows the variable */
};

struct board_config {
    uint32_t mode;
#define SETTING(kind, name, field, ...)        SETTING_FIELD_##kind field;
#define SEARCH_SETTING(kind, name, field, ...) /* of search_options */
#define PLAIN_SETTING(kind, name, field, ...)  /* below */
#define SETTING_FIELD_FLAG                     bool
#define SETTING_FIELD_CHOICE                   uint32_t
#define SETTING_FIELD_UNSIGNED                 uint32_t
#define SETTING_FIELD_INT                      int
#define SETTING_FIELD_LONG                     uint64_t
#include "board/settings.def"
#undef SETTING
#undef SEARCH_SETTING
#undef PLAIN_SETTING
    uint64_t unbounded_time;  /* nanoseconds for the search beside the bounds
                                 (runtime/driver/unbounded.h) */
    bool depth_grows;         /* the step limit adapts to the program
                               * (runtime/waiting/endless.c) */
    uint64_t realtime_start;  /* CLOCK_REALTIME when the program starts, in nanoseconds */
    bool keep_output;         /* the program's stdout and stderr are not redirected (replay) */
    bool os_threads;          /* RECORD: program threads are OS threads (mazur debug) */
    bool resume;              /* MAZUR_POOL already holds a search: resume it */
    bool in_scratch;          /* --scratch: each execution has its own working directory, */
    char scratch[BOARD_PATH]; /* this one; empty: none */
    bool leaves;              /* the search may be divided (messages.h): it starts in a leaf */
    bool waits_for_work;      /* … and this child waits for its first one */
    /* --shard: a leaf is divided at the end of the first bound with at least `divide_least`
     * executions, or after `divide_most` executions in the middle of a bound; 0: never */
    uint64_t divide_least, divide_most;
    bool serial_only;              /* only find the serial histories (a replay needs them) */
    char names[LISTS][BOARD_TEXT]; /* the names in the options, one per line */
    struct search_options search;
    struct simplify_request simplify; /* BOARD_SIMPLIFY */
};

/* The phase of a search with mazur_history_begin(): all serial executions come first. */
enum history_phase { HISTORY_NONE = 0, HISTORY_SERIAL, HISTORY_CONCURRENT };

struct board_stack {
    uint32_t depth;
    /* Innermost first. All are return addresses (one past the call), except pc[0] of a failure
     * with a signal other than SIGABRT: the faulting or interrupted instruction itself. */
    uint64_t pc[BOARD_STACK];
};

/* A heap block with its canonical name: the k-th allocation of a thread. base 0: no such
 * block. */
struct board_block {
    uint64_t base;
    uint64_t size;
    uint32_t tid;
    uint32_t number;
    int32_t freed_by;     /* thread, or -1: live */
    uint32_t freed_event; /* that thread's last event before the free, or UINT32_MAX */
    struct board_stack allocated;
    struct board_stack freed;
};

/* Where an address lies that is neither global nor in the heap (runtime/evidence/home.c). */
enum home_kind { HOME_NONE = 0, HOME_STACK, HOME_STORAGE };

struct board_home {
    uint32_t kind;
    int32_t tid;     /* thread that owns the stack or storage */
    uint32_t module; /* STORAGE: of which module */
    uint64_t offset; /* … and where in it */
    uint64_t pc;     /* STACK: inside the function, near its entry, with … */
    uint64_t sp;     /* … the stack pointer there, */
    uint64_t bp;     /* the base pointer there, */
    uint64_t at;     /* and where the function is now */
};

/* Other threads used a part of the frame of a function that was in a call. */
struct board_use {
    uint64_t pc; /* where that call returns to */
    int64_t low; /* the part, from the canonical frame address */
    int64_t high;
};

/* One memory access of a race or memory error. */
struct board_access {
    int32_t tid;
    bool write;
    bool atomic;
    bool is_free; /* the access is the free() of the block */
    uint8_t size;
    uint64_t address;
    uint32_t event; /* the thread's last event at or before it (index), or UINT32_MAX */
    uint32_t nlocks;
    uint64_t lock[BOARD_LOCKS_HELD]; /* mutexes held */
    struct board_home home;
    struct board_stack stack;
};

struct board_thread {
    uint32_t state;
    int32_t parent; /* canonical name: the number-th child of parent; main: -1 */
    uint32_t number;
    uint64_t start_routine; /* its function, for the report */
    uint64_t handle;        /* its pthread_t */
    char name[16];          /* pthread_setname_np, or empty */
    struct op pending;
    struct board_home home; /* of what it is about */
    int32_t waits_for;      /* thread that holds what it waits for, or -1 */
    uint32_t nlocks;        /* mutexes that it holds, and where it took them */
    uint64_t lock[BOARD_LOCKS_HELD];
    uint64_t lock_pc[BOARD_LOCKS_HELD];
    struct board_stack stack; /* where it is */
};

struct board_failure {
    uint32_t kind;
    int32_t tid;    /* thread that failed, or -1 */
    int32_t signal; /* crash: signal number */
    int32_t status; /* exit: status */
    int32_t line;   /* assertion: from its own message; optimised code may have lost it */
    int32_t preemptions;
    int32_t bound;      /* bound being searched when it was found */
    uint64_t execution; /* number of the execution, from 1 */
    uint64_t address;   /* crash: faulting address; misuse: object */
    uint32_t step;      /* visible operations executed before it */
    uint32_t ends;      /* schedule entries used */
    uint64_t expected;  /* nondeterminism: where the operation was the first time; 0: unknown */
    bool stops_loops;   /* a thread was stopped in a loop: repeating it takes long */
    char message[BOARD_TEXT]; /* one line, without thread or place: "assertion `x == 1' failed"
                               */
    char detail[BOARD_TEXT];  /* further facts, may be empty */
    struct board_stack stack;
    uint32_t naccesses; /* race: 2 (earlier first); memory: 1 */
    struct board_access access[2];
    struct board_home home;   /* misuse: of the object */
    struct board_block block; /* memory error, or the block a race is in */
};

/* A visible operation as it was executed (RECORD mode). */
struct board_event {
    int32_t tid;
    uint32_t reason;          /* enum switch_reason: why control came from `from` to tid */
    int32_t from;             /* thread of the event before, -1 for the first */
    uint32_t step;            /* steps of the execution before and with this one */
    uint32_t reads_from;      /* event whose write this read saw, UINT32_MAX: none or initial */
    struct op op;             /* final form */
    uint64_t address;         /* exact address of the (first) object, for names */
    struct board_home home;   /* of that address, */
    struct board_home second; /* and of the second object */
    uint64_t before;          /* value of the object before and after, up to 8 bytes, */
    uint64_t after;           /* meaningful when has_values */
    bool has_values;
    int32_t result;  /* return value of a call: EBUSY of a trylock, chosen value, … */
    int32_t other;   /* thread created, joined, or woken; -1: none */
    threadset woken; /* by a broadcast */
    char label[32];  /* mazur_label() text in force, else empty */
    struct board_block block; /* heap block of the object, base 0: not in the heap; its stacks
                                 empty except pc[0] */
    struct board_stack stack;
};

/* RECORD mode: a word that held the address of live heap memory when the execution ended. */
struct board_pointer {
    uint64_t address;
    uint64_t value;
    struct board_home home; /* of the address, if it is on a stack */
};

struct board_name {
    uint64_t address;
    uint64_t size;
    char text[BOARD_NAME_TEXT];
};

/* A loaded ELF file, as /proc/self/maps has it: for the symboliser. */
struct board_module {
    uint64_t start; /* lowest mapped address */
    uint64_t end;
    uint64_t bias;      /* load bias: address = bias + ELF virtual address */
    uint64_t tls_below; /* its thread-local storage begins this far below the thread pointer; 0:
                           it has none */
    uint64_t tls_size;
    bool instrumented; /* some of its code at least */
    char path[BOARD_PATH];
};

enum child_state {
    CHILD_STARTING = 0, /* before the snapshot: a crash here is a crash before main */
    CHILD_RUNNING,      /* in main or after it, under control */
    CHILD_SEARCHING,    /* between executions */
    CHILD_DONE,         /* the search is over, results are final */
};

/* What the parent asks a child that makes no steps: to report where it is, or to find out
 * whether it is in an endless loop (runtime/waiting/busy_loop.c). */
enum hang_check { HANG_NONE = 0, HANG_REPORT, HANG_SUSPECT };

/* An execution in which the threads take turns; it shows how long the program is. */
enum board_probe { PROBE_NONE = 0, PROBE_RUNS, PROBE_DONE };

/* What a search that has ended left undone. */
enum board_left {
    LEFT_NOTHING = 0, /* nothing: the search finished */
    LEFT_MORE,        /* something, and the pool is all that resuming needs */
    LEFT_LOOSE,       /* something, but the search can't be resumed */
};

struct board {
    uint64_t magic;
    uint32_t version;
    struct board_config config;

    /* parent → child */
    volatile uint32_t stop;       /* end the search: 1 after this execution, 2 at once */
    volatile uint32_t hang_check; /* enum hang_check, set just before SIGURG */
    char blocked_in[32];          /* … and the system call that it sleeps in; empty: none */

    /* The names in the options are looked up once the modules are known: the child asks once,
     * the parent fills in the places and answers; see runtime/core/places.c. */
    volatile uint32_t places_asked;
    volatile uint32_t places_known; /* 1, or 2: some name was not found */
    uint32_t nplaces;
    struct board_place place[BOARD_PLACES];
    uint32_t nsites; /* instructions to interrupt, in order of address (traps.c) */
    struct board_site site[BOARD_SITES];
    /* Code of C, and of C++ before C++20, in order of address: debuginfo/languages.c. */
    uint32_t nold_rules;
    struct board_range old_rules[BOARD_OLD_RULES];

    /* child → parent */
    volatile uint32_t state; /* enum child_state */
    volatile uint32_t more;  /* --isolate=fork: the forked execution says whether to continue */
    volatile uint64_t heartbeat;
    volatile uint32_t forked;          /* --isolate=fork: the process of the execution, or 0 */
    volatile uint32_t process;         /* mazur debug: the process, and */
    volatile uint32_t os_thread;       /* its OS thread that runs */
    volatile uint32_t started_threads; /* the program has called pthread_create */
    int32_t exit_status;               /* of the last execution that ended normally */
    bool instrumented;                 /* __tsan_* calls were seen */
    bool atomics_seen;                 /* C11/C++ atomics were seen */
    uint32_t max_threads;
    uint32_t max_visible;       /* most visible operations in one execution */
    uint64_t hot_pages;         /* pages copied back per execution */
    struct search_stats stats;  /* copied after every execution */
    struct search_stats proven; /* of the search before the last start over that finished the
                                 * largest bound; bound_done -1: none */
    uint32_t left;              /* enum board_left */
    struct simplification simplified; /* BOARD_SIMPLIFY; its schedule comes second in kept[] */
    struct claim claim;               /* what weakens the claim (explore/claim/claim.h) */
    volatile uint32_t start_over;     /* a new lesson makes the search start over */
    bool was_cut;                     /* the step limit has cut an execution */
    uint32_t probe;                   /* enum board_probe */
    uint32_t cut_depth;        /* the step limit that has cut an execution, 0: none has, */
    bool cut_in_loop;          /* … in a loop: the thread had been there before, */
    struct board_stack cut_at; /* … and where */
    uint32_t nuses;
    struct board_use
        use[BOARD_USES];         /* have the variables' blocks ended? (note_ended_blocks) */
    volatile uint32_t nfailures; /* complete entries of failure[] */
    uint32_t round; /* how often the search has started over: failure[] was emptied */
    struct board_failure failure[BOARD_FAILURES + 1]; /* the last one is never complete */

    /* The lessons with which the search starts over; passed on to SIMPLIFY and RECORD runs. */
    struct lessons lessons;
    /* Linearizability (runtime/evidence/history.c); the search finds `serial`, a RECORD run
     * gets it. */
    uint32_t history_phase;
    struct search_options history_asked; /* for the phase after the serial one */
    struct linear_history history;       /* of the execution that failed */
    struct linear_table serial;

    struct board_work work; /* --jobs */

    uint32_t nmodules;
    struct board_module module[BOARD_MODULES];
    uint64_t pool_tables; /* bytes at the start of the pool's segment that belong to no
                           * search */
    uint64_t layout;      /* where the modules were loaded when the program started */
    uint32_t nthreads;    /* slots known in this search (canonical names, also for RECORD) */
    struct board_thread thread[THREADS_MAX];
    uint32_t nnames;
    struct board_name name[BOARD_NAMES];

    /* RECORD: the live heap blocks at the end, and the pointers to them
     * (evidence/heap_map.c). */
    uint32_t nheap;
    struct board_block heap[BOARD_HEAP];
    unsigned char heap_head[BOARD_HEAP][BOARD_HEAP_HEAD];
    uint32_t npointers;
    struct board_pointer pointer[BOARD_POINTERS];

    volatile uint32_t nschedule; /* SEARCH: of the running execution; RECORD: to follow */
    uint32_t schedule[BOARD_SCHEDULE];
    /* SEARCH: the schedules of failure[i], one after the other. SIMPLIFY: the original one
     * first, the simplest one second. */
    uint32_t nkept;
    uint32_t kept_start[BOARD_FAILURES];
    uint32_t kept[BOARD_SCHEDULE];
    uint32_t nevents;
    uint32_t events_lost; /* events past BOARD_EVENTS */
    struct board_event event[BOARD_EVENTS];
};

/* The command and the library must be built from the same header. */
#define BOARD_VERSION ((uint32_t)sizeof(struct board) ^ UINT32_C(0x01000000))

#define BOARD_BYTES ((sizeof(struct board) + 4095) & ~UINT64_C(4095))
#define POOL_BYTES  (UINT64_C(64) << 30)

/* The tables of the program's objects begin after the first page of the pool's segment. */
#define POOL_TABLES      UINT64_C(4096)
#define POOL_TABLES_MOST (UINT64_C(1) << 30)

/* Where the child maps the two segments. Fixed, so that a restarted child finds the pointers
 * inside the pool valid. */
#define BOARD_ADDRESS UINT64_C(0x200000000000)
#define POOL_ADDRESS  UINT64_C(0x210000000000)

#endif
