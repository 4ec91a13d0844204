/* What one check costs: the race detector and the heap by themselves, without a program.
 * Each row is the least of several rounds, in nanoseconds per call. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "runtime/memory/heap.h"
#include "runtime/race/race.h"

#define CALLS  200000
#define ROUNDS 15
#define BASE   UINT64_C(0x555555560000)

void race_report(const struct race_pair *pair)
{
    (void)pair;
    fprintf(stderr, "race_bench: the benchmark has a race\n");
    exit(1);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int threads = 4;

static void begin(void)
{
    heap_begin();
    race_begin();
    for (int t = 1; t < threads; t++)
        race_thread_create(0, t);
}

/* ---- bodies: CALLS checks each ---- */

static void same_epoch(void)
{
    for (uint64_t i = 0; i < CALLS; i++)
        race_write(1, BASE + (i & 63) * 8, 8, 1);
}

static void two_ints_in_a_word(void)
{
    for (uint64_t i = 0; i < CALLS; i++)
        race_write(1, BASE + (i & 127) * 4, 4, 1);
}

static void first_touch(void)
{
    for (uint64_t i = 0; i < CALLS; i++)
        race_write(1, BASE + i * 8, 8, 1);
}

static void shared_read(void)
{
    for (uint64_t i = 0; i < CALLS; i++)
        race_read(1 + (int)(i % 3), BASE + (i & 63) * 8, 8, 1);
}

static void load_acquire(void)
{
    for (uint64_t i = 0; i < CALLS; i++)
        race_atomic_load(1 + (int)(i % 3), BASE, 4, __ATOMIC_ACQUIRE, 1);
}

static void rmw_seq_cst(void)
{
    for (uint64_t i = 0; i < CALLS; i++)
        race_atomic_rmw(1 + (int)(i % 3), BASE, 4, __ATOMIC_SEQ_CST, 1);
}

static void store_then_load(void)
{
    for (uint64_t i = 0; i < CALLS / 2; i++) {
        race_atomic_store(1 + (int)(i % 3), BASE, 4, __ATOMIC_RELEASE, 1);
        race_atomic_load(1 + (int)((i + 1) % 3), BASE, 4, __ATOMIC_ACQUIRE, 1);
    }
}

static void rmw_relaxed(void)
{
    for (uint64_t i = 0; i < CALLS; i++)
        race_atomic_rmw(1 + (int)(i % 3), BASE, 4, __ATOMIC_RELAXED, 1);
}

static void lock_write_unlock(void)
{
    for (uint64_t i = 0; i < CALLS / 3; i++) {
        int tid = 1 + (int)(i % 3);
        race_acquire(tid, BASE);
        race_write(tid, BASE + 64, 8, 1);
        race_release(tid, BASE);
    }
}

static uint64_t block;

static void check_in_block(void)
{
    int bad = 0;
    for (uint64_t i = 0; i < CALLS; i++)
        bad |= heap_check(block + (i & 63) * 8, 8);
    if (bad)
        exit(1);
}

static void check_in_large_block(void)
{
    int bad = 0;
    for (uint64_t i = 0; i < CALLS; i++)
        bad |= heap_check(block + (i & 8191) * 8, 8);
    if (bad)
        exit(1);
}

static void alloc_and_free(void)
{
    for (uint64_t i = 0; i < CALLS / 2; i++) {
        if (i % 1000 == 0)
            heap_begin();
        heap_free(0, heap_alloc(1, 48, 0, false, 1), 1);
    }
}

static void new_execution(void)
{
    for (uint64_t i = 0; i < CALLS; i++) {
        heap_begin();
        race_begin();
    }
}

static void measure(const char *name, void (*body)(void), size_t size)
{
    double least = 1e300;
    for (int round = 0; round < ROUNDS; round++) {
        begin();
        block = size ? (uint64_t)heap_alloc(1, size, 0, false, 1) : 0;
        double start = now();
        body();
        double took = now() - start;
        if (took < least)
            least = took;
    }
    printf("%-44s %7.2f ns\n", name, least / CALLS);
}

int main(void)
{
    heap_init();
    heap_snapshot();
    race_init();
    measure("plain write, same thread and epoch", same_epoch, 0);
    measure("plain write, two fields of one word", two_ints_in_a_word, 0);
    measure("plain write, first touch in the execution", first_touch, 0);
    measure("plain read, shared by 3 threads", shared_read, 0);
    measure("atomic load, acquire", load_acquire, 0);
    measure("atomic store release / load acquire, in turns", store_then_load, 0);
    measure("atomic read-modify-write, seq_cst, in turns", rmw_seq_cst, 0);
    measure("atomic read-modify-write, relaxed, in turns", rmw_relaxed, 0);
    measure("lock / write / unlock, per call, in turns", lock_write_unlock, 0);
    threads = 256;
    measure("  the same two rows with 256 threads: rmw", rmw_seq_cst, 0);
    measure("  … and lock / write / unlock", lock_write_unlock, 0);
    threads = 4;
    measure("heap check, small block", check_in_block, 512);
    measure("heap check, block over 64 KiB", check_in_large_block, 1 << 20);
    measure("malloc(48) or free", alloc_and_free, 0);
    measure("start of an execution, heap and races", new_execution, 0);
    return 0;
}
