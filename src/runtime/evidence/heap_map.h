/* The heap at the end of a RECORD run, for the parent's names (debuginfo/heap_names.c). */
#ifndef MAZUR_RUNTIME_HEAP_MAP_H
#define MAZUR_RUNTIME_HEAP_MAP_H

/* Puts the live blocks, and the pointers to them, on the board. */
void heap_map_take(void);

#endif
