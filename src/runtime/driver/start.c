/* Start-up: Mazur takes over before the program's main.
 *
 *   ld.so ─ constructors ─ __libc_start_main (ours) ─ libc's own ─ run_under_control
 *                                                        │ modules, components, snapshot
 *                                                        ▼
 *                                                     driver.c
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/must.h"
#include "explore/search/auto.h"
#include "explore/search/strategies.h"
#include "runtime/access/asan.h"
#include "runtime/arch/raw.h"
#include "runtime/core/attach.h"
#include "runtime/core/failure.h"
#include "runtime/core/modules.h"
#include "runtime/core/places.h"
#include "runtime/core/runtime.h"
#include "runtime/core/schedule.h"
#include "runtime/driver/components.h"
#include "runtime/driver/driver.h"
#include "runtime/hooks/policy/real.h"
#include "runtime/hooks/threads/lifecycle.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/snapshot.h"
#include "runtime/race/race.h"
#include "runtime/traps/traps.h"

typedef int main_function(int, char **, char **);

static struct main_call program;

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
int __cxa_atexit(void (*function)(void *), void *argument, void *module);

/* Does the module have destructors other than those of the compiler's start files? */
static int note_fini(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    bool *any = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry =
            (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++)
            if (entry->d_tag == DT_FINI_ARRAYSZ && entry->d_un.d_val > sizeof(void *))
                *any = true;
    }
    return 0;
}

extern void _IO_doallocbuf(FILE *file); /* glibc's; in no header */

/* Allocates the buffer of standard output. Otherwise glibc would allocate it in the thread that
 * prints first, and the names of that thread's heap blocks would depend on the schedule. */
static void prepare_output(void)
{
    if (!stdout->_IO_buf_base)
        _IO_doallocbuf(stdout);
    if (rt.recording && !rt.opens_streams) /* otherwise it would differ from the search */
        setvbuf(stdout, NULL, _IOLBF, 0);  /* shows what was printed before a failure */
}

static int run_under_control(int argc, char **argv, char **envp)
{
    program.argc = argc;
    program.argv = argv;
    program.envp = envp;
    struct board_config *config = &rt.board->config;
    rt.recording = config->mode == BOARD_RECORD;
    rt.simplifying = config->mode == BOARD_SIMPLIFY;
    rt.os_threads = rt.recording && config->os_threads;
    rt.any_timeouts = config->timeouts == TIMEOUTS_ANY;
    /* Ignored races are checked, too, until one is found: it forbids "complete". */
    rt.check_races =
        config->races != RACES_IGNORE || !claim_has(&rt.board->claim, REASON_RACES_IGNORED);
    rt.explore_races = config->races == RACES_EXPLORE;
    rt.volatile_atomic = config->volatile_atomic;
    rt.store_buffers = config->store_buffers;
    rt.symmetric = config->symmetric;
    if (rt.recording) {
        race_context = failure_access_context;
        heap_stack = failure_stack_here;
    }
    uint64_t layout = rt.board->layout;
    rt.board->nmodules = 0;
    modules_note();
    must(rt.own.start < rt.own.end);
    prepare_output();
    rt.board->layout = modules_layout();
    if (config->resume && layout != rt.board->layout)
        failure_before_main("the program's memory is laid out differently than when the search "
                            "was stopped, so it can't be resumed");
    rt.board->instrumented = rt.ninstrumented > 0;
    rt.thread[0].fiber.tls = fiber_thread_pointer();
    rt.thread[0].life.handle = pthread_self();
    fiber_forget_rseq();
    components_init();
    if (!rt.recording && !rt.simplifying)
        auto_settle(&config->search, rt.ninstrumented > 0);
    places_look_up();
    places_set_rules();
    traps_install();
    if (rt.preempts_by_place)
        schedule_by_place();
    if (!driver_create_search()) {
        rt.board->state = CHILD_DONE;
        raw_syscall1(SYS_exit_group, 0);
    }
    components_snapshot();
    driver_prepare();
    snapshot_set_layout(&(struct snapshot_layout){.own_start = rt.own.start,
                                                  .own_end = rt.own.end,
                                                  .image_start = rt.image_start,
                                                  .image_end = rt.image_end,
                                                  .main_tls = rt.thread[0].fiber.tls,
                                                  .note_shared = failure_uncontrolled});
    if (config->isolate == ISOLATE_SNAPSHOT && !rt.recording)
        snapshot_take();
    driver_run(&program);
}

EXPORT int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                             void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                               void (*)(void), void *);
    start_function *start = (start_function *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");
    start_attach();
    if (!rt.controlled)
        return start(main, argc, argv, init, fini, rtld_fini, stack_end);
    program.main = main;
    asan_init();
    attach_scrub_environment();
    real_resolve();
    fiber_init();
    race_init();
    components_connect();
    bool destructors = false;
    dl_iterate_phdr(note_fini, &destructors);
    /* Registered first, so it runs last. The destructors of the loaded modules run before it,
     * but _dl_fini is called only if there are any: it costs more than a whole small
     * execution. */
    __cxa_atexit(exit_last_handler, NULL, NULL);
    if (destructors && rtld_fini)
        __cxa_atexit((void (*)(void *))(uintptr_t)rtld_fini, NULL, NULL);
    return start(run_under_control, argc, argv, init, fini, NULL, stack_end);
}
