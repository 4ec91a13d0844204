/* Restores memory to its contents before main (snapshot.c). */
#ifndef MAZUR_RUNTIME_SNAPSHOT_H
#define MAZUR_RUNTIME_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/memory/saved.h"

/* What the snapshot must know about the process. */
struct snapshot_layout {
    uint64_t own_start, own_end;           /* libmazur.so: does not belong to the program */
    uint64_t image_start, image_end;       /* the executable file in memory */
    uint64_t main_tls;                     /* main's thread-local storage */
    void (*note_shared)(const char *what); /* memory that can't be restored */
};
void snapshot_set_layout(const struct snapshot_layout *layout);
void snapshot_take(void);
void snapshot_restore(void);
/* Adds the mapping that contains `address` (it is in its initial state). */
void snapshot_add_mapping(uint64_t address);
/* Handles a write fault. True if it hit a protected page, which is now writable and hot. */
bool snapshot_fault(uint64_t address);
/* Makes [address, address + size) writable before the kernel writes to it. */
void snapshot_touch(const void *address, size_t size);
/* The program is about to change the mappings in the range: keeps what is part of the snapshot,
 * to be mapped and filled again after the execution. Returns how many bytes these are. */
uint64_t snapshot_keep(uint64_t start, uint64_t end);
bool snapshot_has(uint64_t address);
uint64_t snapshot_hot_pages(void);
/* Hash of the pages that differ from the snapshot. */
uint64_t snapshot_hash(uint64_t seed);
/* Takes a second snapshot: from now on memory is restored to its present contents. The heap has
 * blocks in [low, high), whole pages, that it did not have before main. */
bool snapshot_can_advance(void);
void snapshot_advance(uint64_t low, uint64_t high);
/* Between executions: forgets the second snapshot and restores memory to before main. */
void snapshot_go_back(void);
/* At a checkpoint on the path: saves the pages that differ from the snapshot; later, between
 * executions, writes them. Pages that become hot afterwards were as in the snapshot. False: the
 * mappings have been changed. */
bool snapshot_save(struct saved *saved);
void snapshot_put_back(struct saved *saved);
/* Makes snapshot_hash() cover all writes from now on, even if memory is not restored. */
void snapshot_watch(void);

#endif
