/* The number of idle processors. */
#ifndef MAZUR_HOST_FREE_CORES_H
#define MAZUR_HOST_FREE_CORES_H

/* At least 1: those that this process may use, without those that are busy (the load of the
 * last minute). */
int free_cores(void);

#endif
