/* Memory back to where it was before main (snapshot.c). */
#ifndef MAZUR_RUNTIME_SNAPSHOT_H
#define MAZUR_RUNTIME_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the snapshot must know of the process. */
struct snapshot_layout {
    uint64_t own_start, own_end;     /* libmazur.so: not the program's */
    uint64_t image_start, image_end; /* the executable file in memory */
    uint64_t main_tls;               /* main's thread-local storage */
    void (*note_shared)(const char *what); /* memory that can't be put back */
};
void snapshot_set_layout(const struct snapshot_layout *layout);
void snapshot_take(void);
void snapshot_restore(void);
/* Add the mapping that contains `address` (it is in its initial state). */
void snapshot_add_mapping(uint64_t address);
/* A write fault: true when it hit a protected page, which is now writable and hot. */
bool snapshot_fault(uint64_t address);
/* Make [address, address + size) writable before the kernel writes to it. */
void snapshot_touch(const void *address, size_t size);
/* The program is about to change the mappings in the range: keeps what is part of the snapshot,
 * to be mapped and filled again after the execution. How many bytes of it that were. */
uint64_t snapshot_keep(uint64_t start, uint64_t end);
bool snapshot_has(uint64_t address);
uint64_t snapshot_hot_pages(void);
/* Hash of the pages that differ from the snapshot. */
uint64_t snapshot_hash(uint64_t seed);
/* Make snapshot_hash() see what is written from now on, also where memory is not restored. */
void snapshot_watch(void);

#endif
