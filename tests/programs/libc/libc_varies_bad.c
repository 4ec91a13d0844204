/* EXPECT verdict=passed exit=0 complete=false -- -DLOAD
 * EXPECT verdict=passed exit=0 complete=false -- -DSYSTEM
 * EXPECT verdict=passed exit=0 complete=false -- -DFREE_PAGES
 * EXPECT verdict=passed exit=0 complete=false -- -DRESIDENT
 * EXPECT verdict=passed exit=0 complete=false -- -DPROC_FILE
 * EXPECT verdict=passed exit=0 complete=false -- -DPROC_STREAM
 * What the kernel tells may be something else in the next run, so what it decides is not all
 * that can happen. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <unistd.h>

static atomic_int order;
static char page[8192] __attribute__((aligned(4096)));

static int ask(void)
{
    (void)page;
#if defined LOAD
    double load[1];
    getloadavg(load, 1);
    return load[0] > 1;
#elif defined SYSTEM
    struct sysinfo system;
    sysinfo(&system);
    return system.freeram > 4096;
#elif defined FREE_PAGES
    return sysconf(_SC_AVPHYS_PAGES) > 4096;
#elif defined RESIDENT
    unsigned char here;
    mincore(page, 4096, &here);
    return here;
#elif defined PROC_FILE
    int file = open("/proc/uptime", O_RDONLY);
    close(file);
    return file > 0;
#elif defined PROC_STREAM
    FILE *file = fopen("/proc/self/stat", "r");
    int first = fgetc(file);
    fclose(file);
    return first == '1';
#elif defined PROC_LASTING
    FILE *file = fopen("/proc/cpuinfo", "r");
    int first = fgetc(file);
    fclose(file);
    return first == 'p';
#elif defined PROCESSORS
    return sysconf(_SC_NPROCESSORS_ONLN) > 1;
#elif defined USED
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt == 0 && usage.ru_stime.tv_usec == 0;
#endif
}

static void *work(void *unused)
{
    order = ask() ? 1 : 2;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    order = 3;
    pthread_join(thread, NULL);
    return 0;
}
